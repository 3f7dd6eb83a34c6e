import type { Version } from '#lib/storage/sequence.ts';
import type { Notes } from './notes.ts';
import type { Result } from './reconciler.ts';

/** One attempt at one key. */
export interface Attempt {
  readonly reconciler: string;
  readonly key: string;
  /** 1 at first. */
  readonly attempt: number;
  /** The version of the change that woke it, where that was one of the key's own object. */
  readonly version?: Version;
}

/** Runs an attempt and sees how it goes: resolves and rejects as `run` does. */
export type Observe = (attempt: Attempt, run: (notes?: Notes) => Promise<Result>) => Promise<Result>;

export const unobserved: Observe = (_attempt, run) => run();
