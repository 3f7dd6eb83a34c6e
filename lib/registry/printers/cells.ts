import { StatusError } from '#lib/machinery/errors.ts';
import { humanDuration } from '#lib/machinery/human-duration.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { selectorFromObject, selectorText } from '#lib/machinery/labels/selector.ts';
import { metadataOf } from '#lib/machinery/meta.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';
import { at, entries, has, items, text } from '#lib/machinery/unstructured.ts';

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

/** Milliseconds since 1970 of a decoded time; undefined where there is none. */
export function timeAt(object: JsonObject | undefined, field: string): number | undefined {
  const time = text(object, field);
  return time === '' ? undefined : dateOf(parseTime(time)).getTime();
}

/** How long ago the time at `field` was: `5m`, `<unknown>` where there is none. */
export function since(object: JsonObject | undefined, field: string, now: Date): string {
  const time = timeAt(object, field);
  return time === undefined ? UNKNOWN : humanDuration(now.getTime() - time);
}

/** How long ago the object was created. */
export const age = (object: JsonObject, now: Date): string => since(metadataOf(object), 'creationTimestamp', now);

/** The text at `field`, or `otherwise` where it is empty. */
export const textOr = (object: JsonObject | undefined, field: string, otherwise: string): string =>
  text(object, field) || otherwise;

/** The text at `field`, or `otherwise` where it is absent: Go's string pointer. */
export const textUnlessNull = (object: JsonObject | undefined, field: string, otherwise: string): string =>
  has(object, field) ? text(object, field) : otherwise;

/** A map of labels: `a=b,c=d`, in the order of the whole terms. */
export function labelsText(object: JsonObject | undefined, field: string): string {
  const terms = entries(object, field).map(([key, value]) => `${key}=${value}`);
  return terms.sort().join(',') || NONE;
}

/** A `metav1.LabelSelector` as a selector's text, `broken` where it is not valid. */
export function labelSelectorText(object: JsonObject | undefined, field: string, broken = '<error>'): string {
  try {
    return selectorText(selectorFromObject(objectAt(object, field)));
  } catch (error) {
    if (error instanceof StatusError) return broken;
    throw error;
  }
}

/** As `labelSelectorText`, `<none>` where nothing is selected by. */
export const selectorOrNone = (object: JsonObject | undefined, field: string): string =>
  labelSelectorText(object, field) || NONE;

/** The names and the images of the containers of `spec.template`. */
export function templateContainers(spec: JsonObject | undefined): [names: string, images: string] {
  const containers = items(at(spec, 'template', 'spec'), 'containers');
  return [
    containers.map((container) => text(container, 'name')).join(','),
    containers.map((container) => text(container, 'image')).join(','),
  ];
}

/** The first three of a list, and how many more there are. */
export function firstThree(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(',');
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}
