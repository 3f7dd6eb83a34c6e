import type { AttemptMetrics } from '#lib/client/controller/attempt-metrics.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import type { Observe, Woken } from '#lib/client/controller/observe.ts';
import type { QueueMetrics } from '#lib/client/controller/queue-metrics.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { resync } from '#lib/client/controller/resync.ts';
import { WorkQueue } from '#lib/client/controller/work-queue.ts';
import type { Kind } from '#lib/client/typed-client.ts';
import { isOwnChange, objectOfKey, referenceOfKey } from '#lib/controllers/objects-of-keys.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { stringAt } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { keyOf, splitKey } from '#lib/machinery/namespaced-name.ts';
import { newUid } from '#lib/machinery/random.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import type { InvocationSink, InvokedFor } from '#lib/sdk/invocation/invocation.ts';
import { invocationRecorder } from '#lib/sdk/invocation/recorder.ts';

/** The ports and settings of a running reconciler. */
export interface RunOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Receives the queue's depth and latency. Default none. */
  readonly queueMetrics?: QueueMetrics;
  /** Counts attempts of the user's reconcilers. Default none. */
  readonly attempts?: AttemptMetrics;
  /** Each is called with every attempt. Default none. */
  readonly invocations?: readonly InvocationSink[];
  reportFault(auditId: string, error: unknown): void;
}

const WORKERS = 8;

/** One reconciler and its queue. The queue accepts keys from the beginning, and they are processed between `start` and `end`. */
export class RunningReconciler {
  readonly reconciler: Reconciler;
  readonly queue: WorkQueue;
  readonly #kind: Kind | undefined;
  readonly #ending = new AbortController();
  readonly #resyncs: Promise<void>;

  /** Pass `kind` for a user's reconciler, which reports its errors itself. */
  constructor(reconciler: Reconciler, options: RunOptions, kind?: Kind) {
    this.reconciler = reconciler;
    this.#kind = kind;
    this.queue = queueOf(reconciler, options, kind);
    this.#resyncs = resync(reconciler.resync, {
      clock: options.clock,
      add: (key) => this.queue.add(key),
      onFault: (error) => options.reportFault(`${reconciler.name} resync`, error),
      signal: this.#ending.signal,
    });
  }

  tell(change: ObjectChange): void {
    for (const key of this.reconciler.keys(change)) this.queue.add(key, this.#wokenBy(change, key));
  }

  #wokenBy(change: ObjectChange, key: string): Woken {
    const isOwn = this.#kind === undefined ? isOfKey(this.reconciler, key, change) : isOfKind(this.#kind, key, change);
    if (!isOwn) return {};
    const version = change.version === undefined ? {} : { version: change.version };
    return this.#kind === undefined ? version : { ...version, uid: uidOf(change.object()) }; // already parsed to derive the keys
  }

  start(): void {
    for (const key of this.reconciler.initial ?? []) this.queue.add(key);
    this.reconciler.subscribe?.((key) => this.queue.add(key));
    this.queue.start();
  }

  /** Ends the reconciler; none of its code runs afterwards. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#resyncs;
    await this.queue.close();
  }
}

function queueOf(
  reconciler: Reconciler,
  { clock, reportFault, log, queueMetrics, attempts, invocations = [] }: RunOptions,
  kind: Kind | undefined,
): WorkQueue {
  const report = (key: string, error: unknown): void => {
    if (!isConflict(error)) reportFault(`${reconciler.name} ${key}`, error);
  };
  const { name, maxConcurrent: workers = WORKERS } = reconciler;
  const counted = kind === undefined ? undefined : attempts;
  counted?.add(name, workers);
  const recorded = invocationRecorder({
    clock,
    log,
    sinks: invocations,
    nonce: newUid,
    objectOf: kind === undefined ? referenceOfKey : (_name, key) => declaredObject(kind, key),
    keepsLogs: true,
  });
  const observe: Observe = (attempt, run) =>
    counted === undefined ? recorded(attempt, run) : counted.observe(attempt, () => recorded(attempt, run));
  return new WorkQueue({
    reconciler,
    clock,
    workers,
    random: Math.random,
    onError: kind === undefined ? report : () => undefined,
    ...defined({ metrics: queueMetrics }),
    observe,
  });
}

/** Whether a change concerns the object that a built-in reconciler's key names. */
function isOfKey({ name }: Reconciler, key: string, change: ObjectChange): boolean {
  const object = change.version === undefined ? undefined : objectOfKey(name, key);
  return object !== undefined && isOwnChange(change, object);
}

/** Whether a change concerns the object of this kind that a user's reconciler's key names. */
function isOfKind({ apiVersion, kind }: Kind, key: string, change: ObjectChange): boolean {
  if (keyOf(change) !== key || change.group !== parseApiVersion(apiVersion)?.group) return false;
  return stringAt(change.object(), 'kind') === kind;
}

function declaredObject({ apiVersion, kind }: Kind, key: string): InvokedFor {
  return { apiVersion, kind, ...splitKey(key) };
}

/** Another client wrote first, so the next attempt reads the current object. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'Conflict';
}
