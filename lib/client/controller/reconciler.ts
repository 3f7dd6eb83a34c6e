import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ChangeType, Summary, Version } from '#lib/storage/sequence.ts';
import type { Notes } from './notes.ts';

/** One committed change of one object, as reconcilers see it: at least once, in order per object. */
export interface ObjectChange {
  readonly type: ChangeType;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly ownerReferences: Summary['ownerReferences'];
  /** Whether the stored bytes hold this text: a cheap sieve before `object()`. */
  mentions(text: string): boolean;
  /** The object as stored (for DELETED its last state), parsed when first asked for. */
  object(): JsonObject;
  /** Where it stands in its log, where that is known. */
  readonly version?: Version;
  /** Of a MODIFIED the state before it, where that is known. */
  previous?(): JsonObject | undefined;
  /** The generation before it, where that alone is known. */
  readonly previousGeneration?: number;
}

/**
 * Undefined: done until the next change. `requeueAfter`: again in so many milliseconds, if nothing changes before. `terminal`: it
 * failed, for this reason, and another attempt would too.
 */
export type Result =
  | { readonly requeueAfter: number; readonly terminal?: undefined }
  | { readonly terminal: string; readonly requeueAfter?: undefined }
  | undefined;

/** Why signals abort when the process ends: what was begun is left to the next. */
export const PROCESS_ENDS = new Error('the process ends');

/**
 * A level-based controller: `keys` is told every change, in order per object, and says which things it concerns; `reconcile`
 * makes one of them as it should be. It is safe twice, in any order, and after a crash between any two lines; a throw is tried
 * again with backoff.
 */
export interface Reconciler {
  readonly name: string;
  /** Keys to begin with, whatever there is. */
  readonly initial?: readonly string[];
  keys(change: ObjectChange): readonly string[];
  /** Begins to add keys for what no change of an object tells. */
  subscribe?(add: (key: string) => void): void;
  /** Keys that are worked on at once by one process. Default 8. */
  readonly maxConcurrent?: number;
  /**
   * Milliseconds, at least, from the end of a key's turn to its next in the same process: what happens meanwhile is seen at once.
   * Thrice the time that the turn took, up to a second, where that is longer. The first turn waits for nothing. Default 0.
   */
  readonly apart?: number;
  /** Keys of all that there is now. */
  all?(): Promise<readonly string[]>;
  /** All its keys, to be worked on again each so many milliseconds. */
  readonly resync?: { readonly period: number; keys(): Promise<readonly string[]> };
  /** `signal` aborts when nobody waits for the outcome any more; `notes` keeps what is said of this attempt. */
  reconcile(key: string, signal?: AbortSignal, notes?: Notes): Promise<Result>;
}
