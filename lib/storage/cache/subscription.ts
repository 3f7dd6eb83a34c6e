import type { StoreError } from '../errors.ts';
import type { Version } from '../sequence.ts';
import type { WatchEvent, WatchRequest } from '../storage.ts';
import { type ChangeEvent, sizeOf } from './item.ts';
import { isWanted, type Wanted } from './wanted.ts';

/** The maximum backlog in bytes before a subscription ends. */
const MAX_BACKLOG = 4 * 1024 * 1024;

type Wants = Wanted & Pick<WatchRequest, 'bookmarks'>;

/** The queue between the log and one watcher. All watchers share the event objects. */
export class Subscription {
  readonly wants: Wants;
  /** Every event up to this version has been offered or is not wanted. */
  #position: Version;
  #replay: readonly ChangeEvent[] = [];
  #replayed = 0;
  #queue: WatchEvent[] = [];
  #next = 0;
  #backlog = 0;
  #wake: (() => void) | undefined;
  #over: { readonly error: StoreError | undefined } | undefined;

  constructor(wants: Wants, position: Version) {
    this.wants = wants;
    this.#position = position;
  }

  /** The hub's bucket: the whole key, or the prefix up to its last part boundary. */
  get bucket(): string {
    return this.wants.key ?? this.wants.prefix.slice(0, this.wants.prefix.lastIndexOf('/') + 1);
  }

  get ended(): boolean {
    return this.#over !== undefined;
  }

  get error(): StoreError | undefined {
    return this.#over?.error;
  }

  get isDrained(): boolean {
    return this.#next >= this.#queue.length && this.#replayed >= this.#replay.length;
  }

  /** Prepends events that are in memory anyway. They do not count towards the backlog. */
  preload(events: readonly ChangeEvent[]): void {
    this.#replay = events.filter((event) => this.#covers(event));
    this.#position = events.at(-1)?.change.version ?? this.#position;
  }

  offer(event: ChangeEvent): void {
    if (this.#over !== undefined || !this.#covers(event)) return;
    this.#position = event.change.version;
    this.#backlog += sizeOf(event.object);
    if (this.#backlog > MAX_BACKLOG) this.end();
    else this.#push(event);
  }

  bookmark(version: Version): void {
    if (this.#over === undefined && this.#bookmarks(version)) this.#push({ type: 'BOOKMARK', version });
  }

  /** The next event, or undefined if none is queued. */
  take(): WatchEvent | undefined {
    const held = this.#replay[this.#replayed++];
    if (held !== undefined) return held;
    this.#replay = [];
    const event = this.#queue[this.#next++];
    if (event === undefined) return this.#rewind();
    if (event.type !== 'BOOKMARK') this.#backlog -= sizeOf(event.object);
    return event;
  }

  /** Resolves when there may be an event to take, or the subscription has ended. */
  wait(): Promise<void> {
    if (!this.isDrained || this.#over !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Drops unread events and accepts no more. Only the first end counts. */
  end(error?: StoreError): void {
    this.#over ??= { error };
    this.#queue = [];
    this.#replay = [];
    this.#rewind();
    this.#backlog = 0;
    this.#signal();
  }

  /** Ends the subscription, with a bookmark if the watch requests bookmarks. */
  last(version: Version): void {
    this.#over ??= { error: undefined };
    if (this.#bookmarks(version)) this.#push({ type: 'BOOKMARK', version });
    else this.#signal();
  }

  /** Allows no bookmark below the watch's start version, which may still be in the future. */
  #bookmarks(version: Version): boolean {
    return this.wants.bookmarks && version >= this.#position;
  }

  #covers({ change }: ChangeEvent): boolean {
    return change.version > this.#position && isWanted(this.wants, change);
  }

  #push(event: WatchEvent): void {
    this.#queue.push(event);
    this.#signal();
  }

  #rewind(): undefined {
    this.#queue.length = 0;
    this.#next = 0;
  }

  #signal(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
