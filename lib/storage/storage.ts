import type { OnDamage } from './damage.ts';
import type { StoreError } from './errors.ts';
import type { Change, ChangeType, Summary, Version } from './sequence.ts';
import type { StoredResource } from './sequences.ts';

/** A stored object as readers see it. Its bytes are shared and must not be modified. */
export interface StoredObject {
  readonly key: string;
  readonly version: Version;
  readonly body: Uint8Array;
  readonly summary: Summary;
  /** Whether the object should be rewritten even without a change, because its encryption key is being replaced. */
  readonly stale?: boolean;
  /** Whether `body` is an outline (`Outline`). Only lists that request outlines return such objects. */
  readonly outline?: boolean;
  /**
   * The reason why the body cannot be read. The body is then empty. Only the object before a change may be damaged, because reads throw
   * this error.
   */
  readonly damage?: StoreError | undefined;
  /**
   * Encodings derived from these bytes, by name (`protobuf`, `apps.v1@<schema hash>`), so that a change is serialized once for all readers.
   * They are dropped with the object.
   */
  readonly views: Map<string, Uint8Array>;
}

/** The state that a read requests: upstream's resourceVersion and resourceVersionMatch. */
export type ReadAt =
  /** Unset: includes every write acknowledged before the call. */
  | { readonly kind: 'fresh' }
  /** `resourceVersion=0`: a state proven within `within` ms, by default 5 seconds. */
  | { readonly kind: 'any'; readonly within?: number }
  | { readonly kind: 'notOlderThan'; readonly version: Version }
  /** `issuedAt` is the issue time of the request's continue token, if any. The token is Expired 5 minutes later. */
  | { readonly kind: 'exact'; readonly version: Version; readonly issuedAt?: number };

/** A field of the summary with a required non-empty value. */
export interface FieldValue {
  readonly field: string;
  readonly value: string;
}

/** A field of the summary, or a label, with a required non-empty value. */
export type Narrowing = FieldValue | { readonly label: string; readonly value: string };

/** The range and page of a list. */
export interface ListRequest {
  /** The prefix of the keys, which are listed in order. */
  readonly prefix: string;
  readonly at: ReadAt;
  /** The maximum number of objects; 0 for all. */
  readonly limit: number;
  /** The key after which to continue. `at` is then `exact`, or `fresh` for an inconsistent continuation. */
  readonly afterKey?: string;
  readonly matches?: (object: StoredObject) => boolean;
  /** Only objects with this value. If the latest state is in memory, an index can skip the others: see `Indexes`. */
  readonly where?: Narrowing;
  /** Allows outlines instead of bodies if only the outline is in memory. Read an object by key to get its body. */
  readonly outlines?: boolean;
  /** Called for each damaged object, which the list then leaves out. Only for callers that do less, never more, if an object is missing. */
  readonly leaveOut?: OnDamage;
}

/** A page of a list. `version` is the version of the whole list. */
export interface ListPage {
  readonly objects: readonly StoredObject[];
  readonly version: Version;
  /** The key after which to continue; absent on the last page. */
  readonly nextAfter?: string;
  /** The number of remaining keys. Absent if a selector makes it unknown, or the list is not in memory. */
  readonly remaining?: number;
}

/** The size of a list. */
export interface ListSize {
  readonly objects: number;
  /** The total size of the stored bodies in bytes. */
  readonly bytes: number;
}

/** A whole list in key order, read in constant memory. All objects are in their state at `version`. */
export interface ObjectStream {
  readonly version: Version;
  readonly batches: AsyncIterable<readonly StoredObject[]>;
  /**
   * The maximum size of the list before a selector applies. If the list is not in memory, the size is read from the store for half the cost
   * of the list, and may lack checkpoints of the last seconds. Undefined if the store does not report it. The method is absent if bodies
   * are stored differently from how they are read, or if the size costs more than the list.
   */
  size?(): Promise<ListSize | undefined>;
}

