import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { builtInReconcilers, type ControllerTokens, type ReconcilerOptions } from '#functions/reconcilers/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { Kind } from '#lib/client/typed-client.ts';
import type { DefinedReconciler } from '#lib/controller/define-reconciler.ts';
import type { Logger } from '#lib/controller/logger.ts';
import { functionUser } from '#lib/controller/function-account.ts';
import { functionAccounts } from '#lib/controller/function-accounts.ts';
import type { QueueMetrics } from '#lib/controller/queue-metrics.ts';
import { keyOf, requestIn } from '#lib/controller/requests.ts';
import { runDefined } from '#lib/controller/run-defined.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import { resync } from '#lib/controller/resync.ts';
import { WorkQueue } from '#lib/controller/work-queue.ts';
import { failureEvents } from '#lib/controllers/failure-events.ts';
import { isOwnChange, objectOfKey, referenceOfKey } from '#lib/controllers/objects-of-keys.ts';
import type { InvocationSink, InvokedFor } from '#lib/invocation/invocation.ts';
import { invocationRecorder } from '#lib/invocation/recorder.ts';
import type { Operated } from '#lib/invocation/routes.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { newUid } from '#lib/machinery/random.ts';
import { LEDGERS } from '#lib/policy/resource-quota/ledger.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { Version } from '#lib/storage/sequence.ts';
import { bootstrap } from '#lib/controllers/bootstrap/first-start.ts';
import { webhookRegistration } from '#lib/webhook-sdk/registration.ts';
import { ChangeFeed } from './change-feed.ts';
import type { WebhookSource } from './webhooks.ts';

export interface ControllersOptions extends ReconcilerOptions {
  /** Which controllers run, as `--controllers` says it. */
  readonly controllers: readonly string[];
  /** Whom the server knows built-in reconcilers by. */
  readonly tokens: ControllerTokens;
  /** Names of the sequences that the store has: what is in them is reconciled, whether or not anyone asks for it. */
  readonly sequences: readonly string[];
  /** The user's own. */
  readonly reconcilers: readonly DefinedReconciler[];
  /** The user's own, whose configuration is kept. Default nothing is said of any. */
  readonly webhooks?: WebhookSource;
  readonly log: Logger;
  /** Are told what waits for reconcilers. Default nobody. */
  readonly queueMetrics?: QueueMetrics;
  /** Are told of every attempt. Default nobody. */
  readonly invocations?: readonly InvocationSink[];
  reportFault(auditId: string, error: unknown): void;
}

const WORKERS = 8;

/** Feeds every committed change to the reconcilers, in this process, until closed. */
export async function runControllers(server: Apiserver, options: ControllersOptions): Promise<RunningControllers> {
  const { handle, loopbackToken: token } = server;
  await bootstrap(apiClient({ handle, token, userAgent: 'kube-apiserver' }), options.address).catch((error: unknown) =>
    options.reportFault('bootstrap', error),
  );
  openAll(server, options.sequences);
  const { clock, log, webhooks } = options;
  const clientOf = (userAgent: string): Client => apiClient({ handle, token, userAgent });
  const declared = new Map(options.reconcilers.map(({ declaration }) => [declaration.name, declaration]));
  const accounts = functionAccounts({
    client: clientOf('davit-functions'),
    declarations: () => [...declared.values()],
  });
  const run = (one: DefinedReconciler): Reconciler => {
    const { name } = one.declaration;
    const client = apiClient({ handle, token, as: functionUser(name), userAgent: name });
    return runDefined(one, { client, clock, log });
  };
  const failures = failureEvents({ client: clientOf('davit-failures'), clock });
  const invocations = [...(options.invocations ?? []), failures];
  const queues = new Set<Running>();
  const ending = new AbortController();
  const begin = (reconciler: Reconciler, kind?: Kind): Running => {
    const own = new AbortController();
    const silent = kind === undefined ? {} : { reportFault: () => undefined }; // users' faults are told
    const queue = queueOf(reconciler, { ...options, ...silent, invocations }, kind);
    const resyncs = resync(reconciler.resync, {
      clock,
      add: (key) => queue.add(key),
      onFault: (error) => options.reportFault(`${reconciler.name} resync`, error),
      signal: AbortSignal.any([ending.signal, own.signal]),
    });
    const running = { reconciler, queue, end: async () => void (own.abort(), await resyncs, await queue.close()) };
    queues.add(running);
    return running;
  };
  for (const one of builtInReconcilers(server, options.tokens, options)) begin(one);
  const ownAccounts = begin(accounts);
  for (const one of options.reconcilers) begin(run(one), one.declaration.for);
  const admitted = (): Promise<void> =>
    accounts.reconcile('').then(
      () => undefined,
      (error: unknown) => options.reportFault(accounts.name, error),
    );
  if (webhooks !== undefined) {
    const registration = webhookRegistration({ client: clientOf('davit-webhooks'), ...webhooks });
    // Those that are known now are asked from the first request.
    await registration.reconcile('').catch((error: unknown) => options.reportFault(registration.name, error));
    begin(registration);
  }
  const feed = new ChangeFeed(server, options, (change: ObjectChange) => {
    for (const { reconciler, queue } of queues)
      for (const key of reconciler.keys(change)) queue.add(key, ownVersion(reconciler, key, change));
  });
  const start = ({ reconciler, queue }: Running): void => {
    for (const key of reconciler.initial ?? []) queue.add(key);
    reconciler.subscribe?.((key) => queue.add(key));
    queue.start();
  };
  const first = [...queues];
  const listed = feed.start().then(async () => {
    if (declared.size > 0) await admitted();
    first.forEach(start);
  });
  const named = (name: string): readonly Running[] => [...queues].filter(({ reconciler }) => reconciler.name === name);
  return {
    replay(name, object) {
      const found = named(name);
      for (const { queue } of found) queue.add(keyOf(object));
      return found.length > 0;
    },
    redrive(name) {
      const asked = name === undefined ? [...queues] : named(name);
      if (name !== undefined && asked.length === 0) return undefined;
      return asked.reduce((sum, { queue }) => sum + queue.redrive(), 0);
    },
    add(defined) {
      declared.set(defined.declaration.name, defined.declaration);
      const running = begin(run(defined), defined.declaration.for);
      void listed.then(async () => {
        await admitted();
        for (const key of await everything(running.reconciler, options)) running.queue.add(key);
        start(running);
      });
    },
    async remove(name, isReplaced) {
      const found = named(name);
      for (const running of found) queues.delete(running);
      if (!isReplaced && declared.delete(name)) for (const key of accounts.initial ?? []) ownAccounts.queue.add(key);
      await Promise.all(found.map((running) => running.end()));
    },
    async close() {
      ending.abort();
      await feed.close();
      await listed;
      await Promise.all([...queues].map((running) => running.end()));
    },
  };
}

