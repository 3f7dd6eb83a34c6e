import { withoutManagedFields } from '#lib/api/patch/apply/managed-fields.ts';
import { requestEntityTooLarge, type StatusError } from '#lib/machinery/errors.ts';
import { bounded } from '#lib/machinery/json.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';

/** Upstream's limit on a request's body, in bytes: 3 MiB. */
export const MAX_BODY = 3 * 1024 * 1024;

/** The 413 of a body above the limit. */
export const bodyTooLarge = (): StatusError => requestEntityTooLarge(`limit is ${MAX_BODY}`);

/**
 * How many fields and items a request's body may hold. Upstream bounds its bytes alone; here one request must not keep the
 * others waiting, and each value costs some microseconds until it is stored. The largest known definition holds 18,000.
 */
export const MAX_VALUES = 50_000;

/**
 * How many characters the paths of all fields and items of a body may have together. Errors, warnings and managed fields have
 * paths: a name of a megabyte above 40,000 fields would make 40 GB of them.
 */
const MAX_PATHS = 32 * 1024 * 1024;

/** Refuses a decoded body for long names above many fields. Throws 413. */
export function boundPaths(value: Json): void {
  if (pathsLeft(value, 0, MAX_PATHS) < 0) {
    throw requestEntityTooLarge(`limit is ${MAX_PATHS} characters in the paths of all fields`);
  }
}

/** How many of `left` characters the paths leave, below a path of `length`; negative if there are more. */
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
 * Refuses a written object, its defaults filled in, that holds more than `MAX_VALUES` or has too long paths. Throws 413. Managed fields can double an
 * object; they are the server's own and do not count against the client's limit.
 */
export function boundWritten(object: JsonObject): void {
  const own = withoutManagedFields(object);
  bounded(own, MAX_VALUES);
  boundPaths(own);
}
