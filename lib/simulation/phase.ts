import type { ContainerStateTerminated, ContainerStatus, Pod } from '#lib/api/types/core.v1.ts';
import { containerShouldRestart } from '#lib/helpers/component-helpers/pod/should-restart.ts';
import {
  type Container,
  containersIn,
  exitCodeOf,
  lastTerminationState,
  runningState,
  terminatedState,
} from './container-status.ts';

/** The phases that a kubelet reports. */
export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** Container statuses by name. */
export type Statuses = ReadonlyMap<string, ContainerStatus>;

/** The status of a container. Undefined if it has none. */
export const statusOf = (statuses: Statuses, { spec }: Container): ContainerStatus | undefined =>
  statuses.get(spec.name);

/** A container's last terminated state, if it is not running. */
const endOf = (status: ContainerStatus | undefined): ContainerStateTerminated | undefined =>
  runningState(status) === undefined ? (terminatedState(status) ?? lastTerminationState(status)) : undefined;

/** The phase that container statuses imply (upstream: getPhase). `isOver` means that no container starts again. */
export function phaseOf(pod: Pod, statuses: Statuses, isOver: boolean): Phase {
  const initial = containersIn(pod, 'initContainers');
  const main = containersIn(pod, 'containers');
  const hasRun = main.some((one) => !isUntouched(statusOf(statuses, one)));
  const isFailed = (one: Container): boolean => {
    const end = one.kind === 'init' ? endOf(statusOf(statuses, one)) : undefined;
    return end !== undefined && exitCodeOf(end) !== 0 && !containerShouldRestart(one.spec, pod, exitCodeOf(end));
  };
  if (initial.some(isFailed)) return 'Failed';
  if (initial.some((one) => isPending(one, statusOf(statuses, one), hasRun))) return isOver ? 'Failed' : 'Pending';
  if (main.some((one) => isUntouched(statusOf(statuses, one)))) return isOver ? 'Failed' : 'Pending';
  const all = [...main, ...initial.filter(({ kind }) => kind === 'sidecar')];
  if (all.some((one) => runningState(statusOf(statuses, one)) !== undefined)) return 'Running';
  const ends = main.map((one) => [one, exitCodeOf(endOf(statusOf(statuses, one)))] as const);
  if (!isOver && ends.some(([one, code]) => containerShouldRestart(one.spec, pod, code))) return 'Running';
  return ends.every(([, code]) => code === 0) ? 'Succeeded' : 'Failed';
}

/** Whether the container has not run yet. */
const isUntouched = (status: ContainerStatus | undefined): boolean =>
  runningState(status) === undefined && endOf(status) === undefined;

function isPending({ kind }: Container, status: ContainerStatus | undefined, hasRun: boolean): boolean {
  if (kind === 'init') return endOf(status) === undefined;
  if (isUntouched(status)) return true;
  return !hasRun && runningState(status) !== undefined && status?.started !== true;
}
