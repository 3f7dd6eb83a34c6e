import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';

/** The phase of a pod, empty if it has none. */
export const phaseOf = ({ status }: Pick<Pod, 'status'>): string => status.phase ?? '';

/** Whether a pod has ended. */
export const isTerminal = (pod: Pick<Pod, 'status'>): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));

/** Whether a pod is neither terminal nor being deleted, so that controllers count it. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !isDeleting(pod);

/** Whether a pod is being deleted but not yet terminal. */
export const isTerminating = (pod: Pod): boolean => !isTerminal(pod) && isDeleting(pod);

const readyCondition = ({ status }: Pod): PodCondition | undefined =>
  status.conditions?.find(({ type }) => type === 'Ready');

/** Whether a pod is ready. */
export const isReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';

/** The time since which a pod is ready, in ms since 1970. Undefined if it is not ready or has no transition time. Throws TimeError. */
export function readySince(pod: Pod): number | undefined {
  const since = isReady(pod) ? readyCondition(pod)?.lastTransitionTime : undefined;
  return typeof since === 'string' ? dateOf(parseTime(since)).getTime() : undefined;
}

/** Whether a pod has been ready for `minReadySeconds` at `now`, in ms since 1970. */
export const isAvailable = (pod: Pod, minReadySeconds: number, now: number): boolean =>
  isReady(pod) && (minReadySeconds === 0 || (readySince(pod) ?? Infinity) + minReadySeconds * 1000 <= now);

/** The time in ms until the next ready pod is available. Undefined if there is none to wait for. */
export function nextAvailability(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = pods.map((pod) => (readySince(pod) ?? -Infinity) + minReadySeconds * 1000 - now);
  const next = Math.min(...waits.filter((wait) => wait > 0));
  return Number.isFinite(next) ? next : undefined;
}
