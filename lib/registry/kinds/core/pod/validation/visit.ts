import type { JsonObject } from '#lib/machinery/json-value.ts';
import { items } from '#lib/machinery/unstructured.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';

/** The lists of containers, in the order in which upstream visits them. */
const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** All containers of a pod's spec. */
export function containersOf(spec: JsonObject | undefined): JsonObject[] {
  return LISTS.flatMap((list) => items(spec, list));
}

/** What `visit` gives for every container, with the container's path. */
export function visitContainers<T>(
  spec: JsonObject,
  path: FieldPath,
  visit: (container: JsonObject, path: FieldPath) => T[],
): T[] {
  return LISTS.flatMap((list) =>
    items(spec, list).flatMap((container, i) => visit(container, path.child(list).index(i))),
  );
}
