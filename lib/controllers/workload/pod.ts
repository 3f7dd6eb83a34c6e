import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

export const phaseOf = (pod: JsonObject): string => text(objectAt(pod, 'status'), 'phase');

export const isTerminal = (pod: JsonObject): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));

/** Neither ended nor asked to end: what controllers count. */
export const isActive = (pod: JsonObject): boolean => !isTerminal(pod) && !isDeleting(pod);

export const isTerminating = (pod: JsonObject): boolean => !isTerminal(pod) && isDeleting(pod);

const readyCondition = (pod: JsonObject): JsonObject | undefined =>
  items(objectAt(pod, 'status'), 'conditions').find((one) => text(one, 'type') === 'Ready');

export const isReady = (pod: JsonObject): boolean => text(readyCondition(pod), 'status') === 'True';

/** Since when, in milliseconds; undefined where it is not ready or does not tell. */
export function readySince(pod: JsonObject): number | undefined {
  const since = isReady(pod) ? stringAt(readyCondition(pod), 'lastTransitionTime') : undefined;
  return since === undefined ? undefined : dateOf(parseTime(since)).getTime();
}

export const isAvailable = (pod: JsonObject, minReadySeconds: number, now: number): boolean =>
  isReady(pod) && (minReadySeconds === 0 || (readySince(pod) ?? Infinity) + minReadySeconds * 1000 <= now);

/** Milliseconds until the next ready pod is available; undefined where there is none to wait for. */
export function nextAvailability(
  pods: readonly JsonObject[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  const waits = pods.map((pod) => (readySince(pod) ?? -Infinity) + minReadySeconds * 1000 - now);
  const next = Math.min(...waits.filter((wait) => wait > 0));
  return Number.isFinite(next) ? next : undefined;
}
