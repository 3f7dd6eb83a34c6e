import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, nameOf } from '#lib/machinery/meta.ts';

/**
 * Returns the name of the newest class that one of the annotations marks as default. If several are equally old, the first by name wins.
 */
export function defaultClass(classes: readonly JsonObject[], annotations: readonly string[]): string | undefined {
  const marked = classes.filter((one) => annotations.some((annotation) => annotationsOf(one)[annotation] === 'true'));
  const age = (one: JsonObject): number => creationTimeOf(one)?.getTime() ?? 0;
  const [newest] = marked.toSorted((a, b) => age(b) - age(a) || (nameOf(a) < nameOf(b) ? -1 : 1));
  return newest === undefined ? undefined : nameOf(newest);
}