/** The result of a mutation: the object to store instead of the current one. */
export type Outcome<T> =
  | {
      readonly action: 'put';
      readonly body: Uint8Array;
      readonly summary: Summary;
      /** The name of the view that these bytes represent. */
      readonly view?: string;
      readonly result: T;
    }
  /** If the object is damaged, `body` is reported as its last state. */
  | { readonly action: 'delete'; readonly body?: Uint8Array; readonly result: T }
  /** Writes nothing, for a dry run or a no-op. */
  | { readonly action: 'keep'; readonly result: T };

/** The result of a mutation after it is stored. */
export interface MutationResult<T> {
  readonly result: T;
  /** The object as stored or as it was when deleted, with its version; absent for `keep`. */
  readonly stored?: StoredObject;
}

/** A watch event: a change of an object, or a bookmark of a position. */
export type WatchEvent =
  | {
      readonly type: ChangeType;
      readonly object: StoredObject;
      readonly previous?: StoredObject;
      readonly change: Change;
    }
  | { readonly type: 'BOOKMARK'; readonly version: Version };

/** The range and position of a watch. */
export interface WatchRequest {
  /** The prefix of the keys. */
  readonly prefix: string;
  /** Only this key. Changes of other objects cost such a watcher nothing. */
  readonly key?: string;
  /** Only changes of objects with this value before or after the change. The stream may include others. */
  readonly where?: FieldValue;
  /** The version after which events start. */
  readonly after: Version;
  readonly signal: AbortSignal;
  /** Whether to emit a BOOKMARK every 30 s, and before the end if no event is queued. */
  readonly bookmarks: boolean;
}

/** The events of a watch in order. The stream ends on `return` or when the request's signal aborts. */
export interface EventStream extends AsyncIterableIterator<WatchEvent, undefined> {
  return(value?: undefined): Promise<IteratorResult<WatchEvent, undefined>>;
  /** The next queued event, if any. Do not call it while a `next` is pending. */
  take(): WatchEvent | undefined;
}

/**
 * The objects of one resource type: upstream's `storage.Interface`, over one sequence. One instance serves all requests of a process. All
 * methods throw StoreError: Undecryptable or Corrupt with the key if an object to show or change is damaged. A list returns all objects or
 * throws, unless `leaveOut` is set. A caller that mistakes a partial list for the whole may delete dependents of the missing objects.
 */
export interface Storage {
  /** The object, or undefined. `at` is never `exact`. */
  get(key: string, at: ReadAt): Promise<StoredObject | undefined>;
  list(request: ListRequest): Promise<ListPage>;
  /** Like `list` without a limit, for responses that are written while they are read. */
  stream(request: Omit<ListRequest, 'limit' | 'outlines'>): Promise<ObjectStream>;
  /**
   * GuaranteedUpdate: `fn` depends only on the current object, and runs again after another write wins. If it throws, the mutation fails
   * with that error. `fn` sees the latest state at commit, because the append is a compare-and-swap.
   */
  mutate<T>(key: string, fn: (current: StoredObject | undefined) => Outcome<T>): Promise<MutationResult<T>>;
  /** Deletes a damaged object. Watchers receive `body` as its last state. Returns false if the object is readable or does not exist. */
  discard(key: string, body: Uint8Array): Promise<boolean>;
  /**
   * Returns every change after `after`, once and in order, until the signal aborts. A reader with a backlog of 4 MB is ended without an
   * error and can resume from its version. If `after` is above the head, waits and skips the changes up to it. Throws StoreError Expired if
   * `after` is compacted. The stream has a single consumer, which may return early, even while a `next` is pending.
   */
  watch(request: WatchRequest): EventStream;
  /** The head that satisfies `at`. The default is a freshly proven head. */
  head(at?: ReadAt): Promise<Version>;
}

/** Returns the storage for a resource's objects. */
export type StorageOf = (stored: StoredResource) => Storage;
