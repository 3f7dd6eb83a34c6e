import type { OnDamage } from './damage.ts';
import type { StoreError } from './errors.ts';
import type { Change, ChangeType, Summary, Version } from './sequence.ts';
import type { StoredResource } from './sequences.ts';

/** One stored object as readers see it. Bytes are shared: never write into them. */
export interface StoredObject {
  readonly key: string;
  readonly version: Version;
  readonly body: Uint8Array;
  readonly summary: Summary;
  /** To be written again even where nothing changes: it is stored under a key of encryption that goes out of use. */
  readonly stale?: boolean;
  /** `body` is an outline (`Outline`): only a list that asks for outlines gives such an object. */
  readonly outline?: boolean;
  /** Why the body cannot be read; it is empty. Only what was there before a change may be such an object: reads throw this. */
  readonly damage?: StoreError | undefined;
  /**
   * Values derived from these bytes, by name (`protobuf`, `apps.v1@<schema hash>`), so that one change is serialized
   * once for all readers. Dropped with the object.
   */
  readonly views: Map<string, Uint8Array>;
}

/** Which state a read wants: upstream's resourceVersion and resourceVersionMatch. */
export type ReadAt =
  /** Unset: as new as every write acknowledged before the call. */
  | { readonly kind: 'fresh' }
  /** `resourceVersion=0`: whatever was proven within 5 seconds, or within so many milliseconds. */
  | { readonly kind: 'any'; readonly within?: number }
  | { readonly kind: 'notOlderThan'; readonly version: Version }
  /** With the issue time of the continue token that asks, if one does: 5 minutes later it is Expired. */
  | { readonly kind: 'exact'; readonly version: Version; readonly issuedAt?: number };

/** A value, not empty, that objects have in a field of their summary. */
export interface FieldValue {
  readonly field: string;
  readonly value: string;
}

/** A value, not empty, that objects have in a field of their summary, or in a label. */
export type Narrowing = FieldValue | { readonly label: string; readonly value: string };

/** The range and page of a list. */
export interface ListRequest {
  /** Keys that begin with this, in key order. */
  readonly prefix: string;
  readonly at: ReadAt;
  /** Objects to return at most; 0 is all. */
  readonly limit: number;
  /** Continue behind this key, at the version of `at` (which is then `exact`), or at `fresh` for an inconsistent one. */
  readonly afterKey?: string;
  readonly matches?: (object: StoredObject) => boolean;
  /** Only objects with this value. Where the newest state is in memory, others need not be looked at: see `Indexes`. */
  readonly where?: Narrowing;
  /** Objects may come with an outline in place of their body, where that alone is at hand: who needs more gets them by key. */
  readonly outlines?: boolean;
  /** Damaged objects are left out, and told of. Only for who does less without them, and never more. */
  readonly leaveOut?: OnDamage;
}

/** A page of a list. `version` is the version of the whole list. */
export interface ListPage {
  readonly objects: readonly StoredObject[];
  readonly version: Version;
  /** The key to continue behind; absent on the last page. */
  readonly nextAfter?: string;
  /** How many keys follow; absent where a selector makes it unknown, or what is listed is not held in memory. */
  readonly remaining?: number;
}

/** How much is in a list. */
export interface ListSize {
  readonly objects: number;
  /** The bytes of their bodies as they are stored. */
  readonly bytes: number;
}

/** A whole list in constant memory, in key order. `version` is that of every object's state. */
export interface ObjectStream {
  readonly version: Version;
  readonly batches: AsyncIterable<readonly StoredObject[]>;
  /**
   * How much the list has at most, before a selector chooses. Where memory does not hold it, the store is asked, for half of what the
   * list costs; what was checkpointed in the last seconds may be missing then. Undefined where the store does not tell. Absent where
   * objects are not as they are stored, and where asking costs more than the list.
   */
  size?(): Promise<ListSize | undefined>;
}

/** The result of a mutation: the object to store in place of the present one. */
export type Outcome<T> =
  | {
      readonly action: 'put';
      readonly body: Uint8Array;
      readonly summary: Summary;
      /** Names a view that these bytes are. */
      readonly view?: string;
      readonly result: T;
    }
  /** `body` is told as the last state of a damaged object. */
  | { readonly action: 'delete'; readonly body?: Uint8Array; readonly result: T }
  /** Nothing is written: a dry run or a no-op. */
  | { readonly action: 'keep'; readonly result: T };

/** The result of a mutation after it is stored. */
export interface MutationResult<T> {
  readonly result: T;
  /** The object as stored, or as it was when deleted, with its version; absent for `keep`. */
  readonly stored?: StoredObject;
}

/** An event of a watch: a change of an object, or a bookmark of a position without changes. */
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
  /** Keys that begin with this. */
  readonly prefix: string;
  /** Only this key: many watchers of one name each cost nothing when another changes. */
  readonly key?: string;
  /** Only changes of objects that have this value before or after the change. The stream may have others as well. */
  readonly where?: FieldValue;
  /** Events behind this version. */
  readonly after: Version;
  readonly signal: AbortSignal;
  /** Whether to emit a BOOKMARK every 30 s, and before the end if nothing waits to be read. */
  readonly bookmarks: boolean;
}

/** The events of a watch, in order. The stream ends by `return` or by the request's signal. */
export interface EventStream extends AsyncIterableIterator<WatchEvent, undefined> {
  return(value?: undefined): Promise<IteratorResult<WatchEvent, undefined>>;
  /** The next event, if one waits. Not while a `next` is pending. */
  take(): WatchEvent | undefined;
}

/**
 * The objects of one resource type: upstream's `storage.Interface`, over one sequence. One instance serves all requests
 * of a process. All methods throw StoreError: Undecryptable or Corrupt, which names the key, where an object that they would show
 * or change is damaged. A list shows all or nothing, unless told otherwise (`leaveOut`): who takes part of a list for the whole
 * deletes what only the rest needs.
 */
export interface Storage {
  /** The object, or undefined; `at` is never `exact`. */
  get(key: string, at: ReadAt): Promise<StoredObject | undefined>;
  list(request: ListRequest): Promise<ListPage>;
  /** As `list` without a limit, for answers that are written while they are read. */
  stream(request: Omit<ListRequest, 'limit' | 'outlines'>): Promise<ObjectStream>;
  /**
   * GuaranteedUpdate: `fn` is pure in the current object and runs again when another write won. Its throw ends the
   * mutation with that error. `fn` sees a state that is fresh at commit: the append is a compare-and-swap.
   */
  mutate<T>(key: string, fn: (current: StoredObject | undefined) => Outcome<T>): Promise<MutationResult<T>>;
  /**
   * Deletes a damaged object, whatever it was; `body` stands for its last state where watchers are told. False where the object
   * can be read, or is not there.
   */
  discard(key: string, body: Uint8Array): Promise<boolean>;
  /**
   * Every change behind `after`, once and in order, until the signal aborts. A reader that lags by 4 MB is ended without an
   * error, so that it resumes from its version. Waits if `after` is above the head, and skips what comes up to it. Throws
   * StoreError Expired when `after` is compacted. One consumer; it may return early, also while a `next` is pending.
   */
  watch(request: WatchRequest): EventStream;
  /** The head as `at` may see it; freshly proven unless said. */
  head(at?: ReadAt): Promise<Version>;
}

/** Gives the storage that a resource's objects are kept in. */
export type StorageOf = (stored: StoredResource) => Storage;
