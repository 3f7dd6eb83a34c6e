import { createHash } from 'node:crypto';
import type { Undeliverable } from './consumer.ts';

/** A change that a consumer could not deliver. */
export interface DeadLetter extends Undeliverable {
  readonly consumer: string;
  readonly sequence: string;
  /** The time of the last refusal in ms since 1970. */
  readonly at: number;
}

/** Changes that could not be delivered, kept until they are replayed. Tested by `dead-letters.conformance.ts`. Methods throw StoreError. */
export interface DeadLetters {
  /** Stores a dead letter. Replaces one with the same consumer, sequence, version and entry. */
  put(deadLetter: DeadLetter): Promise<void>;
  /** Returns all dead letters, ordered by version within each consumer and sequence. */
  all(): AsyncIterable<DeadLetter>;
  remove(deadLetter: DeadLetter): Promise<void>;
}

/** The id of a dead letter, the same for repetitions. Ids sort by consumer, sequence and version. */
export function deadLetterId({ consumer, sequence, version, entry = '' }: DeadLetter): string {
  const digest = createHash('sha256').update(entry).digest('base64url').slice(0, 16);
  return `${consumer}/${sequence}/${String(version).padStart(16, '0')}/${digest}`;
}
