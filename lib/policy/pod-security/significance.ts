import type { JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

const imageChanged = (container: JsonObject, before: JsonObject | undefined): boolean =>
  before === undefined || text(container, 'image') !== text(before, 'image');

/** Whether an update of a pod brings anything that has not been judged: an image or a container. */
export function isSignificant(spec: JsonObject, before: JsonObject): boolean {
  for (const field of ['containers', 'initContainers']) {
    const old = items(before, field);
    const now = items(spec, field);
    if (now.length !== old.length || now.some((container, i) => imageChanged(container, old[i]))) return true;
  }
  const debuggers = items(before, 'ephemeralContainers');
  const known = (name: string) => debuggers.find((one) => text(one, 'name') === name);
  return items(spec, 'ephemeralContainers').some((container) =>
    imageChanged(container, known(text(container, 'name'))),
  );
}
