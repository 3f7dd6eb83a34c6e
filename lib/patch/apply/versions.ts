import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { FieldSet } from './field-set.ts';
import type { TypedSchema } from './schema.ts';

/** An object in one version. */
export interface Versioned {
  readonly object: JsonObject;
  readonly schema: TypedSchema;
  readonly apiVersion: string;
  /** What nobody may own in that version: fields that this endpoint resets. */
  readonly ignored?: FieldSet;
}

/** Shows an object in another version of its kind; undefined where there is no such version (any more). */
export type Convert = (from: Versioned, apiVersion: string) => Versioned | undefined;

/** `convert` that leaves alone what has the version already. Without one, all versions are taken to look the same. */
export function convertWith(convert: Convert = (from, apiVersion) => ({ ...from, apiVersion })): Convert {
  return (from, apiVersion) => (from.apiVersion === apiVersion ? from : convert(from, apiVersion));
}
