import { StatusError, unclassified } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { FieldSet } from './field-set.ts';
import { problemText } from './form.ts';
import type { TypedSchema } from './schema.ts';
import { validate } from './validate.ts';

/** An object in one version. */
export interface Versioned {
  readonly object: JsonObject;
  readonly schema: TypedSchema;
  readonly apiVersion: string;
  /** The fields that no manager may own in this version, because the endpoint resets them. */
  readonly ignored?: FieldSet;
}

/** Converts an object to another version of its kind. Undefined if the version does not exist or no longer exists. */
export type Convert = (from: Versioned, apiVersion: string) => Versioned | undefined;

/**
 * Wraps `convert` for one write. Skips objects that already have the version, and converts each object only once. Throws a plain 500 if the
 * converted object does not match its type. Unlike a live object, a converted one may contain no duplicate list item. Without `convert`,
 * all versions count as identical.
 */
export function convertWith(convert: Convert | undefined): Convert {
  if (convert === undefined) return (from, apiVersion) => ({ ...from, apiVersion });
  const known = new Map<JsonObject, Map<string, Versioned | undefined>>();
  return (from, apiVersion) => {
    if (from.apiVersion === apiVersion) return from;
    let versions = known.get(from.object);
    if (versions === undefined) known.set(from.object, (versions = new Map()));
    if (!versions.has(apiVersion)) versions.set(apiVersion, checked(convert(from, apiVersion)));
    return versions.get(apiVersion);
  };
}

function checked(converted: Versioned | undefined): Versioned | undefined {
  const problems = converted === undefined ? [] : validate(converted.object, converted.schema);
  if (problems.length > 0) throw unclassified(problemText(problems));
  return converted;
}

/** Returns the result of `run`. If it throws a StatusError without a reason, adds the purpose as a prefix, with upstream's words. */
export function explained<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof StatusError && error.reason === undefined
      ? unclassified(`${what}: ${error.message}`)
      : error;
  }
}
