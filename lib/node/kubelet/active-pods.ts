import type { Pod } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { PodManager } from './pod/pod-manager.ts';
import type { PodWorkers } from './podworkers/pod-workers.ts';
import type { StatusManager } from './status/status-manager.ts';

/** The sources of a pod's state on the node. */
interface PodStates {
  readonly podManager: Pick<PodManager, 'pods'>;
  readonly podWorkers: Pick<PodWorkers, 'isPodKnownTerminated' | 'isPodTerminationRequested'>;
  readonly statusManager: Pick<StatusManager, 'podStatus'>;
}

/** The admitted pods that have not terminated. They use the node's resources (upstream: GetActivePods). */
export const activePods = (states: PodStates): Pod[] =>
  states.podManager.pods().filter((pod) => !isInactive(pod, states));

function isInactive(pod: Pod, { podWorkers, statusManager }: PodStates): boolean {
  const uid = uidOf(pod);
  if (podWorkers.isPodKnownTerminated(uid)) return true;
  const phases = [pod.status.phase, statusManager.podStatus(uid)?.phase];
  return phases.some(isPodPhaseTerminal) && !podWorkers.isPodTerminationRequested(uid);
}
