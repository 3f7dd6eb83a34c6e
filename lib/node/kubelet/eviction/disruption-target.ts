import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { withDisruptionTarget } from '#lib/helpers/component-helpers/pod/disruption-target.ts';

/** Sets the condition DisruptionTarget in the status of a pod that the kubelet terminates. `now` is in milliseconds since 1970. */
export function setDisruptionTarget(pod: Pod, status: PodStatus, message: string, now: number): void {
  status.conditions = withDisruptionTarget(pod, status.conditions, { reason: 'TerminationByKubelet', message }, now);
}
