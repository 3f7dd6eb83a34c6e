import { createHash } from 'node:crypto';
import type { Undeliverable } from './lane.ts';

/** A change that a lane could not deliver. */
export interface DeadLetter extends Undeliverable {
  readonly lane: string;
  readonly sequence: string;
  /** The time of the last refusal in ms since 1970. */
  readonly at: number;
}

/** Changes that could not be delivered, kept until they are replayed. Tested by `dead-letters.conformance.ts`. Methods throw StoreError. */
export interface DeadLetters {
  /** Stores a dead letter. Replaces one with the same lane, sequence, version and entry. */
  put(letter: DeadLetter): Promise<void>;
  /** Returns all dead letters, ordered by version within each lane and sequence. */
  all(): AsyncIterable<DeadLetter>;
  remove(letter: DeadLetter): Promise<void>;
}

/** The id of a dead letter, the same for repetitions. Ids sort by lane, sequence and version. */
export function letterId({ lane, sequence, version, entry = '' }: DeadLetter): string {
  const digest = createHash('sha256').update(entry).digest('base64url').slice(0, 16);
  return `${lane}/${sequence}/${String(version).padStart(16, '0')}/${digest}`;
}
