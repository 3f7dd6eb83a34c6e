import { messageOfError } from '#lib/machinery/error-message.ts';
import { basename } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import type { DefinedReconciler } from '#lib/controller/define-reconciler.ts';
import { withFields, type Logger } from '#lib/controller/logger.ts';
import type { Declaration } from '#lib/controller/declaration.ts';
import type { Result } from '#lib/controller/reconciler.ts';
import type { ApiRequest, ApiResponse } from '#lib/endpoints/api.ts';
import type { FunctionInvoker } from '#lib/webhook/functions.ts';
import type { WebhookDeclaration } from '#lib/webhook-sdk/declaration.ts';
import { messageOf } from '../start-fault.ts';
import type { WebhookSource } from '../webhooks.ts';
import { DEFINITIONS, FolderWatch, snapshot, type Snapshot } from './folder.ts';
import { FunctionThread, threadFault, type Declarations, type FunctionLimits } from './function-thread.ts';

/** The folder and its limits. */
export interface LocalFunctionsOptions {
  readonly folder: string;
  readonly log: Logger;
  readonly limits?: Partial<FunctionLimits>;
}

/** Runs functions, once there is a server. */
export interface FunctionHost {
  /** The API, as the reconciler of this name. */
  handle(request: ApiRequest, name: string): Promise<ApiResponse>;
  /** Begins to run a reconciler, for all objects that there are first. */
  add(reconciler: DefinedReconciler): void;
  /** Ends it: nothing of it runs any more. What it may do stays where it is about to be added again. */
  remove(name: string, isReplaced: boolean): Promise<void>;
  /** Applies the definitions of a file. What is wrong is logged. */
  define(file: string): Promise<void>;
  /** Tells of a webhook's function that it ended. */
  told(webhook: string, why: string): Promise<void>;
}

const DEFAULT_LIMITS: FunctionLimits = { timeout: 30_000, memory: 128 };
/** Milliseconds before a thread is started again, and at most; who lived as long had recovered. */
const FIRST_BACKOFF = 100;
const MAX_BACKOFF = 30_000;

interface Loaded {
  readonly file: string;
  readonly reconcilers: readonly Declaration[];
  readonly webhooks: readonly WebhookDeclaration[];
  thread: FunctionThread;
  isAdded: boolean;
  began: number;
  /** How often in a row it ended. */
  failures: number;
  /** Why it does not run now. */
  fault: string | undefined;
}

/** Reconcilers and webhooks of a folder, each file in a thread of its own, loaded again when it is saved. */
export class LocalFunctions implements WebhookSource {
  readonly #options: LocalFunctionsOptions;
  readonly #limits: FunctionLimits;
  readonly #loaded = new Map<string, Loaded>();
  /** Threads of files that are being loaded. */
  readonly #loading = new Map<string, FunctionThread>();
  readonly #notLoaded = new Map<string, string>();
  readonly #listeners: (() => void)[] = [];
  readonly #ending = new AbortController();
  #seen: Snapshot = { folders: new Set(), files: new Map(), definitions: new Map(), shared: '' };
  #host: FunctionHost | undefined;
  readonly #watch = new FolderWatch(() => this.#enqueue(async () => void (await this.#look())));
  #turn: Promise<void> = Promise.resolve();

