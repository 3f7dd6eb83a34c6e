import type { Pod } from '#lib/api/types/core.v1.ts';
import { dateOf, parseTime, TimeError } from '#lib/machinery/time.ts';

/** The pod's priority; 0 if it has none. */
export const priorityOf = ({ spec }: Pod): number => spec.priority ?? 0;

/** The pod's start in milliseconds since the epoch, or the current time if it has not started. */
export function startOf({ status: { startTime } }: Pod, now: number): number {
  try {
    return startTime === undefined ? now : dateOf(parseTime(startTime)).getTime();
  } catch (error) {
    if (error instanceof TimeError) return now;
    throw error;
  }
}

/** Sorts the most important pod first: by higher priority, then by earlier start. Upstream's MoreImportantPod. */
export const byImportance =
  (now: number) =>
  (a: Pod, b: Pod): number =>
    priorityOf(b) - priorityOf(a) || startOf(a, now) - startOf(b, now);

/** The earliest start among the pods of the highest priority: upstream's GetEarliestPodStartTime. */
export function earliestStart(pods: readonly Pod[], now: number): number {
  const highest = Math.max(...pods.map(priorityOf));
  return Math.min(...pods.filter((pod) => priorityOf(pod) === highest).map((pod) => startOf(pod, now)));
}
