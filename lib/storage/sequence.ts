import type { StoreError } from './errors.ts';

/**
 * A resource version: epoch · 2^40 + counter. It is below 2^53 and shown as a decimal string. Versions are comparable only within one
 * sequence (KEP-5504).
 */
export type Version = number;

/** The distance between the first versions of two epochs. */
export const EPOCH: Version = 2 ** 40;

/** The epoch number of a version. */
export const epochOf = (version: Version): number => Math.floor(version / EPOCH);

/** The first version of the epoch that follows the version's epoch. */
export const nextEpoch = (version: Version): Version => (epochOf(version) + 1) * EPOCH + 1;

/** The type of a change, as in watch events. */
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The fields of an object that selectors, indexes and predicates read without parsing its body. */
export interface Summary {
  readonly labels: Readonly<Record<string, string>>;
  /** The kind's selectable fields except `metadata.name` and `metadata.namespace`, as text. */
  readonly fields: Readonly<Record<string, string>>;
  readonly generation: number;
  readonly ownerReferences: readonly { readonly uid: string; readonly controller: boolean }[];
}

/** One change of one object. `body` is the object's JSON, stamped with its version (`stamp.ts`). */
export interface Change extends Summary {
  readonly version: Version;
  /** `cluster/group/resource/namespace/name` (`keys.ts`). */
  readonly key: string;
  readonly type: ChangeType;
  /** The object's JSON. For DELETED, the last state, stamped with the version of the deletion. */
  readonly body: Uint8Array;
  readonly previous?: Summary & { readonly version: Version };
  readonly previousBody?: Uint8Array;
  /** Whether a write of the same object would now store it differently, under another encryption key. */
  readonly stale?: boolean;
  /** The reason why the body cannot be read. The body is then empty. */
  readonly damage?: StoreError;
}

/**
 * A change before it gets a position. `stamp` returns its body for the assigned version. The proposer sets `previousBody` if the log may
 * drop the previous change before this one (half the retention, see ARCHITECTURE.md).
 */
export interface Proposal extends Omit<Change, 'version' | 'body' | 'stale' | 'damage'> {
  readonly body: Uint8Array;
}

/** A page of the log. */
export interface LogPage {
  readonly changes: readonly Change[];
  /** The last position covered by this page, empty entries included. Pass it as `after` to the next call. */
  readonly last: Version;
  readonly more: boolean;
}

/** The current state of an object in a snapshot. */
export interface StateEntry {
  readonly key: string;
  readonly version: Version;
  readonly body: Uint8Array;
  /** Like `Change.stale`. */
  readonly stale?: boolean;
  /** Whether `body` is an outline of the body. */
  readonly outline?: boolean;
  /** Like `Change.damage`. */
  readonly damage?: StoreError;
}

/**
 * Computes the outline of a body: the fields that list readers need, if most of the body is something else. Undefined if the body is its
 * own outline. An outline is JSON like the body, with version and labels in the same places.
 */
export type Outline = (key: string, body: Uint8Array) => Uint8Array | undefined;

/** The whole state of a sequence, read page by page. */
export interface Snapshot {
  /** The watermark, read consistently before the first page. Newer log entries must be applied to each key. */
  readonly from: Version;
  /** The entries in key order. An entry may be newer than `from`, but never older than the state at `from`. */
  readonly entries: AsyncIterable<StateEntry>;
}

/** Selects the part of the state in a snapshot: see `Sequence.snapshot`. */
export interface SnapshotOptions {
  readonly prefix: string;
  readonly start?: string;
  readonly outlines?: boolean;
  readonly expected?: number;
  readonly where?: { readonly field: string; readonly value: string };
}

/** The size of the checkpointed state under a prefix. */
export interface Extent {
  /** The watermark, which is read before the sizes. All newer changes are in the log. */
  readonly from: Version;
  readonly objects: number;
  /** The total size of the bodies in bytes. */
  readonly bytes: number;
}

/** The result of an append: the positions that it took, or the winner of the position. */
export type AppendResult =
  | { readonly ok: true; readonly first: Version; readonly last: Version }
  /**
   * Another append took the position, so this append is not in the log and never will be. `winner` contains the changes of the other append
   * if the backend returns them. Otherwise read the log. A backend that cannot identify the entry must not return this result.
   */
  | { readonly ok: false; readonly winner?: readonly Change[]; readonly last?: Version };

