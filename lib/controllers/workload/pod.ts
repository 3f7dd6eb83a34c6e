import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';

/** The phase of a pod; empty where it has none. */
export const phaseOf = ({ status }: Pick<Pod, 'status'>): string => status.phase ?? '';

/** Whether a pod has ended. */
export const isTerminal = (pod: Pick<Pod, 'status'>): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));

/** Whether a pod has neither ended nor been asked to end: controllers count it. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !isDeleting(pod);

/** Whether a pod was asked to end, and has not. */
export const isTerminating = (pod: Pod): boolean => !isTerminal(pod) && isDeleting(pod);

const readyCondition = ({ status }: Pod): PodCondition | undefined =>
  status.conditions?.find(({ type }) => type === 'Ready');

/** Whether a pod is ready. */
export const isReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';

/** The time since which a pod is ready, in milliseconds since 1970; undefined where it is not ready or does not tell. Throws TimeError. */
export function readySince(pod: Pod): number | undefined {
  const since = isReady(pod) ? readyCondition(pod)?.lastTransitionTime : undefined;
  return typeof since === 'string' ? dateOf(parseTime(since)).getTime() : undefined;
}

/** Whether a pod has been ready for so many seconds at `now`, in milliseconds since 1970. */
export const isAvailable = (pod: Pod, minReadySeconds: number, now: number): boolean =>
  isReady(pod) && (minReadySeconds === 0 || (readySince(pod) ?? Infinity) + minReadySeconds * 1000 <= now);

/** Milliseconds until the next ready pod is available; undefined where there is none to wait for. */
export function nextAvailability(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = pods.map((pod) => (readySince(pod) ?? -Infinity) + minReadySeconds * 1000 - now);
  const next = Math.min(...waits.filter((wait) => wait > 0));
  return Number.isFinite(next) ? next : undefined;
}
