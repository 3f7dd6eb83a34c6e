import type { ContainerStatus, Pod } from '#lib/api/types/core.v1.ts';
import { containerShouldRestart } from '#lib/helpers/component-helpers/pod/should-restart.ts';
import type { Behaviour } from './behaviour.ts';
import {
  type Container,
  containersIn,
  endedStatus,
  exitCodeOf,
  lastTerminationState,
  lostStatus,
  runningState,
  terminatedState,
} from './container-status.ts';
import type { Statuses } from './phase.ts';
import { runContainer } from './run-container.ts';

/** The new statuses of all containers by name, and the time of the next change (as in Step). */
export interface Steps {
  readonly statuses: Statuses;
  readonly due: number;
}

interface Turn {
  readonly behaviour: Behaviour;
  readonly now: number;
  readonly hasSandbox: boolean;
}

const nameIn = ({ spec }: Container): string => spec.name;

/** The stored statuses of the pod's containers. */
export function knownStatuses(pod: Pod): Statuses {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
  const all = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  return new Map(all.map((one) => [one.name, one]));
}

/** Runs init containers one after the other, with sidecars continuing in the background, then all other containers. */
export function runContainers(pod: Pod, { behaviour, now, hasSandbox }: Turn): Steps {
  const known = knownStatuses(pod);
  const initial = containersIn(pod, 'initContainers');
  const waitingFor = initial.length === 0 ? 'ContainerCreating' : 'PodInitializing';
  const statuses = new Map<string, ContainerStatus>();
  const dues = [Infinity];
  let mayStart = hasSandbox;
  const run = (container: Container): ContainerStatus => {
    const step = runContainer(container, known.get(nameIn(container)), { behaviour, now, mayStart, waitingFor });
    statuses.set(nameIn(container), step.status);
    dues.push(step.due);
    return step.status;
  };
  for (const container of initial) {
    const status = run(container);
    mayStart &&= status[container.kind === 'sidecar' ? 'started' : 'ready'] === true;
  }
  for (const container of containersIn(pod, 'containers')) run(container);
  mayStart = hasSandbox;
  for (const container of containersIn(pod, 'ephemeralContainers')) run(container);
  return { statuses, due: Math.min(...dues) };
}

/** Whether all main containers have ended for good, or an init container has failed. Sidecars then end too. */
export function isFinished(pod: Pod, statuses: Statuses): boolean {
  const isEnded = (container: Container): boolean => {
    const end = terminatedState(statuses.get(nameIn(container)));
    return end !== undefined && !containerShouldRestart(container.spec, pod, exitCodeOf(end));
  };
  const isFailed = (container: Container): boolean =>
    container.kind === 'init' &&
    isEnded(container) &&
    exitCodeOf(terminatedState(statuses.get(nameIn(container)))) !== 0;
  return containersIn(pod, 'initContainers').some(isFailed) || containersIn(pod, 'containers').every(isEnded);
}

/** Ends every running container. If the pod was initialized, containers that never ran count as lost. */
export function stopContainers(pod: Pod, statuses: Statuses, exitCode: number, now: number): Statuses {
  const initial = containersIn(pod, 'initContainers');
  const isInitialized = initial.every(
    (one) => statuses.get(nameIn(one))?.[one.kind === 'sidecar' ? 'started' : 'ready'] === true,
  );
  const stop = (container: Container): readonly (readonly [string, ContainerStatus])[] => {
    const status = statuses.get(nameIn(container));
    if (status === undefined) return [];
    return [[nameIn(container), stopped(container, status, { exitCode, now, isInitialized })]];
  };
  const all = [...initial, ...containersIn(pod, 'containers'), ...containersIn(pod, 'ephemeralContainers')];
  return new Map(all.flatMap(stop));
}

function stopped(
  container: Container,
  status: ContainerStatus,
  { exitCode, now, isInitialized }: { exitCode: number; now: number; isInitialized: boolean },
): ContainerStatus {
  if (runningState(status) !== undefined) return endedStatus(container, status, exitCode, now);
  if (terminatedState(status) !== undefined) return status;
  const last = lastTerminationState(status);
  if (last !== undefined) return { ...status, state: { terminated: last }, lastState: {} };
  return isInitialized && container.kind === 'main' ? lostStatus(status) : status;
}
