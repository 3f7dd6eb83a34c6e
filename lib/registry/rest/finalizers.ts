import { finalizersOf } from '#lib/machinery/meta.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { FieldPath, invalid, type FieldError } from '#lib/machinery/validation/field.ts';
import type { ResourceDefinition } from '../resource.ts';

const PATH = FieldPath.of('metadata').child('finalizers');
/** Finalizers that need no domain in their name. */
const STANDARD: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
/** Groups whose validation upstream keeps apart from the core's: they take any qualified name. */
const LENIENT: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
]);

/** Built-in kinds take only finalizers that say whose they are: upstream's core ValidateFinalizerName. */
export function finalizerErrors({ custom, resource }: ResourceDefinition, object: JsonObject): FieldError[] {
  if (custom || LENIENT.has(resource.group)) return [];
  return finalizersOf(object).flatMap((name, i) =>
    name.includes('/') || STANDARD.has(name)
      ? []
      : [invalid(PATH.index(i), name, 'name is neither a standard finalizer name nor is it fully qualified')],
  );
}
