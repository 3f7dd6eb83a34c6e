import type { Pod, PodCondition, PodStatus } from '#lib/api/types/core.v1.ts';
import { timeOf } from '#lib/machinery/time-at.ts';

/** Sets the condition DisruptionTarget in the status of a pod that the kubelet terminates. `now` is in milliseconds since 1970. */
export function setDisruptionTarget(pod: Pod, status: PodStatus, message: string, now: number): void {
  const type = 'DisruptionTarget';
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex((one) => one.type === type);
  const held = conditions[index];
  const condition: PodCondition = {
    type,
    observedGeneration: pod.metadata.generation ?? 0,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: held?.status === 'True' ? held.lastTransitionTime : timeOf(now),
    reason: 'TerminationByKubelet',
    message,
  };
  if (index < 0) conditions.push(condition);
  else conditions[index] = condition;
}
