import type { Client } from '#lib/client/client.ts';
import { eventRecorder } from '#lib/client/events/event-recorder.ts';
import { EventSeries } from '#lib/client/events/event-series.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { type RestMapper, restMapper } from '#lib/client/rest-mapper.ts';
import { type Kind, type KubernetesObject, type TypedClient, typedClient } from '#lib/client/typed-client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { type Condition, findCondition, setCondition } from '#lib/machinery/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { keyOf, splitKey } from '#lib/machinery/namespaced-name.ts';
import { unlessAborted } from '#lib/machinery/wait/unless-aborted.ts';
import { within } from '#lib/machinery/wait/within.ts';
import type { Context, DefinedReconciler } from './define-reconciler.ts';
import { HotLoops } from './hot-loops.ts';
import { type Logger, withFields } from './logger.ts';
import { placeOf } from './place-of.ts';
import { PROCESS_ENDS, type Reconciler, type Result } from './reconciler.ts';
import { type Request, requestsOf } from './requests.ts';
import { Interrupted } from './thread-end.ts';

/** The ports for running a defined reconciler. */
export interface RunPorts {
  /** The client with the reconciler's identity, which is also its field manager. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** The maximum duration of an attempt in ms. Default unlimited. */
  readonly timeout?: number;
  /**
   * Called when an attempt failed because its kind is no longer served. The attempt then counts as done. The callee must reconcile every
   * object once the kind is served again. By default such a failure is handled like any other.
   */
  onUnserved?(): void;
}

interface WithConditions extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The condition that reports the outcome of the last attempt, on kinds with conditions. */
const CONDITION = 'Reconciled';

/** Adapts a defined reconciler to queues. Its keys are `namespace/name`, or only the name for a cluster-scoped kind. */
export function runDefined<T extends KubernetesObject>(
  { declaration, reconcile }: DefinedReconciler<T>,
  ports: RunPorts,
): Reconciler {
  const { client, clock } = ports;
  const mapper = restMapper(client);
  const kind: Kind<T> = { apiVersion: declaration.for.apiVersion, kind: declaration.for.kind };
  const { name: controller, resyncPeriod } = declaration;
  const onError = (error: unknown): void => ports.log.error('an event was not taken', { error: messageOfError(error) });
  const events = eventRecorder({ client, series: new EventSeries(clock), controller, onError });
  const typed = (signal: AbortSignal): TypedClient => typedClient({ client, mapper, fieldManager: controller, signal });
  const loops = new HotLoops();
  const ownLog = withFields(ports.log, { reconciler: controller });
  const all = async (): Promise<string[]> => {
    const { labelSelector = '', namespaces } = declaration.predicates;
    const found = await typed(NEVER).list(kind, { cached: true, labelSelector }).catch(noneIfUnserved);
    const wanted = found.filter(({ metadata }) => namespaces?.includes(metadata.namespace ?? '') ?? true);
    return wanted.map(({ metadata }) => keyOf(requestTo(metadata)));
  };
  return {
    name: controller,
    maxConcurrent: declaration.maxConcurrent,
    keys: (change) => requestsOf(declaration, change).map(keyOf),
    all,
    ...defined({ resync: resyncPeriod === undefined ? undefined : { period: resyncPeriod, keys: all } }),
    async reconcile(key, ending = NEVER, notes = { log: ownLog, read: () => undefined }) {
      const { log } = notes;
      const request = splitKey(key);
      let read: Promise<T | undefined> | undefined;
      const noted = (found: T | undefined): T | undefined => {
        if (found !== undefined) notes.read(found.metadata);
        return found;
      };
      const attempt = (signal: AbortSignal): Promise<Result> => {
        const api = typed(signal);
        const object = (): Promise<T | undefined> => (read ??= api.get(kind, request).then(noted));
        const context: Context<T> = { client: api, object, events, log, clock, signal };
        return reconcile(request, context);
      };
      const told = { reconciler: controller, api: typed(NEVER), kind, request, events, log, clock };
      try {
        const result = resultOf(await withinTime(attempt, ports, ending));
        if (result?.requeueAfter !== undefined) reportLoop(loops, told, await read);
        await (result?.terminal === undefined ? tellSuccess(told, await read) : tellFailure(told, result.terminal));
        return result;
      } catch (error) {
        if (isEnd(ending) || error instanceof Interrupted) throw error;
        if (ports.onUnserved !== undefined && isNotFound(error) && !(await isServed(kind, mapper))) {
          ports.onUnserved();
          return undefined;
        }
        await tellFailure(told, messageOfError(error), placeOf(error));
        throw error;
      }
    },
  };
}

const HOT_LOOP =
  'the reconciler runs more than 10 times a second for an object that does not change; return a longer requeueAfter';

