import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import { readable } from '../damage.ts';
import { StoreError } from '../errors.ts';
import type { Change, Sequence, Version } from '../sequence.ts';
import type { EventStream, StoredObject, WatchEvent, WatchRequest } from '../storage.ts';
import type { Follower } from './follower.ts';
import { type ChangeEvent, eventOf, itemOf } from './item.ts';
import { readPrevious } from './log-reader.ts';
import { Subscription } from './subscription.ts';
import { isWanted } from './wanted.ts';

const PAGE = 200;

/** The ports of a watcher. */
export interface WatcherOptions {
  readonly sequence: Sequence;
  readonly follower: Follower;
  readonly request: WatchRequest;
  /** Resolves when the replica has reached the watch's start version, or the head if that version is in the future. */
  readonly ready: () => Promise<void>;
  /** Throws Closed if the cache has closed. Otherwise a watcher that becomes ready after that would wait forever. */
  readonly checkOpen: () => void;
}

/**
 * One watch. Reads the log after `after` until memory contains all following changes, then goes live. This is not a generator, because
 * `return` must end it while a `next` is pending.
 */
export class Watcher implements EventStream {
  readonly #options: WatcherOptions;
  /** The position reached in the log. */
  #position: Version;
  #replayed: ChangeEvent[] = [];
  #live: Subscription | undefined;
  #isReady = false;
  #isOver = false;
  readonly #listener: Disposable | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#position = options.request.after;
    this.#listener = onAbort(options.request.signal, () => this.#abort());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next event that is already available. Throws StoreError for a damaged object, so that no watcher sees half of a change. */
  take(): WatchEvent | undefined {
    const event = this.#live?.take() ?? (this.#isOver ? undefined : this.#replayed.shift());
    if (event !== undefined && event.type !== 'BOOKMARK') readable(event.object);
    return event;
  }

  next(): Promise<IteratorResult<WatchEvent, undefined>> {
    const live = this.#live;
    return live === undefined || live.ended || this.#isOver ? this.#pull() : live.wait().then(this.#resume);
  }

  return(): Promise<IteratorResult<WatchEvent, undefined>> {
    this.#close();
    return Promise.resolve({ done: true, value: undefined });
  }

  readonly #resume = (): IteratorResult<WatchEvent, undefined> | Promise<IteratorResult<WatchEvent, undefined>> => {
    const value = this.take();
    return value === undefined ? this.next() : { done: false, value };
  };

  /** Waits for the next event, from the log or live, or for the end. */
  async #pull(): Promise<IteratorResult<WatchEvent, undefined>> {
    try {
      if (!this.#isReady && !this.#isOver) await this.#options.ready();
      this.#isReady = true;
      while (!this.#isOver && this.#live === undefined && this.#replayed.length === 0) await this.#advance();
      const value = this.take();
      if (value !== undefined) return { done: false, value };
      if (this.#live !== undefined && !this.#live.ended) return await this.next();
    } catch (error) {
      this.#close();
      throw error;
    }
    const error = this.#live?.error;
    this.#close();
    if (error !== undefined) throw error;
    return { done: true, value: undefined };
  }

  /** Goes live if memory holds the following changes. Otherwise reads a page of the log. */
  async #advance(): Promise<void> {
    const { sequence, follower, request, checkOpen } = this.#options;
    const { replica, hub } = follower;
    checkOpen();
    if (replica.head !== 0 && this.#position >= replica.floor) {
      this.#live = new Subscription(request, this.#position);
      this.#live.preload(replica.since(this.#position));
      hub.add(this.#live);
      return;
    }
    const { floor } = replica; // read before the request, because a commit meanwhile may raise it
    const page = await sequence.readLog(this.#position, { limit: PAGE, consistent: true });
    if (page.last <= this.#position && floor > this.#position) {
      throw new StoreError('Corrupt', `the log does not go on behind ${this.#position}`);
    }
    const changes = page.changes.filter((change) => change.version > this.#position && isWanted(request, change));
    this.#replayed = await replay(sequence, changes);
    this.#position = Math.max(this.#position, page.last);
  }

  #abort(): void {
    const { replica } = this.#options.follower;
    const isDrained = this.#live?.isDrained === true && !this.#live.ended;
    this.#close();
    if (isDrained) this.#live?.last(replica.head);
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#replayed = [];
    this.#listener?.[Symbol.dispose](); // not set yet in the constructor
    if (this.#live === undefined) return;
    this.#live.end();
    this.#options.follower.hub.remove(this.#live);
  }
}

/** Converts the changes of a log page into events with the previous objects. */
async function replay(sequence: Sequence, changes: readonly Change[]): Promise<ChangeEvent[]> {
  const objects = new Map<Version, StoredObject>();
  for (const change of changes) objects.set(change.version, itemOf(change));
  return Promise.all(
    changes.map(async (change) => {
      const known = change.previous && objects.get(change.previous.version);
      const object = objects.get(change.version) ?? itemOf(change);
      return eventOf(change, object, known ?? (await readPrevious(sequence, change)));
    }),
  );
}
