import type { ContainerStatus, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { unknownEnd } from '../kubelet-pods/container-status.ts';
import { isStaticPod } from '../types/pod-update.ts';

/** The last status of a pod: containers without an observed exit have failed, and the phase is terminal (upstream: TerminatePod). */
export function terminatedStatus(pod: Pod, held: PodStatus): PodStatus {
  const status = clone(held);
  if (hasPodInitialized(pod)) for (const one of status.containerStatuses ?? []) end(one);
  for (const one of startedOf(status.initContainerStatuses ?? [])) end(one);
  if (!isStaticPod(pod) && !isPodPhaseTerminal(status.phase)) status.phase = 'Failed';
  return status;
}

function end(status: ContainerStatus): void {
  if (status.state.terminated === undefined) status.state = unknownEnd();
}

/** Whether a container other than an init container may have started. */
function hasPodInitialized({ spec, status }: Pod): boolean {
  const { initContainers = [] } = spec;
  if (initContainers.length === 0) return true;
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  if (
    containerStatuses.some(({ state, lastState }) => lastState.terminated !== undefined || state.waiting === undefined)
  )
    return true;
  const last = initContainerStatuses.at(-1);
  const container = initContainers[initContainerStatuses.length - 1];
  if (last === undefined || container === undefined || container.name !== last.name) return false;
  if (isSidecar(container)) return last.state.running !== undefined && last.started === true;
  return last.lastState.terminated?.exitCode === 0 || last.state.terminated?.exitCode === 0;
}

/** The init containers up to the last one that started, at least the first one. */
function startedOf(statuses: readonly ContainerStatus[]): readonly ContainerStatus[] {
  const last = statuses.findLastIndex(
    ({ state, lastState }) => state.waiting === undefined || lastState.terminated !== undefined,
  );
  return statuses.slice(0, Math.max(0, last) + 1);
}
