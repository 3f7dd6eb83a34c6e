import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { dateOf, parseTime, TimeError } from '#lib/machinery/time.ts';
import { count, text } from '#lib/machinery/unstructured.ts';

/** 0 where it says none. */
export const priorityOf = (pod: JsonObject): number => Number(count(objectAt(pod, 'spec'), 'priority'));

/** Since when it runs, milliseconds since the epoch; one that does not yet, since now. */
export function startOf(pod: JsonObject, now: number): number {
  try {
    const start = text(objectAt(pod, 'status'), 'startTime');
    return start === '' ? now : dateOf(parseTime(start)).getTime();
  } catch (error) {
    if (error instanceof TimeError) return now;
    throw error;
  }
}

/** For sorting, most important first: higher priority, then older. Upstream's MoreImportantPod. */
export const byImportance =
  (now: number) =>
  (a: JsonObject, b: JsonObject): number =>
    priorityOf(b) - priorityOf(a) || startOf(a, now) - startOf(b, now);

/** Since when the oldest of those runs that have the highest priority: upstream's GetEarliestPodStartTime. */
export function earliestStart(pods: readonly JsonObject[], now: number): number {
  const highest = Math.max(...pods.map(priorityOf));
  return Math.min(...pods.filter((pod) => priorityOf(pod) === highest).map((pod) => startOf(pod, now)));
}