interface Running {
  readonly reconciler: Reconciler;
  readonly queue: WorkQueue;
  /** Nothing of it runs afterwards. */
  end(): Promise<void>;
}

/** Reconcilers that run, until closed. */
export interface RunningControllers extends Operated {
  /** Begins to run one more, for all objects that there are first. */
  add(reconciler: DefinedReconciler): void;
  /** Ends those of a name: nothing of them runs afterwards. Their accounts and roles stay for one that replaces them. */
  remove(name: string, isReplaced: boolean): Promise<void>;
  close(): Promise<void>;
}

/** All keys of one that comes later. Where nothing serves its kind yet, changes will tell. */
async function everything({ name, all }: Reconciler, { reportFault }: ControllersOptions): Promise<readonly string[]> {
  try {
    return (await all?.()) ?? [];
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 404)) reportFault(`${name} start`, error);
    return [];
  }
}

function openAll(server: Apiserver, sequences: readonly string[]): void {
  for (const name of sequences) {
    const [cluster, group = '', resource] = name.split('/');
    if (cluster !== DEFAULT_CLUSTER || group === LEDGERS) continue;
    server.storageOf(resource === undefined ? { group: '', resource: 'namespaces' } : { group, resource });
  }
}

function queueOf(
  reconciler: Reconciler,
  { clock, reportFault, log, queueMetrics, invocations = [] }: ControllersOptions,
  kind: Kind | undefined,
): WorkQueue {
  const onError = (key: string, error: unknown): void => {
    if (!isConflict(error)) reportFault(`${reconciler.name} ${key}`, isRefusal(error) ? error.message : error);
  };
  return new WorkQueue({
    reconciler,
    clock,
    workers: reconciler.maxConcurrent ?? WORKERS,
    random: Math.random,
    onError,
    ...(queueMetrics === undefined ? {} : { metrics: queueMetrics }),
    observe: invocationRecorder({
      clock,
      log,
      sinks: invocations,
      nonce: newUid,
      objectOf: kind === undefined ? referenceOfKey : (_name, key) => declaredObject(kind, key),
      keepsLogs: true,
    }),
  });
}

/** The version of a change of the key's own object; undefined where it was one of something else. */
function ownVersion({ name }: Reconciler, key: string, change: ObjectChange): Version | undefined {
  const object = change.version === undefined ? undefined : objectOfKey(name, key);
  return object !== undefined && isOwnChange(change, object) ? change.version : undefined;
}

function declaredObject({ apiVersion, kind }: Kind, key: string): InvokedFor {
  return { apiVersion, kind, ...requestIn(key) };
}

/** What the API refuses is told by events and conditions: a line is enough, and where it was thrown says nothing. */
const isRefusal = (error: unknown): error is StatusError =>
  error instanceof StatusError && (error.reason === 'Forbidden' || error.reason === 'Invalid');

/** Someone wrote first: the next attempt reads what is there. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'Conflict';
}
