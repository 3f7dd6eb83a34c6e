import { defined } from '#lib/machinery/defined.ts';
import { clone, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { count } from '#lib/machinery/unstructured.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import type { UpdateStrategy } from '../../strategy.ts';

/** Copies `field` from the stored object, because this endpoint may not change it. */
export function keepField<T extends JsonObject>(object: T, old: T, field: keyof T & string): void {
  const fields: JsonObject = object;
  const value = ownField(old, field);
  if (value === undefined) delete fields[field];
  else fields[field] = clone<Json>(value);
}

/** A status endpoint that keeps the spec, and handles metadata like upstream. */
export function statusStrategy<T extends JsonObject>(
  validateUpdate: UpdateStrategy<T>['validateUpdate'],
): UpdateStrategy<T> {
  return {
    prepareForUpdate: (object: JsonObject, old: JsonObject) => keepField(object, old, 'spec'),
    ...defined({ validateUpdate }),
  };
}

/** Returns an error for each of `fields` that exceeds the field `limit`. */
export function notGreater<T extends JsonObject>(
  status: T | undefined,
  path: FieldPath,
  limit: keyof T & string,
  fields: readonly (keyof T & string)[],
  shown: string,
): FieldError[] {
  return fields
    .filter((field) => count(status, field) > count(status, limit))
    .map((field) => invalid(path.child(field), count(status, field), `cannot be greater than ${shown}`));
}

/** `collisionCount` makes revision names unique, so it may only grow. */
export function collisionCountKept(
  status: { collisionCount?: number },
  old: { collisionCount?: number },
  path: FieldPath,
): FieldError[] {
  const before = old.collisionCount;
  const now = status.collisionCount ?? 0;
  if (before === undefined || now >= before) return [];
  return [invalid(path.child('collisionCount'), now, 'cannot be decremented')];
}
