import type { Version } from '#lib/storage/sequence.ts';
import type { Notes } from './notes.ts';
import type { Result } from './reconciler.ts';

/** The change of a key's own object that woke the key. */
export interface Woken {
  readonly version?: Version;
  readonly uid?: string;
}

/** One attempt at one key. */
export interface Attempt extends Woken {
  readonly reconciler: string;
  readonly key: string;
  /** 1 at first. */
  readonly attempt: number;
  /** The log position of the change that is the reason, `SEQUENCE@VERSION`, where one is. */
  readonly change?: string;
}

/** Runs an attempt and sees how it goes: resolves and rejects as `run` does. */
export type Observe = (attempt: Attempt, run: (notes?: Notes) => Promise<Result>) => Promise<Result>;

/** Runs an attempt and nothing else. */
export const unobserved: Observe = (_attempt, run) => run();
