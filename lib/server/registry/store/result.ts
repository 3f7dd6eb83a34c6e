import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { StoredObject } from '#lib/storage/storage.ts';

/** The answer of an operation: the object as it is stored, or one that is not stored (a dry run, a Scale, a review). */
export type Result =
  | { readonly stored: StoredObject }
  /** In the version of the request. */
  | { readonly object: JsonObject };

/** The result of a write. */
export interface WriteResult {
  readonly result: Result;
  readonly created: boolean;
}
