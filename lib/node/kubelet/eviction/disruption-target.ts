import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { updatePodCondition } from '#lib/helpers/component-helpers/pod/update-pod-condition.ts';
import { generationOf } from '#lib/machinery/meta.ts';

/** Sets the condition DisruptionTarget in the status of a pod that the kubelet terminates. `now` is in milliseconds since 1970. */
export function setDisruptionTarget(pod: Pod, status: PodStatus, message: string, now: number): void {
  const why = { reason: 'TerminationByKubelet', message };
  const condition = { type: 'DisruptionTarget', observedGeneration: generationOf(pod), status: 'True', ...why };
  status.conditions = updatePodCondition(status.conditions, condition, now);
}
