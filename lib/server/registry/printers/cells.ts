import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import type { LabelSelector } from '#lib/api/types/meta.v1.ts';
import type { Time } from '#lib/api/types/scalars.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { humanDuration } from '#lib/machinery/human-duration.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { selectorFromObject, selectorText } from '#lib/machinery/labels/selector.ts';
import { creationTimeOf } from '#lib/machinery/meta.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';

/** The cell of an empty list or an absent name. */
export const NONE = '<none>';
/** The cell of a field that is not set. */
export const UNSET = '<unset>';
/** The cell of a value that the object does not contain. */
export const UNKNOWN = '<unknown>';

/** The time since a decoded timestamp, for example `5m`. `<unknown>` if the timestamp is absent. */
export const since = (time: Time | null | undefined, now: Date): string => elapsed(millisecondsOf(time), now);

/** The time since the object's creation. */
export const age = (object: JsonObject, now: Date): string => elapsed(creationTimeOf(object)?.getTime(), now);

const elapsed = (start: number | undefined, now: Date): string =>
  start === undefined ? UNKNOWN : humanDuration(now.getTime() - start);

/** A label map as text, for example `a=b,c=d`. Sorted by the whole term. */
export function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const terms = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return terms.sort().join(',') || NONE;
}

/** A label selector as text, or `broken` if it is invalid. */
export function labelSelectorText(selector: LabelSelector | null | undefined, broken = '<error>'): string {
  try {
    return selectorText(selectorFromObject(selector ?? undefined));
  } catch (error) {
    if (error instanceof StatusError) return broken;
    throw error;
  }
}

/** Like `labelSelectorText`, but `<none>` for a selector without conditions. */
export const selectorOrNone = (selector: LabelSelector | null | undefined): string =>
  labelSelectorText(selector) || NONE;

/** The names and the images of a template's containers. */
export function templateContainers(template: PodTemplateSpec | undefined): [names: string, images: string] {
  const containers = template?.spec.containers ?? [];
  return [containers.map(({ name }) => name).join(','), containers.map(({ image = '' }) => image).join(',')];
}

/** The first three entries of a list, followed by the number of remaining entries. */
export function firstThree(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(',');
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}