  readonly invoker: FunctionInvoker = {
    invoke: async (name, body, { timeout }) => {
      const loaded = [...this.#loaded.values()].find(({ webhooks }) => webhooks.some((one) => one.name === name));
      if (loaded === undefined) throw new Error(`there is no function ${name}`);
      return (await running(loaded).call({ what: 'webhook', name, body }, { timeout })) as Uint8Array;
    },
  };

  constructor(options: LocalFunctionsOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /** Loads what there is; what cannot be loaded is logged. Throws where the folder cannot be read. */
  static async open(options: LocalFunctionsOptions): Promise<LocalFunctions> {
    const functions = new LocalFunctions(options);
    await Promise.all(await functions.#look());
    return functions;
  }

  declarations(): readonly WebhookDeclaration[] {
    return [...this.#loaded.values()].flatMap(({ webhooks }) => webhooks);
  }

  /** Why functions do not run now, by name. */
  faults(): ReadonlyMap<string, string> {
    const all = [...this.#loaded.values()].flatMap(({ fault, reconcilers, webhooks }) =>
      fault === undefined ? [] : [...reconcilers, ...webhooks].map(({ name }): [string, string] => [name, fault]),
    );
    return new Map(all);
  }

  /** Names of files that are not loaded as they were saved last, and why. */
  notLoaded(): ReadonlyMap<string, string> {
    return this.#notLoaded;
  }

  onDeclared(changed: () => void): void {
    this.#listeners.push(changed);
  }

  /** Applies definitions, then begins to run reconcilers. */
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
    const threads = [...this.#loading.values(), ...[...this.#loaded.values()].map(({ thread }) => thread)];
    this.#loading.clear();
    await Promise.all(threads.map((thread) => thread.close()));
  }

  /** One thing after another: two saves never load one file twice at once. */
  #enqueue(task: () => Promise<void>): void {
    this.#turn = this.#turn.then(async () => {
      if (this.#ending.signal.aborted) return;
      await task().catch((error: unknown) => this.#options.log.error(`functions: ${messageOfError(error)}`));
    });
  }

  /** Begins to load what has changed: a file that takes its time keeps no other waiting. Resolves with the loads. */
  async #look(): Promise<readonly Promise<void>[]> {
    const before = this.#seen;
    const now = await snapshot(this.#options.folder);
    this.#seen = now;
    this.#watch.follow(now.folders);
    for (const file of before.files.keys()) if (!now.files.has(file)) await this.#forget(file);
    await this.#define(before.definitions, now.definitions);
    const isAll = before.shared !== now.shared;
    const changed = [...now.files].filter(([file, state]) => isAll || before.files.get(file) !== state);
    return changed.map(([file]) => this.#load(file));
  }

  /** Applies what has changed. What is gone is not deleted: objects would go with it. */
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
    const thread = this.#start(file);
    this.#loading.set(file, thread);
    try {
      const declared = await thread.loaded;
      if (this.#loading.get(file) !== thread) return;
      await this.#take(file, thread, declared);
      this.#notLoaded.delete(name);
      const functions = [...declared.reconcilers, ...declared.webhooks].map((one) => one.name);
      if (functions.length > 0) log.info(`functions: ${name} is loaded`, { functions });
    } catch (error) {
      await thread.close();
      if (this.#loading.get(file) !== thread) return;
      this.#notLoaded.set(name, messageOf(error));
      log.error(`functions: ${name} is not loaded: ${messageOf(error)}`);
    } finally {
      if (this.#loading.get(file) === thread) this.#loading.delete(file);
    }
  }

  /** It runs in place of what the file declared before. */
  async #take(file: string, thread: FunctionThread, { reconcilers, webhooks }: Declarations): Promise<void> {
    const taken = this.#namesBeside(file);
    const twice = [...reconcilers, ...webhooks].find((one) => taken.has(one.name));
    if (twice !== undefined) throw new Error(`${twice.name} is declared in ${taken.get(twice.name)}`);
    const before = this.#loaded.get(file);
    const loaded: Loaded = {
      file,
      reconcilers,
      webhooks,
      thread,
      isAdded: false,
      began: 0,
      failures: 0,
      fault: undefined,
    };
    if (reconcilers.length + webhooks.length > 0) this.#loaded.set(file, loaded);
    else this.#loaded.delete(file);
    await this.#end(before, reconcilers);
    if (this.#loaded.get(file) !== loaded) return thread.close(); // nothing in it, or gone meanwhile
    this.#follow(loaded);
    this.#addAll(loaded);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #start(file: string): FunctionThread {
    const { log } = this.#options;
    const handle = async (request: ApiRequest, name: string): Promise<ApiResponse> => {
      if (this.#host === undefined) throw new Error('there is no server yet');
      return this.#host.handle(request, name);
    };
    return new FunctionThread(file, { limits: this.#limits, log: withFields(log, { file: basename(file) }), handle });
  }

  /** Names that other files have, and which. */
  #namesBeside(file: string): ReadonlyMap<string, string> {
    const others = [...this.#loaded.values()].filter((one) => one.file !== file);
    return new Map(
      others.flatMap((one) => [...one.reconcilers, ...one.webhooks].map(({ name }) => [name, basename(one.file)])),
    );
  }

  /** Once, also where it is loaded while the server begins. */
  #addAll(loaded: Loaded): void {
    if (this.#host === undefined || loaded.isAdded) return;
    loaded.isAdded = true;
    for (const declaration of loaded.reconcilers)
      this.#host.add({
        declaration,
        async reconcile(request, { object, signal, log }): Promise<Result> {
          const call = { what: 'reconcile' as const, name: declaration.name, request, object: await object() };
          return (await running(loaded).call(call, { signal, log })) as Result;
        },
      });
  }

  async #end(loaded: Loaded | undefined, next: readonly Declaration[] = []): Promise<void> {
    if (loaded === undefined) return;
    const replaced = new Set(next.map(({ name }) => name));
    for (const { name } of loaded.reconcilers) await this.#host?.remove(name, replaced.has(name));
    await loaded.thread.close();
  }

  /** Starts a thread that ended by itself again, later each time. */
  #follow(loaded: Loaded): void {
    const { thread } = loaded;
    loaded.began = systemClock.monotonic();
    void thread.ended.then(async (fault) => {
      if (this.#loaded.get(loaded.file) !== loaded || this.#ending.signal.aborted) return;
      const why = `${basename(loaded.file)}: ${messageOfError(fault ?? 'ended')}`;
      loaded.fault = why;
      const { log } = this.#options;
      log.error(`functions: ${why}`);
      const untold = (error: unknown): void => log.error('an event was not taken', { error: messageOfError(error) });
      for (const { name } of loaded.webhooks) await this.#host?.told(name, why).catch(untold);
      await this.#restart(loaded);
    });
  }

  async #restart(loaded: Loaded): Promise<void> {
    if (systemClock.monotonic() - loaded.began > MAX_BACKOFF) loaded.failures = 0;
    const wait = Math.min(MAX_BACKOFF, FIRST_BACKOFF * 2 ** loaded.failures++);
    await systemClock.sleep(wait, this.#ending.signal);
    if (this.#loaded.get(loaded.file) !== loaded || this.#ending.signal.aborted) return; // saved meanwhile
    loaded.thread = this.#start(loaded.file);
    this.#follow(loaded);
    await loaded.thread.loaded.then(
      () => (loaded.fault = undefined),
      () => undefined, // it ends, and is followed
    );
  }
}

function running({ fault, thread }: Loaded): FunctionThread {
  if (fault !== undefined) throw threadFault(`not running: ${fault}`);
  return thread;
}
