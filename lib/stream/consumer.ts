import type { Change, Version } from '#lib/storage/sequence.ts';

/** A change that could not be delivered. It is stored separately, so that later changes proceed. */
export interface Undeliverable {
  readonly version: Version;
  readonly key: string;
  readonly reason: string;
  /** The entry to send, if it could be built. */
  readonly entry?: string;
}

/** A consumer of all changes. Each consumer has its own cursor in every log, so no consumer waits for another. */
export interface Consumer {
  /** The name of its cursors. */
  readonly reader: string;
  /** Whether the consumer needs changes of a sequence. If not, it has no cursor there. */
  wants(sequence: string): boolean;
  /**
   * Delivers changes in order, at least for each key. `previousBody` is set if the log still has it. Resolves with the undeliverable
   * changes. Throws StoreError if the target temporarily accepts no more changes. All changes are then delivered again.
   */
  deliver(sequence: string, changes: readonly Change[]): Promise<readonly Undeliverable[]>;
  /** Resends the entries of dead letters. Resolves with the reason for each entry that is refused again. */
  resend(entries: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
