import type {
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodSpec,
  PodStatus,
} from '#lib/api/types/core.v1.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { findCondition, isConditionTrue } from '#lib/machinery/conditions.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';

/** The combined state of a pod's containers. */
export interface PodSummary {
  readonly reason: string;
  readonly ready: number;
  /** The number of containers and sidecars. Other init containers do not count. */
  readonly total: number;
  readonly restarts: number;
  /** The time of the last restart in ms since 1970. Undefined if no restart is known. */
  readonly restartedAt: number | undefined;
}

interface Restarts {
  readonly restarts: number;
  readonly restartedAt: number | undefined;
}

const NO_RESTARTS: Restarts = { restarts: 0, restartedAt: undefined };

/**
 * Upstream's printPod without the part about deletion. Init containers take precedence over containers, and earlier containers over later
 * ones.
 */
export function podSummary({ spec, status }: Pod): PodSummary {
  const sidecars = sidecarNames(spec);
  const total = (spec.containers ?? []).length + sidecars.size;
  const init = initSummary(spec, status, sidecars);
  if (init.reason !== undefined && !isConditionTrue(status.conditions, 'Initialized')) {
    return { reason: init.reason, ready: init.ready, total, ...init.all };
  }
  const main = mainSummary(status, init.reason ?? podReason(status));
  const restarts = (status.containerStatuses ?? []).reduce(addRestarts, init.sidecars);
  return { reason: main.reason, ready: init.ready + main.ready, total, ...restarts };
}

/** The names of init containers that keep running next to the main containers. */
const sidecarNames = ({ initContainers = [] }: PodSpec): ReadonlySet<string> =>
  new Set(initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name));

function podReason({ conditions = [], reason, phase }: PodStatus): string {
  const gated = findCondition(conditions, 'PodScheduled')?.reason === GATED;
  return gated ? GATED : reason || (phase ?? '');
}
const GATED = 'SchedulingGated';

function addRestarts({ restarts, restartedAt }: Restarts, { lastState, restartCount }: ContainerStatus): Restarts {
  const ended = millisecondsOf(lastState.terminated?.finishedAt);
  return {
    restarts: restarts + restartCount,
    restartedAt: ended === undefined || (restartedAt ?? ended) > ended ? restartedAt : ended,
  };
}

interface InitSummary {
  /** The reason why the pod is still initializing. */
  readonly reason: string | undefined;
  readonly ready: number;
  readonly all: Restarts;
  readonly sidecars: Restarts;
}

/** Evaluates the statuses up to the first init container that has not completed. */
function initSummary(spec: PodSpec, status: PodStatus, sidecarsByName: ReadonlySet<string>): InitSummary {
  let [ready, all, sidecars] = [0, NO_RESTARTS, NO_RESTARTS];
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    const sidecar = sidecarsByName.has(container.name);
    all = addRestarts(all, container);
    if (sidecar) sidecars = addRestarts(sidecars, container);
    if (container.state.terminated?.exitCode === 0) continue;
    if (!sidecar || container.started !== true) {
      const reason = `Init:${initReason(container.state) ?? `${index}/${spec.initContainers?.length ?? 0}`}`;
      return { reason, ready, all, sidecars };
    }
    if (container.ready) ready += 1;
  }
  return { reason: undefined, ready, all, sidecars };
}

function initReason({ terminated, waiting }: ContainerState): string | undefined {
  if (terminated !== undefined) return endReason(terminated);
  const reason = waiting?.reason ?? '';
  return reason === '' || reason === 'PodInitializing' ? undefined : reason;
}

const endReason = ({ reason, signal = 0, exitCode }: ContainerStateTerminated): string =>
  reason || (signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`);

/** The reason comes from the first listed container that is not running. */
function mainSummary(status: PodStatus, initial: string): { reason: string; ready: number } {
  let [reason, failure, ready] = [initial, '', 0];
  for (const { state, ready: isUp } of (status.containerStatuses ?? []).toReversed()) {
    const { waiting, terminated, running } = state;
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated !== undefined) {
      reason = endReason(terminated);
      if (terminated.exitCode !== 0) failure = reason;
    } else if (isUp && running !== undefined) ready += 1;
  }
  return { reason: reason === 'Completed' ? completed(status, failure, ready > 0) : reason, ready };
}

/** A completed container does not make the pod `Completed` if another container is running or has failed. */
function completed(status: PodStatus, failure: string, running: boolean): string {
  if (running && isPodReady({ status })) return 'Running';
  return failure || (running ? 'NotReady' : 'Completed');
}
