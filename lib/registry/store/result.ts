import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { StoredObject } from '#lib/storage/storage.ts';

/** What an operation answers: the object as it is stored, or one that never was (a dry run, a Scale, a review). */
export type Result =
  | { readonly stored: StoredObject }
  /** In the version of the request. */
  | { readonly object: JsonObject };

export interface WriteResult {
  readonly result: Result;
  readonly created: boolean;
}
