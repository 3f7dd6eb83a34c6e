import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { FieldError, FieldPath } from '#lib/machinery/validation/field.ts';

/** One of several fields of `T` of which an object sets exactly one. `C` is known to all of their checks. */
export interface Alternative<T, C> {
  readonly field: keyof T & string;
  readonly isSet: (object: T) => boolean;
  /** Errors of the field's value, at the path of the field; none where it is not set. */
  readonly validate: (object: T, path: FieldPath, context: C) => FieldError[];
}

/** Makes alternatives of `T`, each of a field and the check of its value. `as` is upstream's name of the field in errors. */
export const alternativesOf =
  <T extends JsonObject, C = undefined>() =>
  <F extends keyof T & string>(
    field: F,
    check: (value: NonNullable<T[F]>, path: FieldPath, context: C) => FieldError[],
    as: string = field,
  ): Alternative<T, C> => ({
    field,
    isSet: (object) => object[field] !== undefined,
    validate: (object, path, context) => {
      const value = object[field];
      return value === undefined || value === null ? [] : check(value, path.child(as), context);
    },
  });
