import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { builtInReconcilers, type ControllerTokens, type ReconcilerOptions } from '#functions/reconcilers/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { Declaration } from '#lib/client/controller/declaration.ts';
import type { DefinedReconciler } from '#lib/client/controller/define-reconciler.ts';
import { functionUser } from '#lib/client/controller/function-account.ts';
import { functionAccounts } from '#lib/client/controller/function-accounts.ts';
import { type FunctionKinds, functionKinds } from '#lib/client/controller/function-kinds.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import type { Request } from '#lib/client/controller/requests.ts';
import { runDefined } from '#lib/client/controller/run-defined.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { bootstrap } from '#lib/controllers/bootstrap/first-start.ts';
import { failureEvents } from '#lib/controllers/failure-events.ts';
import { keyOf } from '#lib/machinery/namespaced-name.ts';
import { aggregatedApiRegistration } from '#lib/sdk/extension-apiserver/registration.ts';
import type { FunctionState } from '#lib/sdk/invocation/function-state.ts';
import type { Operated } from '#lib/sdk/invocation/routes.ts';
import { webhookRegistration } from '#lib/sdk/webhook-sdk/registration.ts';
import { LEDGERS } from '#lib/server/policy/resource-quota/ledger.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { ApiSource } from './aggregated-apis.ts';
import { ChangeFeed } from './change-feed.ts';
import { RunningReconciler, type RunOptions } from './running-reconciler.ts';
import type { WebhookSource } from './webhooks.ts';

/** The reconcilers to run, and their settings. */
export interface ControllersOptions extends Omit<ReconcilerOptions, 'events'>, RunOptions {
  /** Which controllers run, in the syntax of `--controllers`. */
  readonly controllers: readonly string[];
  /** Authenticates built-in reconcilers at the server. */
  readonly tokens: ControllerTokens;
  /** Names of the sequences in the store. Their objects are reconciled even if no client requests them. */
  readonly sequences: readonly string[];
  /** The server's own reconcilers, in addition to the built-in ones. Default none. */
  readonly besides?: readonly Reconciler[];
  /** The user's reconcilers. */
  readonly reconcilers: readonly DefinedReconciler[];
  /** The user's webhooks, whose configurations are kept up to date. By default, no configuration is changed. */
  readonly webhooks?: WebhookSource;
  /** The user's aggregated APIs, whose APIServices are kept up to date. Default none. */
  readonly apis?: ApiSource;
  /** Called with each change. */
  told?(change: ObjectChange): void;
}

/** All reconcilers of this process. Each receives every committed change until it is closed. */
export class RunningControllers implements Operated {
  readonly #server: Apiserver;
  readonly #options: ControllersOptions & ReconcilerOptions;
  /** The user's declarations by name. The accounts and roles of functions are derived from them. */
  readonly #declared: Map<string, Declaration>;
  readonly #running = new Set<RunningReconciler>();
  readonly #accounts: RunningReconciler;
  readonly #kinds: FunctionKinds;
  readonly #followsKinds: RunningReconciler;
  readonly #feed: ChangeFeed;
  #started: Promise<void> = Promise.resolve();

  /** Resolves when the server can accept requests. Reconcilers start after the initial lists. */
  static async start(server: Apiserver, options: ControllersOptions): Promise<RunningControllers> {
    const { handle, loopbackToken: token } = server;
    const report = (error: unknown): void => options.reportFault('bootstrap', error);
    const client = apiClient({ handle, token, userAgent: 'kube-apiserver' });
    await bootstrap(client, options.address, options.trust).catch(report);
    openAll(server, options.sequences);
    const controllers = new RunningControllers(server, options);
    await controllers.#registerWebhooks();
    controllers.#started = controllers.#startAll();
    return controllers;
  }

