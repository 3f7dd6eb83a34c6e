import { basename } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import type { FunctionLimits, FunctionThread } from '#adapters/server/function-thread/function-thread.ts';
import { FunctionThreads } from '#adapters/server/function-thread/function-threads.ts';
import { LastingThread } from '#adapters/server/function-thread/lasting-thread.ts';
import type { Declaration } from '#lib/client/controller/declaration.ts';
import type { DefinedReconciler } from '#lib/client/controller/define-reconciler.ts';
import { refuseUnknownFunctions } from '#lib/client/controller/function-settings.ts';
import { inThread } from '#lib/client/controller/in-thread.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { AggregatedApiDeclaration } from '#lib/sdk/extension-apiserver/declaration.ts';
import { SessionEnd } from '#lib/sdk/extension-apiserver/session.ts';
import type { WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { FunctionInvoker } from '#lib/server/webhook/functions.ts';
import type { ApiSource } from '../aggregated-apis.ts';
import { messageOf } from '../start-fault.ts';
import type { WebhookSource } from '../webhooks.ts';
import { FileLoad, type LoadedFile, type LoadedThread } from './file-load.ts';
import { startFileThread } from './file-thread.ts';
import { DEFINITIONS, FolderWatch, type Snapshot, snapshot } from './folder.ts';
import { LocalSettings, type ThreadSettings } from './settings.ts';

/** The folder and its limits. */
export interface LocalFunctionsOptions {
  readonly folder: string;
  readonly log: Logger;
  readonly limits?: Partial<FunctionLimits>;
  /** A file with the values of secrets, which only its owner can read. Defaults to this process's environment variables. */
  readonly secretsFile?: string;
}

/** Runs functions once the server has started. */
export interface FunctionHost {
  /** Sends a request to the API as the reconciler with this name. */
  handle(request: ApiRequest, name: string): Promise<ApiResponse>;
  /** Starts a reconciler, first with all existing objects. */
  add(reconciler: DefinedReconciler): void;
  /** Stops the reconciler; none of its code runs afterwards. Its permissions stay if it is about to be added again. */
  remove(name: string, isReplaced: boolean): Promise<void>;
  /** Applies the definitions of a file. Errors are logged. */
  define(file: string): Promise<void>;
  /** Reports that a webhook's function has ended. */
  told(webhook: string, why: string): Promise<void>;
}

const DEFAULT_LIMITS: FunctionLimits = { timeout: 30_000, memory: 128 };
interface Loaded {
  readonly file: string;
  readonly reconcilers: readonly Declaration[];
  readonly webhooks: readonly WebhookDeclaration[];
  readonly apis: readonly AggregatedApiDeclaration[];
  readonly settings: LocalSettings;
  /** Threads by the names of their functions. */
  readonly threads: ReadonlyMap<string, LastingThread>;
  /** Threads by the names of their reconcilers, with separate threads for suspects. */
  readonly reconciling: ReadonlyMap<string, FunctionThreads>;
  isAdded: boolean;
}

/**
 * Reconcilers and webhooks of a folder. Each file runs in its own thread, or in one thread per distinct settings of its functions. Files
 * are reloaded when they are saved.
 */
export class LocalFunctions implements WebhookSource {
  readonly #options: LocalFunctionsOptions;
  readonly #limits: FunctionLimits;
  readonly #loaded = new Map<string, Loaded>();
  /** Files that are being loaded. */
  readonly #loading = new Map<string, FileLoad>();
  readonly #notLoaded = new Map<string, string>();
  readonly #listeners: (() => void)[] = [];
  readonly #ending = new AbortController();
  #seen: Snapshot = { folders: new Set(), files: new Map(), definitions: new Map(), shared: '' };
  #settings: LocalSettings | undefined;
  #host: FunctionHost | undefined;
  readonly #watch = new FolderWatch(() => this.#enqueue(() => this.#lookAgain()));
  #turn: Promise<void> = Promise.resolve();

  readonly invoker: FunctionInvoker = {
    invoke: async (name, body, { timeout }) => {
      const loaded = [...this.#loaded.values()].find(({ webhooks }) => webhooks.some((one) => one.name === name));
      if (loaded === undefined) throw new Error(`there is no function ${name}`);
      const most = loaded.settings.timeoutOf(name) ?? timeout;
      return threadOf(loaded, name).webhook(name, body, { timeout: Math.min(most, timeout) });
    },
  };

  /** The aggregated APIs in all files. */
  readonly apis: ApiSource = {
    declarations: () => [...this.#loaded.values()].flatMap(({ apis }) => apis),
    onDeclared: (changed) => this.onDeclared(changed),
    invoke: async (name, request, of) => {
      const loaded = this.#withApi(name);
      const { method, path, query, headers } = request;
      const wire = { method, path, query: query.toString(), headers: { ...headers }, body: await request.body() };
      const timeout = loaded.settings.timeoutOf(name);
      const call = { what: 'api' as const, name, request: wire, ...of };
      return threadOf(loaded, name).stream(call, { signal: request.signal(), ...defined({ timeout }) });
    },
    connect: async (name, link, { query }, of) => {
      const loaded = this.#withApi(name);
      const call = { what: 'connect' as const, name, protocol: link.protocol, query: query.toString(), ...of };
      return threadOf(loaded, name)
        .connect(call, link, loaded.settings.timeoutOf(name))
        .catch((error: unknown) => {
          throw this.#ending.signal.aborted ? new SessionEnd('server ends') : error;
        });
    },
  };

  constructor(options: LocalFunctionsOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /** Loads the folder and logs files that cannot be loaded. Throws if the folder cannot be read, or a setting is invalid. */
  static async open(options: LocalFunctionsOptions): Promise<LocalFunctions> {
    const functions = new LocalFunctions(options);
    const settings = await functions.#readSettings();
    functions.#settings = settings;
    await Promise.all(await functions.#look());
    try {
      functions.#refuseUnknown(settings);
    } catch (error) {
      await functions.close();
      throw error;
    }
    return functions;
  }

  declarations(): readonly WebhookDeclaration[] {
    return [...this.#loaded.values()].flatMap(({ webhooks }) => webhooks);
  }

  /** Why functions do not run now, by the functions' names. */
  faults(): ReadonlyMap<string, string> {
    const all = [...this.#loaded.values()].flatMap(({ threads }) => [...threads]);
    return new Map(all.flatMap(([name, { fault }]) => (fault === undefined ? [] : [[name, fault]])));
  }

  /** Names of files whose last saved version is not loaded, and the reasons. */
  notLoaded(): ReadonlyMap<string, string> {
    return this.#notLoaded;
  }

  onDeclared(changed: () => void): void {
    this.#listeners.push(changed);
  }

  /** Applies definitions, then starts the reconcilers. */
  serve(host: FunctionHost): void {
    this.#enqueue(async () => {
      for (const file of this.#seen.definitions.keys()) await host.define(file);
      this.#host = host;
      for (const loaded of this.#loaded.values()) this.#addAll(loaded);
    });
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#watch.close();
    await this.#turn;
    const running = [...this.#loaded.values()].flatMap(threadsOf);
    const all = [...this.#loading.values(), ...running];
    this.#loading.clear();
    await Promise.all(all.map((one) => one.close()));
  }

  #withApi(name: string): Loaded {
    const loaded = [...this.#loaded.values()].find(({ apis }) => apis.some((one) => one.name === name));
    if (loaded === undefined) throw new Error(`there is no aggregated API ${name}`);
    return loaded;
  }

  #readSettings(): Promise<LocalSettings> {
    const { folder, secretsFile } = this.#options;
    return LocalSettings.read({ folder, environment: process.env, ...defined({ secretsFile }) });
  }

  /** Throws if settings refer to a function that no file declares. Functions of a file that failed to load are unknown. */
  #refuseUnknown({ byName }: LocalSettings): void {
    const declared = [...this.#loaded.values()].flatMap(({ reconcilers, webhooks, apis }) => [
      ...reconcilers,
      ...webhooks,
      ...apis,
    ]);
    if (this.#notLoaded.size > 0) return;
    refuseUnknownFunctions(
      byName,
      declared.map(({ name }) => name),
    );
  }

  /** Reads the settings again after a change to a file without functions. Errors are logged, and leave the settings unchanged. */
  async #lookAgain(): Promise<void> {
    const { log } = this.#options;
    const wrong = (error: unknown): void => log.error(`functions: ${messageOf(error)}`);
    const before = this.#seen.shared;
    const loads = await this.#look(async () => {
      this.#settings = await this.#readSettings().catch((error: unknown) => {
        wrong(error);
        return this.#settings;
      });
    });
    const settings = this.#settings;
    if (settings === undefined || before === this.#seen.shared) return;
    void Promise.all(loads).then(() => {
      try {
        this.#refuseUnknown(settings);
      } catch (error) {
        wrong(error);
      }
    });
  }

  /** Runs tasks one at a time, so that two saves never load the same file concurrently. */
  #enqueue(task: () => Promise<void>): void {
    this.#turn = this.#turn.then(async () => {
      if (this.#ending.signal.aborted) return;
      await task().catch((error: unknown) => this.#options.log.error(`functions: ${messageOfError(error)}`));
    });
  }

  /** Starts to load changed files; a slow file does not delay others. Resolves with the loads. */
  async #look(sharedChanged = async (): Promise<void> => {}): Promise<readonly Promise<void>[]> {
    const before = this.#seen;
    const now = await snapshot(this.#options.folder);
    this.#seen = now;
    this.#watch.follow(now.folders);
    for (const file of before.files.keys()) if (!now.files.has(file)) await this.#forget(file);
    await this.#define(before.definitions, now.definitions);
    const isAll = before.shared !== now.shared;
    if (isAll) await sharedChanged();
    const changed = [...now.files].filter(([file, state]) => isAll || before.files.get(file) !== state);
    return changed.map(([file]) => this.#load(file));
  }

  /** Applies changed definitions. Removed ones are not deleted, because their objects would be deleted too. */
  async #define(before: Snapshot['definitions'], now: Snapshot['definitions']): Promise<void> {
    for (const file of before.keys())
      if (!now.has(file))
        this.#options.log.info(`functions: ${DEFINITIONS}/${basename(file)} is gone; its definitions stay`);
    for (const [file, state] of now) if (before.get(file) !== state) await this.#host?.define(file);
  }

  async #forget(file: string): Promise<void> {
    await this.#loading.get(file)?.close();
    this.#loading.delete(file);
    this.#notLoaded.delete(basename(file));
    const loaded = this.#loaded.get(file);
    this.#loaded.delete(file);
    await this.#end(loaded);
    this.#notify();
    this.#options.log.info(`functions: ${basename(file)} is gone`);
  }

  async #load(file: string): Promise<void> {
    const { log } = this.#options;
    const name = basename(file);
    void this.#loading.get(file)?.close(); // saved again before it was loaded
    const settings = this.#settings;
    if (settings === undefined) return;
    const load = new FileLoad(settings, (of) => this.#start(file, of));
    this.#loading.set(file, load);
    try {
      const declared = await load.loaded();
      if (this.#loading.get(file) !== load) return;
      await this.#take(file, load, declared);
      this.#notLoaded.delete(name);
      const functions = [...declared.reconcilers, ...declared.webhooks, ...declared.apis].map((one) => one.name);
      if (functions.length > 0) log.info(`functions: ${name} is loaded`, { functions });
      else log.info(`functions: ${name} exports no function`);
    } catch (error) {
      await load.close();
      if (this.#loading.get(file) !== load) return;
      this.#notLoaded.set(name, messageOf(error));
      log.error(`functions: ${name} is not loaded: ${messageOf(error)}`);
    } finally {
      if (this.#loading.get(file) === load) this.#loading.delete(file);
    }
  }

  /** Replaces the file's earlier declarations. */
  async #take(file: string, load: FileLoad, { reconcilers, webhooks, apis, threads }: LoadedFile): Promise<void> {
    const taken = this.#namesBeside(file);
    const twice = [...reconcilers, ...webhooks, ...apis].find((one) => taken.has(one.name));
    if (twice !== undefined) throw new Error(`${twice.name} is declared in ${taken.get(twice.name)}`);
    this.#refuseServed(file, apis);
    const before = this.#loaded.get(file);
    const byName = new Map<string, LastingThread>();
    const reconciling = new Map<string, FunctionThreads>();
    const { settings } = load;
    const loaded: Loaded = {
      file,
      reconcilers,
      webhooks,
      apis,
      settings,
      threads: byName,
      reconciling,
      isAdded: false,
    };
    if (threads.length > 0) this.#loaded.set(file, loaded);
    else this.#loaded.delete(file);
    await this.#end(before, reconcilers);
    if (this.#loaded.get(file) !== loaded) return load.close(); // it declares no function, or was removed in the meantime
    for (const one of threads) {
      const shared = this.#follow(loaded, one);
      const start = (): FunctionThread => this.#start(file, one.settings);
      const pool = new FunctionThreads({ shared, start, timeoutOf: (name) => settings.timeoutOf(name) });
      for (const name of one.names) {
        byName.set(name, shared);
        if (reconcilers.some((reconciler) => reconciler.name === name)) reconciling.set(name, pool);
      }
    }
    this.#addAll(loaded);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #start(file: string, settings: ThreadSettings): FunctionThread {
    const handle = async (request: ApiRequest, name: string): Promise<ApiResponse> => {
      if (this.#host === undefined) throw new Error('there is no server yet');
      return this.#host.handle(request, name);
    };
    return startFileThread({ file, settings, limits: this.#limits, log: this.#options.log, handle });
  }

  /** Function names that other files declare, and those files. */
  #namesBeside(file: string): ReadonlyMap<string, string> {
    const others = [...this.#loaded.values()].filter((one) => one.file !== file);
    return new Map(
      others.flatMap((one) =>
        [...one.reconcilers, ...one.webhooks, ...one.apis].map(({ name }) => [name, basename(one.file)]),
      ),
    );
  }

  /** Throws if another file serves a group version of these APIs. */
  #refuseServed(file: string, apis: readonly AggregatedApiDeclaration[]): void {
    const wanted = new Set(apis.map(apiVersion));
    for (const other of this.#loaded.values())
      for (const api of other.apis)
        if (other.file !== file && wanted.has(apiVersion(api)))
          throw new Error(`${apiVersion(api)} is served by ${api.name} in ${basename(other.file)}`);
  }

  /** Adds the reconcilers of a file only once, even if the file is loaded while the server starts. */
  #addAll(loaded: Loaded): void {
    if (this.#host === undefined || loaded.isAdded) return;
    loaded.isAdded = true;
    for (const declaration of loaded.reconcilers) {
      const pool = loaded.reconciling.get(declaration.name);
      if (pool !== undefined) this.#host.add(inThread(declaration, pool.reconcile));
    }
  }

  async #end(loaded: Loaded | undefined, next: readonly Declaration[] = []): Promise<void> {
    if (loaded === undefined) return;
    const replaced = new Set(next.map(({ name }) => name));
    for (const { name } of loaded.reconcilers) await this.#host?.remove(name, replaced.has(name));
    await Promise.all(threadsOf(loaded).map((thread) => thread.close()));
  }

  #follow({ file, webhooks }: Loaded, { thread, settings, names }: LoadedThread): LastingThread {
    const { log } = this.#options;
    const untold = (error: unknown): void => log.error('an event was not taken', { error: messageOfError(error) });
    return new LastingThread(thread, {
      file: basename(file),
      clock: systemClock,
      start: () => this.#start(file, settings),
      ended: async (why) => {
        log.error(`functions: ${why}`);
        for (const { name } of webhooks) if (names.includes(name)) await this.#host?.told(name, why).catch(untold);
      },
    });
  }
}

const threadsOf = ({ threads, reconciling }: Loaded): (LastingThread | FunctionThreads)[] => [
  ...threads.values(),
  ...reconciling.values(),
];

/** Throws if the function's thread does not exist. */
function threadOf({ threads }: Loaded, name: string): LastingThread {
  const thread = threads.get(name);
  if (thread === undefined) throw new Error(`there is no function ${name}`);
  return thread;
}
