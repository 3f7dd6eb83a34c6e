import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { StartFailure } from './kubelet-pods/container-statuses.ts';

const EXCEEDED: StartFailure = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** The reason to end a pod that has been active for too long. `now` is in milliseconds since 1970 (upstream: activeDeadlineHandler). */
export function pastActiveDeadline(pod: Pod, status: PodStatus | undefined, now: number): StartFailure | undefined {
  const { activeDeadlineSeconds } = pod.spec;
  const { startTime } = status ?? pod.status;
  if (activeDeadlineSeconds === undefined || startTime === undefined) return undefined;
  return now - Date.parse(startTime) >= Number(activeDeadlineSeconds) * 1000 ? EXCEEDED : undefined;
}