  private constructor(server: Apiserver, options: ControllersOptions) {
    this.#server = server;
    const events = new EventCorrelator(options.clock);
    const failures = failureEvents({ client: this.#client('davit-failures'), events });
    this.#options = { ...options, events, invocations: [...(options.invocations ?? []), failures] };
    this.#declared = new Map(options.reconcilers.map(({ declaration }) => [declaration.name, declaration]));
    for (const one of [...builtInReconcilers(server, options.tokens, this.#options), ...(options.besides ?? [])])
      this.#run(one);
    const declarations = () => [...this.#declared.values()];
    this.#accounts = this.#run(functionAccounts({ client: this.#client('davit-functions'), declarations }));
    const served = (name: string): void => void this.#catchUp(name);
    this.#kinds = functionKinds({ client: this.#client('davit-functions'), log: options.log, declarations, served });
    this.#followsKinds = this.#run(this.#kinds);
    for (const one of options.reconcilers) this.#runDefined(one);
    this.#feed = new ChangeFeed(server, options, (change) => {
      for (const running of this.#running) this.#tell(running, change);
      options.told?.(change);
    });
  }

  /** Reconciles one object again. Returns false if no reconciler of this name runs. */
  replay(name: string, object: Request): boolean {
    const found = this.#named(name);
    for (const { queue } of found) queue.add(keyOf(object));
    return found.length > 0;
  }

  /** Retries the keys that one reconciler, or every reconciler, gave up on. Returns undefined if no reconciler has this name. */
  redrive(name?: string): number | undefined {
    const selected = name === undefined ? [...this.#running] : this.#named(name);
    if (name !== undefined && selected.length === 0) return undefined;
    return selected.reduce((sum, { queue }) => sum + queue.redrive(), 0);
  }

  /** The user's reconcilers. */
  functions(): readonly FunctionState[] {
    return [...this.#declared.values()].map(({ name, for: { apiVersion, kind } }): FunctionState => {
      const of = { name, type: 'Reconciler', for: { apiVersion, kind } } as const;
      const message = this.#kinds.waitsFor(name);
      return message === undefined ? { ...of, state: 'Running' } : { ...of, state: 'Waiting', message };
    });
  }

  /** Starts one more reconciler, first with all existing objects. */
  add(defined: DefinedReconciler): void {
    this.#declared.set(defined.declaration.name, defined.declaration);
    const running = this.#runDefined(defined);
    void this.#started.then(async () => {
      await this.#admit();
      again(this.#followsKinds);
      await addAll(running, this.#options);
      running.start();
    });
  }

  /** Stops the reconcilers with a name; none of their code runs afterwards. Their accounts and roles stay if a replacement follows. */
  async remove(name: string, isReplaced: boolean): Promise<void> {
    const found = this.#named(name);
    for (const running of found) this.#running.delete(running);
    if (!isReplaced && this.#declared.delete(name)) for (const one of [this.#accounts, this.#followsKinds]) again(one);
    await Promise.all(found.map((running) => running.end()));
  }

  async close(): Promise<void> {
    await this.#feed.close();
    await this.#started;
    await Promise.all([...this.#running].map((running) => running.end()));
  }

  /** Reconcilers that were added before the feed has listed everything start together. */
  async #startAll(): Promise<void> {
    const first = [...this.#running];
    await this.#feed.start();
    if (this.#declared.size > 0) await this.#admit();
    for (const running of first) running.start();
  }

  /** A reconciler that fails to accept a change does not stop the others from receiving it. */
  #tell(running: RunningReconciler, change: ObjectChange): void {
    try {
      running.tell(change);
    } catch (error) {
      this.#options.reportFault(`${running.reconciler.name} ${keyOf(change)}`, error);
    }
  }

  #client(userAgent: string): Client {
    const { handle, loopbackToken: token } = this.#server;
    return apiClient({ handle, token, userAgent });
  }

  #run(reconciler: Reconciler, of?: DefinedReconciler): RunningReconciler {
    const running = new RunningReconciler(reconciler, this.#options, of?.declaration.for);
    this.#running.add(running);
    return running;
  }

  #runDefined(defined: DefinedReconciler): RunningReconciler {
    const { name } = defined.declaration;
    const { handle, loopbackToken: token } = this.#server;
    const client = apiClient({ handle, token, as: functionUser(name), userAgent: name });
    const { clock, log } = this.#options;
    const onUnserved = (): void => {
      this.#kinds.missed(name);
      again(this.#followsKinds);
    };
    return this.#run(runDefined(defined, { client, clock, log, onUnserved }), defined);
  }

  /** Reconciles all objects of a reconciler whose kinds were temporarily not served. */
  async #catchUp(name: string): Promise<void> {
    for (const running of this.#named(name)) await addAll(running, this.#options);
  }

  /** Webhooks that are already declared are called from the first request on. */
  async #registerWebhooks(): Promise<void> {
    const { webhooks, apis } = this.#options;
    if (apis !== undefined) {
      const registration = aggregatedApiRegistration(this.#client('davit-aggregated-apis'), apis);
      await this.#now(registration);
      this.#run(registration);
    }
    if (webhooks === undefined) return;
    const registration = webhookRegistration({ client: this.#client('davit-webhooks'), ...webhooks });
    await this.#now(registration);
    this.#run(registration);
  }

  /** Creates the accounts of the user's reconcilers before they act. */
  #admit(): Promise<void> {
    return this.#now(this.#accounts.reconciler);
  }

  async #now(reconciler: Reconciler): Promise<void> {
    await reconciler.reconcile('').catch((error: unknown) => this.#options.reportFault(reconciler.name, error));
  }

  #named(name: string): readonly RunningReconciler[] {
    return [...this.#running].filter(({ reconciler }) => reconciler.name === name);
  }
}

/** Queues the reconciler's initial keys again. */
function again({ reconciler, queue }: RunningReconciler): void {
  for (const key of reconciler.initial ?? []) queue.add(key);
}

/** Queues all existing objects. */
async function addAll({ reconciler, queue }: RunningReconciler, { reportFault }: ControllersOptions): Promise<void> {
  try {
    for (const key of (await reconciler.all?.()) ?? []) queue.add(key);
  } catch (error) {
    reportFault(`${reconciler.name} start`, error);
  }
}

function openAll(server: Apiserver, sequences: readonly string[]): void {
  for (const name of sequences) {
    const [cluster, group = '', resource] = name.split('/');
    if (cluster !== DEFAULT_CLUSTER || group === LEDGERS) continue;
    server.storageOf(resource === undefined ? { group: '', resource: 'namespaces' } : { group, resource });
  }
}
