import type { StoreError } from './errors.ts';

/** epoch · 2^40 + counter: below 2^53, shown as a decimal string. Comparable within one sequence only (KEP-5504). */
export type Version = number;

/** The distance between the first versions of two epochs. */
export const EPOCH: Version = 2 ** 40;

/** The number of the epoch that a version is of. */
export const epochOf = (version: Version): number => Math.floor(version / EPOCH);

/** The first version of the epoch behind that of a version. */
export const nextEpoch = (version: Version): Version => (epochOf(version) + 1) * EPOCH + 1;

/** The type of a change, as watch events name it. */
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The fields of an object that selectors, indexes and predicates read, so that they need not parse its body. */
export interface Summary {
  readonly labels: Readonly<Record<string, string>>;
  /** The kind's selectable fields other than `metadata.name` and `metadata.namespace`, rendered as text. */
  readonly fields: Readonly<Record<string, string>>;
  readonly generation: number;
  readonly ownerReferences: readonly { readonly uid: string; readonly controller: boolean }[];
}

/** One change of one object. `body` is the object's JSON with its version stamped in (`stamp.ts`). */
export interface Change extends Summary {
  readonly version: Version;
  /** `cluster/group/resource/namespace/name` (`keys.ts`). */
  readonly key: string;
  readonly type: ChangeType;
  /** Of a DELETED: the last state, stamped with the deletion's version. */
  readonly body: Uint8Array;
  readonly previous?: Summary & { readonly version: Version };
  readonly previousBody?: Uint8Array;
  /** A write of the same object would store it otherwise: under another key of encryption. */
  readonly stale?: boolean;
  /** Why the body cannot be read: it is empty then. */
  readonly damage?: StoreError;
}

/**
 * A change before it has a position: `stamp` gives its body for the version that it gets. Who proposes decides about
 * `previousBody`: it is there when the log may drop the previous change before this one (architecture: half the retention).
 */
export interface Proposal extends Omit<Change, 'version' | 'body' | 'stale' | 'damage'> {
  readonly body: Uint8Array;
}

/** A page of the log. */
export interface LogPage {
  readonly changes: readonly Change[];
  /** The last position that this page covers, empty entries included: the `after` of the next call. */
  readonly last: Version;
  readonly more: boolean;
}

/** The current state of an object in a snapshot. */
export interface StateEntry {
  readonly key: string;
  readonly version: Version;
  readonly body: Uint8Array;
  /** As of a change. */
  readonly stale?: boolean;
  /** `body` is an outline of the body. */
  readonly outline?: boolean;
  /** As of a change. */
  readonly damage?: StoreError;
}

/**
 * Computes the outline of a body: the fields that readers of lists need, if most of the body is something else.
 * Undefined if the body is its own outline. An outline is JSON as the body is, with version and labels in the same
 * places.
 */
export type Outline = (key: string, body: Uint8Array) => Uint8Array | undefined;

/** The whole state of a sequence, read page by page. */
export interface Snapshot {
  /** The watermark, read consistently before the first page: replay what is newer per key. */
  readonly from: Version;
  /** In key order; an entry may be newer than `from`, never older than the state at `from`. */
  readonly entries: AsyncIterable<StateEntry>;
}

/** The part of the state that a snapshot is of: see `Sequence.snapshot`. */
export interface SnapshotOptions {
  readonly prefix: string;
  readonly start?: string;
  readonly outlines?: boolean;
  readonly expected?: number;
  readonly where?: { readonly field: string; readonly value: string };
}

/** The size of the checkpointed state under a prefix. */
export interface Extent {
  /** The watermark, read before: what is newer is in the log. */
  readonly from: Version;
  readonly objects: number;
  /** The bytes of their bodies. */
  readonly bytes: number;
}

/** The result of an append: the positions that it took, or that another append took the place. */
export type AppendResult =
  | { readonly ok: true; readonly first: Version; readonly last: Version }
  /**
   * Another took the position, so this append is not and will never be in the log. `winner` is what took it, where the
   * backend tells; else read the log. A backend that cannot tell whose entry is there must not answer this.
   */
  | { readonly ok: false; readonly winner?: readonly Change[]; readonly last?: Version };

