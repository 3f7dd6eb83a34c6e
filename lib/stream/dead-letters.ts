import { createHash } from 'node:crypto';
import type { Undeliverable } from './lane.ts';

/** A change that a lane could not deliver. */
export interface DeadLetter extends Undeliverable {
  readonly lane: string;
  readonly sequence: string;
  /** Milliseconds since 1970 of the last refusal. */
  readonly at: number;
}

/**
 * Changes that could not be delivered, until they are replayed. `dead-letters.conformance.ts` is its suite. Methods
 * throw StoreError.
 */
export interface DeadLetters {
  /** Replaces a letter of the same lane, sequence, version and entry. */
  put(letter: DeadLetter): Promise<void>;
  /** Those there are, of each lane and sequence in the order of versions. */
  all(): AsyncIterable<DeadLetter>;
  remove(letter: DeadLetter): Promise<void>;
}

/** The identity of a letter: the same for repetitions of it. IDs sort by lane, sequence and version. */
export function letterId({ lane, sequence, version, entry = '' }: DeadLetter): string {
  const digest = createHash('sha256').update(entry).digest('base64url').slice(0, 16);
  return `${lane}/${sequence}/${String(version).padStart(16, '0')}/${digest}`;
}
