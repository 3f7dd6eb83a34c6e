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
  /** The fields that no manager may own in that version: fields that this endpoint resets. */
  readonly ignored?: FieldSet;
}

/** Shows an object in another version of its kind; undefined where there is no such version (any more). */
export type Convert = (from: Versioned, apiVersion: string) => Versioned | undefined;

/**
 * `convert` for one write: what has the version already is left alone, and each object is converted once. Throws a plain 500
 * where the converted object has not its type; unlike a live one it may hold no list item twice. Without `convert`, all
 * versions are taken to look the same.
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

/** Returns the result of `run`. A StatusError without a reason gets a prefix that names the purpose, in upstream's words. */
export function explained<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof StatusError && error.reason === undefined
      ? unclassified(`${what}: ${error.message}`)
      : error;
  }
}
