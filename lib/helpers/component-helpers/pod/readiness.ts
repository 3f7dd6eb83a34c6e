import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';

/** The Ready condition of a pod. Undefined if it has none (upstream: GetPodReadyCondition). */
export const podReadyCondition = ({ status }: Pick<Pod, 'status'>): PodCondition | undefined =>
  findCondition(status.conditions, 'Ready');

/** Whether a pod is ready (upstream: IsPodReady). */
export const isPodReady = (pod: Pick<Pod, 'status'>): boolean => podReadyCondition(pod)?.status === 'True';

/** The time in ms since 1970 at which a pod became ready. Undefined if it is not ready or has no transition time. Throws TimeError. */
export function podReadySince(pod: Pod): number | undefined {
  const since = isPodReady(pod) ? podReadyCondition(pod)?.lastTransitionTime : undefined;
  return typeof since === 'string' ? dateOf(parseTime(since)).getTime() : undefined;
}

/** Whether a pod has been ready for `minReadySeconds` at the time `now` in ms since 1970 (upstream: IsPodAvailable). */
export const isPodAvailable = (pod: Pod, minReadySeconds: number, now: number): boolean =>
  isPodReady(pod) && (minReadySeconds === 0 || (podReadySince(pod) ?? Infinity) + minReadySeconds * 1000 <= now);
