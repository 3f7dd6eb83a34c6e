import type { Pod, PodCondition, PodStatus } from '#lib/api/types/core.v1.ts';

/** Writes the condition that the kubelet itself ends a pod into its status. The status manager sets the time. */
export function setDisruptionTarget(pod: Pod, status: PodStatus, message: string): void {
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: null,
    reason: 'TerminationByKubelet',
    message,
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
  };
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget');
  status.conditions = [...others, condition];
}
