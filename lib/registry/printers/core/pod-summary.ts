import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, flag, has, items, text } from '#lib/machinery/unstructured.ts';
import { timeAt } from '../cells.ts';

/** What a pod's containers amount to. */
export interface PodSummary {
  readonly reason: string;
  readonly ready: number;
  /** Containers and sidecars; init containers that end do not count. */
  readonly total: number;
  readonly restarts: number;
  /** Milliseconds since 1970; undefined where no restart is known of. */
  readonly restartedAt: number | undefined;
}

interface Restarts {
  readonly restarts: number;
  readonly restartedAt: number | undefined;
}

const NO_RESTARTS: Restarts = { restarts: 0, restartedAt: undefined };

/** Upstream's printPod without the deletion's part: init containers speak first, then the containers, the first loudest. */
export function podSummary(pod: JsonObject): PodSummary {
  const spec = objectAt(pod, 'spec');
  const status = objectAt(pod, 'status');
  const sidecars = sidecarNames(spec);
  const total = items(spec, 'containers').length + sidecars.size;
  const init = initSummary(spec, status, sidecars);
  if (init.reason !== undefined && !isInitialized(status)) {
    return { reason: init.reason, ready: init.ready, total, ...init.all };
  }
  const main = mainSummary(status, init.reason ?? podReason(status));
  const restarts = items(status, 'containerStatuses').reduce(addRestarts, init.sidecars);
  return { reason: main.reason, ready: init.ready + main.ready, total, ...restarts };
}

/** Init containers that go on running beside the others. */
const sidecarNames = (spec: JsonObject | undefined): ReadonlySet<string> =>
  new Set(
    items(spec, 'initContainers')
      .filter((container) => text(container, 'restartPolicy') === 'Always')
      .map((container) => text(container, 'name')),
  );

function podReason(status: JsonObject | undefined): string {
  const gated = items(status, 'conditions').some(
    (condition) => text(condition, 'type') === 'PodScheduled' && text(condition, 'reason') === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : text(status, 'reason') || text(status, 'phase');
}

const isInitialized = (status: JsonObject | undefined): boolean =>
  text(
    items(status, 'conditions').find((condition) => text(condition, 'type') === 'Initialized'),
    'status',
  ) === 'True';

const isReady = (status: JsonObject | undefined): boolean =>
  items(status, 'conditions').some(
    (condition) => text(condition, 'type') === 'Ready' && text(condition, 'status') === 'True',
  );

function addRestarts({ restarts, restartedAt }: Restarts, container: JsonObject): Restarts {
  const ended = timeAt(at(container, 'lastState', 'terminated'), 'finishedAt');
  return {
    restarts: restarts + Number(count(container, 'restartCount')),
    restartedAt: ended === undefined || (restartedAt ?? ended) > ended ? restartedAt : ended,
  };
}

interface InitSummary {
  /** Why the pod is still initializing. */
  readonly reason: string | undefined;
  readonly ready: number;
  readonly all: Restarts;
  readonly sidecars: Restarts;
}

/** Up to the first init container that is not done. */
function initSummary(
  spec: JsonObject | undefined,
  status: JsonObject | undefined,
  sidecarsByName: ReadonlySet<string>,
): InitSummary {
  let [ready, all, sidecars] = [0, NO_RESTARTS, NO_RESTARTS];
  for (const [index, container] of items(status, 'initContainerStatuses').entries()) {
    const sidecar = sidecarsByName.has(text(container, 'name'));
    all = addRestarts(all, container);
    if (sidecar) sidecars = addRestarts(sidecars, container);
    const terminated = at(container, 'state', 'terminated');
    if (terminated !== undefined && Number(count(terminated, 'exitCode')) === 0) continue;
    if (!sidecar || flag(container, 'started') !== true) {
      const reason = `Init:${initReason(container) ?? `${index}/${items(spec, 'initContainers').length}`}`;
      return { reason, ready, all, sidecars };
    }
    if (flag(container, 'ready') === true) ready += 1;
  }
  return { reason: undefined, ready, all, sidecars };
}

function initReason(container: JsonObject): string | undefined {
  const terminated = at(container, 'state', 'terminated');
  if (terminated !== undefined) return endReason(terminated);
  const waiting = text(at(container, 'state', 'waiting'), 'reason');
  return waiting === '' || waiting === 'PodInitializing' ? undefined : waiting;
}

function endReason(terminated: JsonObject): string {
  const reason = text(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = count(terminated, 'signal');
  return Number(signal) === 0 ? `ExitCode:${count(terminated, 'exitCode')}` : `Signal:${signal}`;
}

/** Of the containers that do not run, the first in the list gives the reason. */
function mainSummary(status: JsonObject | undefined, initial: string): { reason: string; ready: number } {
  let [reason, failure, ready] = [initial, '', 0];
  for (const container of items(status, 'containerStatuses').reverse()) {
    const state = objectAt(container, 'state');
    const waiting = text(objectAt(state, 'waiting'), 'reason');
    const terminated = objectAt(state, 'terminated');
    if (waiting !== '') reason = waiting;
    else if (terminated !== undefined) {
      reason = endReason(terminated);
      if (Number(count(terminated, 'exitCode')) !== 0) failure = reason;
    } else if (flag(container, 'ready') === true && has(state, 'running')) ready += 1;
  }
  return { reason: reason === 'Completed' ? completed(status, failure, ready > 0) : reason, ready };
}

/** One container's end is not the pod's while another runs or has failed. */
function completed(status: JsonObject | undefined, failure: string, running: boolean): string {
  if (running && isReady(status)) return 'Running';
  return failure || (running ? 'NotReady' : 'Completed');
}
