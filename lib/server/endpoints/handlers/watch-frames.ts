import { expired, StatusError } from '#lib/machinery/errors.ts';
import { statusError } from '#lib/server/registry/storage-status.ts';
import { listReadAt } from '#lib/server/registry/store/read-at.ts';
import type { Selection } from '#lib/server/registry/store/selection.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { EventStream, StoredObject, WatchEvent } from '#lib/storage/storage.ts';
import type { ListOptions } from '../options.ts';
import type { Scope } from '../scope.ts';
import type { WatchEncoder } from '../serialize/watch-event.ts';

/** Upstream's --min-request-timeout in seconds. A watch without a timeout ends between this and twice this. */
const MIN_TIMEOUT = 1800;

/** The duration in seconds of a watch that ends at a version, which exists or arrives at once. */
const CATCH_UP = 2;

/** The size in bytes up to which events are sent together. */
const CHUNK = 64 * 1024;

/** The start position of a watch. */
export interface Start {
  /** Whether the current state comes first, as ADDED events. */
  readonly initial: boolean;
  /** The version after which events begin. Undefined means the version of the current state. */
  readonly after: Version | undefined;
}

/** The request of a watch. */
interface Watch {
  readonly scope: Scope;
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly start: Start;
  readonly encoder: WatchEncoder;
  /** Aborts when the reader stops. */
  readonly signal: AbortSignal;
  /** Called with the size in bytes of each event sent. */
  readonly sent: (size: number) => void;
}

type Chunk = IteratorResult<Uint8Array, undefined>;
const END: Chunk = { done: true, value: undefined };

/**
 * The frames of a watch: its initial events, then the changes. It is not a generator, because a change must reach many watchers with little
 * work.
 */
export class Frames implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #watch: Watch;
  readonly #timeout = new AbortController();
  readonly #signal: AbortSignal;
  readonly #timer: Promise<void>;
  readonly #initial: AsyncGenerator<Uint8Array, Version, void>;
  #events: EventStream | undefined;
  #isOver = false;
  /** Whether the version at which the watch ends has been sent. */
  #isReached = false;

  constructor(watch: Watch) {
    this.#watch = watch;
    const { clock } = watch.scope;
    this.#signal = AbortSignal.any([this.#timeout.signal, watch.signal]);
    const end = (): void => this.#timeout.abort();
    this.#timer = clock.sleep(duration(watch) * 1000, this.#signal).then(end);
    void watch.scope.definition.changed?.(this.#signal).then(end, end);
    this.#initial = initialEvents(watch);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Chunk> {
    if (this.#isOver) return Promise.resolve(END);
    if (this.#isReached) return this.return();
    const event = this.#events === undefined ? this.#begin() : this.#events.next().then(this.#framed);
    return event.catch(this.#failed);
  }

  /** Returns a chunk of the initial events. After the last of them, returns the first chunk of changes. */
  async #begin(): Promise<Chunk> {
    const initial = await this.#initial.next();
    if (initial.done !== true) return initial;
    this.#watch.scope.context.watchStage?.('begun');
    if (this.#reaches(initial.value)) return this.#end();
    const { definition } = this.#watch.scope;
    const { prefix, where } = this.#watch.selection;
    const range = {
      prefix,
      ...(prefix.endsWith('/') ? {} : { key: prefix }),
      ...(where !== undefined && 'field' in where ? { where } : {}),
    };
    const bookmarks = this.#watch.options.allowWatchBookmarks;
    this.#events = definition.storage.watch({ ...range, after: initial.value, signal: this.#signal, bookmarks });
    return this.next();
  }

  /** Returns the event and those queued after it as one chunk. */
  readonly #framed = ({ done, value }: IteratorResult<WatchEvent, undefined>): Chunk | Promise<Chunk> => {
    if (done === true) return this.#end();
    const chunk = this.#chunk(value);
    return chunk === undefined ? this.next() : { done: false, value: chunk };
  };

  #chunk(first: WatchEvent): Uint8Array | undefined {
    const frames: Uint8Array[] = [];
    let size = 0;
    for (let event: WatchEvent | undefined = first; event !== undefined; event = this.#more(size)) {
      this.#isReached ||= this.#reaches(event.type === 'BOOKMARK' ? event.version : event.object.version);
      const frame = frameOf(event, this.#watch);
      if (frame === undefined) continue;
      frames.push(frame);
      this.#watch.sent(frame.length);
      size += frame.length;
    }
    return frames.length > 1 ? Buffer.concat(frames, size) : frames[0];
  }

  #more(size: number): WatchEvent | undefined {
    return size < CHUNK ? this.#events?.take() : undefined;
  }

  #reaches(version: Version): boolean {
    const { until } = this.#watch.options;
    return until !== undefined && version >= until;
  }

  /** Sends an error as an event, and ends the watch. */
  readonly #failed = async (error: unknown): Promise<Chunk> => {
    await this.#end();
    if (!(error instanceof StoreError) && !(error instanceof StatusError)) throw error;
    const { encoder, start } = this.#watch;
    return { done: false, value: encoder.error(error instanceof StoreError ? refused(error, start) : error) };
  };

  async #end(): Promise<Chunk> {
    this.#isOver = true;
    this.#watch.scope.context.watchStage?.('ended');
    this.#timeout.abort();
    await this.#timer;
    return END;
  }

  async return(): Promise<Chunk> {
    if (this.#events === undefined) await this.#initial.return(0);
    else await this.#events.return();
    return this.#end();
  }
}

