import type { Version } from '#lib/storage/sequence.ts';
import type { Logger } from './define-reconciler.ts';
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

/** What a reconciler says during an attempt, so that it is found with it. */
export interface Notes {
  readonly log: Logger;
  /** Which state of the object it goes by. */
  read(metadata: { readonly uid?: string; readonly resourceVersion?: string }): void;
}

/** Runs an attempt and sees how it goes: resolves and rejects as `run` does. */
export type Observe = (attempt: Attempt, run: (notes?: Notes) => Promise<Result>) => Promise<Result>;

export const unobserved: Observe = (_attempt, run) => run();
