import type { Change, Version } from '#lib/storage/sequence.ts';

/** A change that could not be delivered. It is kept apart, so that later changes go on. */
export interface Undeliverable {
  readonly version: Version;
  readonly key: string;
  readonly reason: string;
  /** The entry to send, if it could be made. */
  readonly entry?: string;
}

/** One thing that is done with every change. Each lane has a cursor of its own in every log, so that none waits for another. */
export interface Lane {
  /** Names its cursors. */
  readonly reader: string;
  /** Whether changes of a sequence concern it; where not, it has no cursor there. */
  wants(sequence: string): boolean;
  /**
   * Delivers changes in their order, of each key at least; `previousBody` is there wherever the log still has it. Resolves with
   * what is not deliverable. Throws StoreError when nothing more is taken for now: all of it is delivered again then.
   */
  deliver(sequence: string, changes: readonly Change[]): Promise<readonly Undeliverable[]>;
  /** Sends entries of dead letters again; resolves with why each that is refused anew was. */
  resend(entries: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