/** The named readers of a log, over restarts: `compact` drops nothing that one of them has still to read. */
export interface Cursors {
  /** Where the reader is; undefined for one that never was. */
  cursor(reader: string): Promise<Version | undefined>;
  /** Compare-and-swap; `from` is undefined for a reader's first. False when it is no longer at `from`. */
  moveCursor(reader: string, from: Version | undefined, to: Version): Promise<boolean>;
}

/**
 * One totally ordered log of changes and the state that it adds up to: the contract of every backend
 * (docs/adr/0001). `sequence.conformance.ts` is its suite. All methods throw StoreError.
 */
export interface Sequence {
  readonly marks: Cursors;
  /** The last position; linearizable. A new sequence is born with an empty entry at 1, so it is never 0. */
  head(): Promise<Version>;
  /**
   * Changes behind `after`, oldest first, without a hole; `after` may be within an entry. At most `limit` changes, and fewer
   * where they are large. `consistent` sees every append acknowledged before the call.
   * Expired when `after` is below the compacted head; FutureVersion when a consistent read finds `after` above the head.
   */
  readLog(after: Version, options: { limit: number; consistent: boolean }): Promise<LogPage>;
  /**
   * The last position before what was committed at `time` (milliseconds since 1970, by its writer's clock) or later: the `after` of a
   * `readLog` of all that came since, as far as the log reaches back.
   */
  positionBefore(time: number): Promise<Version>;
  /**
   * The checkpointed state of the keys that begin with `prefix`, from `start` (inclusive) on. With `outlines`, an entry may
   * have an outline in place of its body, which `read` gives. `expected` is how many entries the caller will take, if it knows: a
   * backend that is paid by what it reads begins with so many, and reads on where more are taken. With `where`, a backend that has an
   * index of the field may leave out entries whose field had another value at the watermark and has not got this one since.
   */
  snapshot(options: SnapshotOptions): Promise<Snapshot>;
  /**
   * The extent of the checkpointed state under a prefix, without its bodies; it may lack what was checkpointed in the last seconds.
   * A backend that is paid by what it reads takes half of what a snapshot takes. Undefined where the backend cannot tell: an older
   * program stored an object, or bodies are stored otherwise than they are read.
   */
  extent(prefix: string): Promise<Extent | undefined>;
  /** The checkpointed item of one key and the watermark that it is at least as new as; read consistently. */
  read(key: string): Promise<{ from: Version; item?: Omit<StateEntry, 'key'> }>;
  /**
   * Compare-and-swap on the position behind `after`: k proposals get after+1 … after+k (none: one empty entry, which takes
   * after+1). At most 64 proposals of 1,572,864 bytes of stamped body each: `checkProposals` throws TooLarge before anything
   * is stored. An append repeated with the same `after` and `nonce` that had succeeded answers ok with the same versions:
   * what to do after Unavailable. Expired when `after` is below the compacted head, FutureVersion when it is above the head.
   */
  append(after: Version, proposals: readonly Proposal[], options: { nonce: string }): Promise<AppendResult>;
  /**
   * Folds the log into the state, up to the head at the time of the call, and drops entries older than the retention, but
   * none behind a cursor, and never the last one. Returns the watermark.
   */
  compact(): Promise<Version>;
  /**
   * Begins a new epoch with an empty entry, whose version it returns, so that no version of a lost future is given again:
   * for a restored store, before the first request. Every older position is Expired then, and the watermark is at the new one. Cursors
   * are at 0: their readers were told of a future that is lost, and nothing of what came before it for certain, so that they begin anew.
   */
  raiseEpoch(): Promise<Version>;
  close(): Promise<void>;
}

/** Opens the sequences of one store; the same name gives the same sequence. */
export interface SequenceStore {
  sequence(name: string): Sequence;
  /** Names of the sequences that exist, in order. */
  names(): Promise<string[]>;
  close(): Promise<void>;
}
