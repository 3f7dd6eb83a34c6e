import { createHash } from 'node:crypto';
import type { Undeliverable } from './lane.ts';

/** A change that a lane could not deliver. */
export interface DeadLetter extends Undeliverable {
  readonly lane: string;
  readonly sequence: string;
  /** Milliseconds since 1970 of the last refusal. */
  readonly at: number;
}

/** What could not be delivered, until it is replayed. `dead-letters.conformance.ts` is its suite. Methods throw StoreError. */
export interface DeadLetters {
  /** One more of the same lane, sequence, version and entry takes the place of the first. */
  put(letter: DeadLetter): Promise<void>;
  /** Those there are, of each lane and sequence in the order of versions. */
  all(): AsyncIterable<DeadLetter>;
  remove(letter: DeadLetter): Promise<void>;
}

/** What two letters of the same have in common; sorts by lane, sequence, version. */
export function letterId({ lane, sequence, version, entry = '' }: DeadLetter): string {
  const digest = createHash('sha256').update(entry).digest('base64url').slice(0, 16);
  return `${lane}/${sequence}/${String(version).padStart(16, '0')}/${digest}`;
}
