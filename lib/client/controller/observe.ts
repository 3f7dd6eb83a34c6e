import type { Version } from '#lib/storage/sequence.ts';
import type { Notes } from './notes.ts';
import type { Result } from './reconciler.ts';

/** The change of the key's own object that triggered the attempt. */
export interface Woken {
  readonly version?: Version;
  readonly uid?: string;
}

/** One attempt to reconcile one key. */
export interface Attempt extends Woken {
  readonly reconciler: string;
  readonly key: string;
  /** The attempt number, starting at 1. */
  readonly attempt: number;
  /** The log position `SEQUENCE@VERSION` of the change that caused the attempt, if any. */
  readonly change?: string;
}

/** Runs an attempt and observes its outcome. Resolves and rejects as `run` does. */
export type Observe = (attempt: Attempt, run: (notes?: Notes) => Promise<Result>) => Promise<Result>;

/** Runs an attempt without observing it. */
export const unobserved: Observe = (_attempt, run) => run();