/** Logs an object that a reconciler requeues too often without a change. */
function reportLoop(
  loops: HotLoops,
  { request, clock, log }: { readonly request: Request; readonly clock: Clock; readonly log: Logger },
  found: KubernetesObject | undefined,
): void {
  const version = found?.metadata.resourceVersion ?? '';
  if (loops.isHot(keyOf(request), version, clock.monotonic())) log.error(HOT_LOOP, { ...request });
}

const NEVER = new AbortController().signal;

const isNotFound = (error: unknown): boolean => error instanceof StatusError && error.code === 404;

/** Handles a NotFound error of a list. The kind is then not served, so there are no objects. */
function noneIfUnserved(error: unknown): [] {
  if (!isNotFound(error)) throw error;
  return [];
}

/** Checks whether a kind is served, with fresh discovery. If discovery fails, the kind counts as served. */
async function isServed({ apiVersion, kind }: Kind, mapper: RestMapper): Promise<boolean> {
  mapper.forget();
  return mapper.ofKind(apiVersion, kind).then(
    (served) => served !== undefined,
    () => true,
  );
}

/** Whether the process is ending. The next process continues unfinished work, so this is not a failure. */
const isEnd = ({ aborted, reason }: AbortSignal): boolean => aborted && reason === PROCESS_ENDS;

/**
 * Validates the result of a function, which may not be type-checked. As in controller-runtime, a `requeueAfter` of 0 or less does not
 * requeue. Throws TypeError.
 */
function resultOf(value: unknown): Result {
  if (value === undefined || value === null) return undefined;
  const { requeueAfter, terminal } = value as { readonly requeueAfter?: unknown; readonly terminal?: unknown };
  if (typeof terminal === 'string') return { terminal };
  if (typeof requeueAfter === 'number' && !Number.isNaN(requeueAfter))
    return requeueAfter > 0 ? { requeueAfter } : undefined;
  throw new TypeError('it returned neither undefined, nor { requeueAfter: milliseconds }, nor { terminal: reason }');
}

/** The time in ms for which an aborted attempt may continue. */
const GRACE = 1000;

/** Throws at the time-out, or shortly after the process was asked to end. The client then rejects all further calls. */
function withinTime(
  attempt: (signal: AbortSignal) => Promise<Result>,
  { clock, timeout }: RunPorts,
  ending: AbortSignal,
): Promise<Result> {
  if (timeout === undefined) return attempt(ending);
  const work = (late: AbortSignal): Promise<Result> => attempt(AbortSignal.any([ending, late]));
  const error = (): Error => new Error(`it was not done after ${timeout} ms`);
  const grace = { clock, milliseconds: GRACE };
  return unlessAborted(within(timeout, work, { clock, error }), ending, { grace, error: () => PROCESS_ENDS });
}

const requestTo = ({ namespace = '', name = '' }: KubernetesObject['metadata']): Request => ({ namespace, name });

interface Telling extends Pick<Context<KubernetesObject>, 'events' | 'log' | 'clock'> {
  readonly reconciler: string;
  readonly api: TypedClient;
  readonly kind: Kind;
  readonly request: Request;
}

/** Reports a failure with an Event and a condition on the object, if it still exists. Logs the report if it cannot be written. */
async function tellFailure(telling: Telling, message: string, at?: string): Promise<void> {
  const { api, kind, request, events, log } = telling;
  log.error(message, { reconciler: telling.reconciler, ...request, ...defined({ at }) });
  try {
    const object = await api.get(kind, request);
    if (object === undefined) return;
    await events.event(object, { type: 'Warning', reason: 'ReconcileError', action: 'Reconcile', note: message });
    await tell(telling, object, { status: 'False', reason: 'ReconcileError', message });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    log.error('a failure could not be told', { ...request, error: error.message });
  }
}

/** Clears a reported failure, based on the object that the reconciler itself read. */
async function tellSuccess(telling: Telling, object: WithConditions | undefined): Promise<void> {
  if (findCondition(object?.status?.conditions, CONDITION)?.status !== 'False') return;
  const now: WithConditions | undefined = await telling.api.get(telling.kind, telling.request);
  if (now === undefined) return;
  await tell(telling, now, { status: 'True', reason: 'ReconcileSuccess', message: '' }).catch((error: unknown) => {
    if (!(error instanceof StatusError)) throw error;
    telling.log.error('a success could not be told', { ...telling.request, error: error.message });
  });
}

/** Writes the condition. A kind without conditions drops it, and a kind without a status cannot store it. Neither is an error. */
async function tell(
  { api, kind, request, clock }: Telling,
  object: WithConditions,
  condition: Pick<Condition, 'status' | 'reason' | 'message'>,
): Promise<void> {
  const before = object.status?.conditions;
  const { generation } = object.metadata;
  const observed = defined({ observedGeneration: generation });
  const conditions = setCondition(before, { type: CONDITION, ...condition, ...observed }, clock.now());
  if (conditions === before) return;
  await api.patchStatus(kind, request, { conditions }, object).catch(ignoreNotFound);
}
