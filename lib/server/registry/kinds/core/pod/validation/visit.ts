import type { Container, EphemeralContainer, PodSpec } from '#lib/api/types/core.v1.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';

/** A container of any list in a pod. */
export type AnyContainer = Container | EphemeralContainer;

/** The container lists in the order in which upstream visits them. */
const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** All containers of a pod's spec. Empty if the spec is absent. */
export function containersOf(spec: PodSpec | undefined): AnyContainer[] {
  return LISTS.flatMap((list): AnyContainer[] => spec?.[list] ?? []);
}

/** Calls `visit` with every container and its path, and returns all results. */
export function visitContainers<T>(
  spec: PodSpec,
  path: FieldPath,
  visit: (container: AnyContainer, path: FieldPath) => T[],
): T[] {
  return LISTS.flatMap((list) => {
    const containers: readonly AnyContainer[] = spec[list] ?? [];
    return containers.flatMap((container, i) => visit(container, path.child(list).index(i)));
  });
}
