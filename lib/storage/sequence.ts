/** epoch · 2^40 + counter: below 2^53, shown as a decimal string. Comparable within one sequence only (KEP-5504). */
export type Version = number;

export const EPOCH: Version = 2 ** 40;

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What selectors, indexes and predicates read of an object, so that no body need be parsed. */
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
}

/** A change before it has a position: `stamp` gives its body for the version that it gets. */
export interface Proposal extends Omit<Change, 'version' | 'body'> {
  readonly body: Uint8Array;
}

export interface LogPage {
  readonly changes: readonly Change[];
  /** The last position that this page covers, empty entries included: the `after` of the next call. */
  readonly last: Version;
  readonly more: boolean;
}

export interface Snapshot {
  /** The watermark, read consistently before the first page: replay what is newer per key. */
  readonly from: Version;
  /** In key order; an entry may be newer than `from`, never older than the state at `from`. */
  readonly entries: AsyncIterable<{ readonly key: string; readonly version: Version; readonly body: Uint8Array }>;
}

export type AppendResult =
  | { readonly ok: true; readonly first: Version; readonly last: Version }
  /** The position was taken. `winner` is what took it, where the backend tells; else read the log. */
  | { readonly ok: false; readonly winner?: readonly Change[]; readonly last?: Version };

/**
 * One totally ordered log of changes and the state that it adds up to: the contract of every backend
 * (docs/adr/0001). `sequence.conformance.ts` is its suite. All methods throw StoreError.
 */
export interface Sequence {
  /** The last position; linearizable. A new sequence is born with an empty entry, so it is never 0. */
  head(): Promise<Version>;
  /**
   * Changes behind `after`, oldest first, without a hole. `consistent` sees every append acknowledged before the call.
   * Expired when `after` is below the compacted head; FutureVersion when a consistent read finds `after` above the head.
   */
  readLog(after: Version, options: { limit: number; consistent: boolean }): Promise<LogPage>;
  /** The checkpointed state of the keys that begin with `prefix`, from `start` (inclusive) on. */
  snapshot(options: { prefix: string; start?: string }): Promise<Snapshot>;
  /** The checkpointed item of one key and the watermark that it is at least as new as; read consistently. */
  read(key: string): Promise<{ from: Version; item?: { version: Version; body: Uint8Array } }>;
  /**
   * Compare-and-swap on the position behind `after`: k proposals get after+1 … after+k (none: one empty entry, which takes
   * after+1). At most 64 proposals and 350 KB inline; larger bodies go to chunks. A repeated append with one `nonce`
   * that had succeeded answers ok again. Expired when `after` is below the compacted head.
   */
  append(after: Version, proposals: readonly Proposal[], options: { nonce: string }): Promise<AppendResult>;
  /** Folds the log into the state and drops entries older than the retention. Returns the watermark. */
  compact(): Promise<Version>;
  close(): Promise<void>;
}

/** Opens the sequences of one store; the same name gives the same sequence. */
export interface SequenceStore {
  sequence(name: string): Sequence;
  /** Names of the sequences that exist, in order. */
  names(): Promise<string[]>;
  close(): Promise<void>;
}
