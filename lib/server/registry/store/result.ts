import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { StoredObject } from '#lib/storage/storage.ts';

/** The result of an operation: a stored object, or an object that is not stored (a dry run, a Scale, a review). */
export type Result =
  | { readonly stored: StoredObject }
  /** In the request's version. */
  | { readonly object: JsonObject };

/** The result of a write. */
export interface WriteResult {
  readonly result: Result;
  readonly created: boolean;
}
