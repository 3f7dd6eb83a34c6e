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
/** The cell of a field that nobody has set. */
export const UNSET = '<unset>';
/** The cell of a value that the object does not tell. */
export const UNKNOWN = '<unknown>';

/** How long ago a decoded time was: `5m`, `<unknown>` where there is none. */
export const since = (time: Time | null | undefined, now: Date): string => elapsed(millisecondsOf(time), now);

/** How long ago the object was created. */
export const age = (object: JsonObject, now: Date): string => elapsed(creationTimeOf(object)?.getTime(), now);

const elapsed = (start: number | undefined, now: Date): string =>
  start === undefined ? UNKNOWN : humanDuration(now.getTime() - start);

/** A map of labels: `a=b,c=d`, in the order of the whole terms. */
export function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const terms = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return terms.sort().join(',') || NONE;
}

/** A label selector as text, `broken` where it is not valid. */
export function labelSelectorText(selector: LabelSelector | null | undefined, broken = '<error>'): string {
  try {
    return selectorText(selectorFromObject(selector ?? undefined));
  } catch (error) {
    if (error instanceof StatusError) return broken;
    throw error;
  }
}

/** As `labelSelectorText`, `<none>` for a selector without conditions. */
export const selectorOrNone = (selector: LabelSelector | null | undefined): string =>
  labelSelectorText(selector) || NONE;

/** The names and the images of a template's containers. */
export function templateContainers(template: PodTemplateSpec | undefined): [names: string, images: string] {
  const containers = template?.spec.containers ?? [];
  return [containers.map(({ name }) => name).join(','), containers.map(({ image = '' }) => image).join(',')];
}

/** The first three of a list, and how many more there are. */
export function firstThree(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(',');
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}
