import type { Container, ContainerStateTerminated, ContainerStatus, Pod } from '#lib/api/types/core.v1.ts';
import { containerShouldRestart } from '#lib/helpers/component-helpers/pod/should-restart.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { isStaticPod } from '../types/pod-update.ts';

/** The reason of containers that wait for a restart of all containers, or were terminated by one. */
export const RESTARTING_ALL_CONTAINERS = 'RestartingAllContainers';

/** The phases that a kubelet reports. */
export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** The inputs of a phase in addition to the pod. */
export interface PhaseFacts {
  /** Statuses of init containers and containers. */
  readonly statuses: readonly ContainerStatus[];
  /** Whether no part of the pod will run again. */
  readonly isTerminal: boolean;
  /** Whether a container other than an init container has started in the sandbox. */
  readonly hasInitialized: boolean;
}

/** The stage of a container's life. */
type Standing = 'unknown' | 'pending' | 'running' | ContainerStateTerminated;

/** The phase for the statuses of containers (upstream: getPhase). */
export function getPhase(pod: Pod, { statuses, isTerminal, hasInitialized }: PhaseFacts): Phase {
  const statusOf = (container: Container): ContainerStatus | undefined =>
    statuses.find(({ name }) => name === container.name);
  const standingOf = (container: Container): Standing => standing(statusOf(container));
  const inits = (pod.spec.initContainers ?? []).filter((one) => !isSidecar(one));
  const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar);
  const main = (pod.spec.containers ?? []).map((one) => ({ container: one, at: standingOf(one) }));
  const ended = main.flatMap(({ container, at }) => (typeof at === 'string' ? [] : [{ container, at }]));
  const isFailed = (one: Container): boolean => {
    const at = standingOf(one);
    return typeof at !== 'string' && at.exitCode !== 0 && !runsAgain(one, pod, at);
  };
  if (inits.some(isFailed)) return 'Failed';
  // A terminated init container counts as done, with any exit code. A failed one that restarts is waiting by its own state.
  const isPendingInit = inits.some((one) => typeof standingOf(one) === 'string');
  const atSidecars = sidecars.map((one) => ({ status: statusOf(one), at: standingOf(one) }));
  const isPendingSidecar = atSidecars.some(
    ({ status, at }) =>
      at === 'pending' || (at === 'unknown' && status !== undefined) || (at === 'running' && status?.started !== true),
  );
  const all = [...atSidecars, ...main].map(({ at }) => at);
  if (isPendingInit || (isPendingSidecar && !hasInitialized) || all.includes('pending')) return 'Pending';
  const isUnknown = all.includes('unknown');
  if (all.includes('running') && !isUnknown) return 'Running';
  if (ended.length === 0 || isUnknown) return 'Pending';
  const isOver =
    (isTerminal && !isStaticPod(pod)) || ended.every(({ container, at }) => !runsAgain(container, pod, at));
  if (!isOver) return 'Running';
  // A container that waits for a restart has not succeeded, even if it exited with 0 before.
  const isSuccess = ended.every(({ container }) => statusOf(container)?.state.terminated?.exitCode === 0);
  return isSuccess ? 'Succeeded' : 'Failed';
}

/** A waiting container that was terminated before counts as terminated. */
function standing(status: ContainerStatus | undefined): Standing {
  if (status === undefined) return 'unknown';
  const { running, terminated, waiting } = status.state;
  if (running !== undefined) return 'running';
  if (terminated !== undefined) return terminated;
  return waiting === undefined ? 'unknown' : (status.lastState.terminated ?? 'pending');
}

const runsAgain = (container: Container, pod: Pod, { exitCode, reason }: ContainerStateTerminated): boolean =>
  containerShouldRestart(container, pod, exitCode) || reason === RESTARTING_ALL_CONTAINERS;
