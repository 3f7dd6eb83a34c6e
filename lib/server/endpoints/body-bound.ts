import { withoutManagedFields } from '#lib/api/patch/apply/managed-fields.ts';
import { requestEntityTooLarge, type StatusError } from '#lib/machinery/errors.ts';
import { countValues, tooManyValues } from '#lib/machinery/json.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import type { ObjectScheme } from '#lib/server/registry/resource.ts';

/** Upstream's limit on a request's body, in bytes: 3 MiB. */
export const MAX_BODY = 3 * 1024 * 1024;

/** Returns the 413 for a body above the limit. */
export const bodyTooLarge = (): StatusError => requestEntityTooLarge(`limit is ${MAX_BODY}`);

/**
 * The maximum number of fields and items in a request body. Upstream limits only bytes. This server also limits values, because storing a
 * value takes some microseconds and one request must not delay the others. The largest known definition has 18,000.
 */
export const MAX_VALUES = 50_000;

/**
 * The maximum total length in characters of the paths of all fields and items of a body. Errors, warnings and managed fields contain paths.
 * A field name of 1 MB with 40,000 fields below it would produce 40 GB of paths.
 */
const MAX_PATHS = 32 * 1024 * 1024;

/** Rejects a decoded body whose paths are too long in total, because long names contain many fields. Throws 413. */
export function boundPaths(value: Json): void {
  if (pathsLeft(value, 0, MAX_PATHS) < 0) {
    throw requestEntityTooLarge(`limit is ${MAX_PATHS} characters in the paths of all fields`);
  }
}

/** Subtracts the lengths of all paths below a path of `length` characters from `left`. The result is negative if the paths exceed it. */
function pathsLeft(value: Json, length: number, left: number): number {
  let rest = left;
  if (typeof value !== 'object' || value === null) return rest;
  if (Array.isArray(value)) {
    rest -= value.length * (length + INDEX);
    for (let i = 0; i < value.length && rest >= 0; i++) rest = pathsLeft(value[i] as Json, length + INDEX, rest);
    return rest;
  }
  for (const field in value) {
    if (rest < 0) break;
    const below = length + field.length + 1;
    rest = pathsLeft(value[field] as Json, below, rest - below);
  }
  return rest;
}

/** `[12345]` */
const INDEX = 7;

/**
 * Rejects an object to be written, with its defaults filled in, if it exceeds `MAX_VALUES` or its paths are too long. Throws 413. Managed
 * fields can double the size of an object. They do not count, because the server writes them. New defaults may have made a stored object
 * too large. It can still be replaced by an object that is no larger, so that its finalizers can be removed.
 */
export function boundWritten(object: JsonObject, replaced?: JsonObject): void {
  const own = withoutManagedFields(object);
  const isTooLarge = countValues(own, MAX_VALUES) > MAX_VALUES;
  if (isTooLarge && (replaced === undefined || hasMoreValues(own, withoutManagedFields(replaced))))
    throw tooManyValues(MAX_VALUES);
  boundPaths(own);
}

function hasMoreValues(value: Json, other: Json): boolean {
  const most = countValues(other, Number.MAX_SAFE_INTEGER);
  return countValues(value, most) > most;
}

/**
 * Fills in the defaults of an object to be written, and bounds the result. `replaced` is the object that the write replaces, in the same
 * version. Throws 413.
 */
export function complete(scheme: ObjectScheme, object: JsonObject, replaced?: JsonObject): void {
  scheme.default(object, replaced);
  boundWritten(object, replaced);
}