/** The durable positions of named log readers. `compact` keeps every entry that one of them still has to read. */
export interface Cursors {
  /** The reader's position; undefined for an unknown reader. */
  cursor(reader: string): Promise<Version | undefined>;
  /** Compare-and-swap. `from` is undefined for a reader's first position. Returns false if the reader is no longer at `from`. */
  moveCursor(reader: string, from: Version | undefined, to: Version): Promise<boolean>;
}

/**
 * One totally ordered log of changes and the resulting state: the contract of every backend (docs/adr/0001). Its test suite is
 * `sequence.conformance.ts`. All methods throw StoreError.
 */
export interface Sequence {
  readonly marks: Cursors;
  /** The last position, linearizable. Never 0, because a new sequence starts with an empty entry at 1. */
  head(): Promise<Version>;
  /**
   * Returns the changes after `after`, oldest first, without gaps. `after` may be within an entry. Returns at most `limit` changes, and
   * fewer if they are large. With `consistent`, includes every append acknowledged before the call. Throws Expired if `after` is below the
   * compacted head. Throws FutureVersion if a consistent read finds `after` above the head.
   */
  readLog(after: Version, options: { limit: number; consistent: boolean }): Promise<LogPage>;
  /**
   * The last position before the changes committed at or after `time` (ms since 1970, on the writer's clock). Pass it as `after` to
   * `readLog` to read all changes since then, as far as the log reaches back.
   */
  positionBefore(time: number): Promise<Version>;
  /**
   * Reads the checkpointed state of the keys that begin with `prefix`, from `start` (inclusive) on. With `outlines`, an entry may have an
   * outline instead of its body. `read` returns the body. `expected` is the number of entries that the caller will read, if known. A
   * backend that charges for each read begins with that many and continues as needed. With `where`, a backend with an index of the field
   * may leave out entries whose field had another value at the watermark and has not got this one since.
   */
  snapshot(options: SnapshotOptions): Promise<Snapshot>;
  /**
   * The size of the checkpointed state under a prefix, without reading its bodies. It may lack checkpoints of the last seconds. A backend
   * that charges for each read uses half of a snapshot's reads. Undefined if the size is unknown, because an older program stored an
   * object, or because bodies are stored differently from how they are read.
   */
  extent(prefix: string): Promise<Extent | undefined>;
  /** Reads the checkpointed item of one key consistently, and a watermark. The item is at least as new as the watermark. */
  read(key: string): Promise<{ from: Version; item?: Omit<StateEntry, 'key'> }>;
  /**
   * Compare-and-swap on the position after `after`: k proposals take after+1 … after+k, and no proposals take after+1 as an empty entry. At
   * most 64 proposals with stamped bodies of 1,572,864 bytes each. `checkProposals` throws TooLarge before anything is stored. After
   * Unavailable, repeat the append with the same `after` and `nonce`. If it had succeeded, it returns ok with the same versions. Throws
   * Expired if `after` is below the compacted head, and FutureVersion if it is above the head.
   */
  append(after: Version, proposals: readonly Proposal[], options: { nonce: string }): Promise<AppendResult>;
  /**
   * Folds the log into the state up to the head at the time of the call. Drops entries older than the retention, except those after a
   * cursor and the last one. Returns the watermark.
   */
  compact(): Promise<Version>;
  /**
   * Starts a new epoch with an empty entry and returns its version. Call it for a restored store before the first request, so that no
   * version is used twice. Every older position is then Expired, and the watermark is at the new version. Cursors are reset to 0 and their
   * readers start over, because they may have read changes that the restore removed and may have missed entries before those.
   */
  raiseEpoch(): Promise<Version>;
  close(): Promise<void>;
}

/** Opens the sequences of one store. The same name returns the same sequence. */
export interface SequenceStore {
  sequence(name: string): Sequence;
  /** The names of the existing sequences, in order. */
  names(): Promise<string[]>;
  close(): Promise<void>;
}