/** Returns the duration of a watch in seconds. */
function duration({ options, scope: { context, watches } }: Watch): number {
  const requested = options.timeoutSeconds ?? 0;
  const timeout = requested === 0 ? MIN_TIMEOUT * (1 + (context.now.getTime() % 1000) / 1000) : Math.max(0, requested);
  const longest = options.until === undefined ? timeout : CATCH_UP;
  return Math.min(timeout, longest, watches.maxSeconds ?? timeout);
}

/** Returns the status of an error. An expired version has its own text. */
function refused(error: StoreError, { after }: Start): StatusError {
  return error.code === 'Expired' && after !== undefined
    ? expired(`too old resource version: ${after}`)
    : statusError(error);
}

/** Yields the current state if requested. Returns the version after which the changes begin. */
async function* initialEvents(watch: Watch): AsyncGenerator<Uint8Array, Version, void> {
  const { scope, options, selection, start, encoder } = watch;
  const began = scope.clock.monotonic();
  const { storage } = scope.definition;
  const at = listReadAt(options.resourceVersion, options.sendInitialEvents === true ? 'NotOlderThan' : '');
  if (!start.initial) return start.after ?? (await storage.list({ ...selection, at, limit: 1 })).version;
  const { version, batches } = await storage.stream({ ...selection, at });
  for await (const batch of batches) yield* initialFrames(batch, watch);
  if (options.sendInitialEvents === true && options.allowWatchBookmarks) {
    const bookmark = encoder.bookmark(version, true);
    watch.sent(bookmark.length);
    scope.watchMetrics.listed(scope.context.info, (scope.clock.monotonic() - began) / 1000);
    yield bookmark;
  }
  return version;
}

/** Yields the current state as ADDED events, several per chunk. */
function* initialFrames(objects: readonly StoredObject[], { encoder, sent }: Watch): Generator<Uint8Array> {
  let frames: Uint8Array[] = [];
  let size = 0;
  for (const object of objects) {
    const frame = encoder.initial(object);
    frames.push(frame);
    sent(frame.length);
    size += frame.length;
    if (size < CHUNK) continue;
    yield Buffer.concat(frames, size);
    frames = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(frames, size);
}

type ObjectEvent = Exclude<WatchEvent, { type: 'BOOKMARK' }>;

/** Returns the event as this selection sees it: ADDED if an object begins to match, DELETED if it stops matching. */
function frameOf(event: WatchEvent, { selection, encoder }: Watch): Uint8Array | undefined {
  if (event.type === 'BOOKMARK') return encoder.bookmark(event.version, false);
  const { prefix, matches } = selection;
  if (!covers(prefix, event.object.key)) return undefined;
  if (matches === undefined) return encoder.event(event.type, event.object);
  const before = event.type !== 'ADDED' && event.previous !== undefined && mayMatch(event.previous, matches);
  const now = event.type !== 'DELETED' && matches(event.object);
  if (now) return encoder.event(before ? 'MODIFIED' : 'ADDED', event.object);
  if (!before) return undefined;
  return encoder.event('DELETED', event.type === 'DELETED' ? event.object : restamped(event));
}

/** A damaged object may have matched. A superfluous DELETED does not harm a watcher. */
const mayMatch = (previous: StoredObject, matches: NonNullable<Selection['matches']>): boolean =>
  previous.damage !== undefined || matches(previous);

/** A prefix without a trailing slash is the key of one object. */
const covers = (prefix: string, key: string): boolean =>
  prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix;

/** Returns the state before the change, with the version of the change. A watcher receives it if the object no longer matches. */
function restamped({ object, previous }: ObjectEvent): StoredObject {
  if (previous === undefined || previous.damage !== undefined) return object;
  const { key, body, summary } = previous;
  return { key, body, summary, version: object.version, views: new Map() };
}
