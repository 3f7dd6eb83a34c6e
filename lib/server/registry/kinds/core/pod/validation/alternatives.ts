import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { FieldError, FieldPath } from '#lib/machinery/validation/field.ts';

/** One of several fields of `T`, exactly one of which must be set. All checks receive the context `C`. */
export interface Alternative<T, C> {
  readonly field: keyof T & string;
  readonly isSet: (object: T) => boolean;
  /** Validates the field at its path. Returns no errors if the field is not set. */
  readonly validate: (object: T, path: FieldPath, context: C) => FieldError[];
}

/** Builds the alternatives of `T` from fields and their validators. `as` is upstream's field name in errors. */
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
