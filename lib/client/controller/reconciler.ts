import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ChangeType, Summary, Version } from '#lib/storage/sequence.ts';
import type { Notes } from './notes.ts';

/** One committed change of one object. Changes are delivered at least once, in order per object. */
export interface ObjectChange {
  readonly type: ChangeType;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly ownerReferences: Summary['ownerReferences'];
  /** Whether the stored bytes contain this text: a cheap filter before `object()`. */
  mentions(text: string): boolean;
  /** The object as stored (the last state for DELETED), parsed on first use. */
  object(): JsonObject;
  /** The change's position in the log, if known. */
  readonly version?: Version;
  /** The previous state of a MODIFIED object, if known. */
  previous?(): JsonObject | undefined;
  /** The previous generation, if no more of the previous state is known. */
  readonly previousGeneration?: number;
}

/**
 * Undefined: done until the next change. `requeueAfter`: reconciles again after this time in ms, or earlier on a change. `terminal`: the
 * attempt failed for this reason, and a retry would fail too.
 */
export type Result =
  | { readonly requeueAfter: number; readonly terminal?: undefined }
  | { readonly terminal: string; readonly requeueAfter?: undefined }
  | undefined;

/** The abort reason of signals when the process ends. The next process continues unfinished work. */
export const PROCESS_ENDS = new Error('the process ends');

/**
 * A level-based controller. `keys` is called with every change, in order per object, and returns the affected keys. `reconcile` brings the
 * objects of one key to their desired state. It must be safe to run twice, in any order, and after a crash at any point. A thrown error is
 * retried with backoff.
 */
export interface Reconciler {
  readonly name: string;
  /** Keys that are always reconciled at startup. */
  readonly initial?: readonly string[];
  keys(change: ObjectChange): readonly string[];
  /** Subscribes to events that are not object changes, and adds their keys. */
  subscribe?(add: (key: string) => void): void;
  /** The maximum number of keys that one process reconciles in parallel. Default 8. */
  readonly maxConcurrent?: number;
  /**
   * The minimum time in ms between two reconciliations of a key in the same process, so that one reconciliation covers all changes in
   * between. If three times the duration of the last reconciliation (at most a second) is longer, it applies instead. The first
   * reconciliation starts immediately. Default 0.
   */
  readonly apart?: number;
  /** The keys of all current objects. */
  all?(): Promise<readonly string[]>;
  /** The period in ms after which all keys are reconciled again. */
  readonly resync?: { readonly period: number; keys(): Promise<readonly string[]> };
  /** `signal` aborts when no caller waits for the outcome any more. `notes` collects the log lines of this attempt. */
  reconcile(key: string, signal?: AbortSignal, notes?: Notes): Promise<Result>;
}
