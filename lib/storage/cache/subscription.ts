import type { StoreError } from '../errors.ts';
import type { Version } from '../sequence.ts';
import type { WatchEvent, WatchRequest } from '../storage.ts';
import { type ChangeEvent, sizeOf } from './item.ts';
import { isWanted, type Wanted } from './wanted.ts';

/** The bytes that a reader may leave unread before its subscription ends. */
const MAX_BACKLOG = 4 * 1024 * 1024;

type Wants = Wanted & Pick<WatchRequest, 'bookmarks'>;

/** The queue between the log and one watcher. Events are shared by all watchers; a queue holds references. */
export class Subscription {
  readonly wants: Wants;
  /** Everything up to this version was offered or is not wanted. */
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

  /** Keys are looked up by the whole key, or by the last part boundary of the prefix. */
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

  /** Events that are held anyway: they come first and count for nothing. */
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

  /** The next event, or undefined where none waits. */
  take(): WatchEvent | undefined {
    const held = this.#replay[this.#replayed++];
    if (held !== undefined) return held;
    this.#replay = [];
    const event = this.#queue[this.#next++];
    if (event === undefined) return this.#rewind();
    if (event.type !== 'BOOKMARK') this.#backlog -= sizeOf(event.object);
    return event;
  }

  /** Resolves when there may be something to take, or nothing more will come. */
  wait(): Promise<void> {
    if (!this.isDrained || this.#over !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Drops what is unread; nothing more is taken in. The first end counts. */
  end(error?: StoreError): void {
    this.#over ??= { error };
    this.#queue = [];
    this.#replay = [];
    this.#rewind();
    this.#backlog = 0;
    this.#signal();
  }

  /** Ends with a bookmark, where bookmarks are wanted. */
  last(version: Version): void {
    this.#over ??= { error: undefined };
    if (this.#bookmarks(version)) this.#push({ type: 'BOOKMARK', version });
    else this.#signal();
  }

  /** Never a version before the one that the watch begins behind, which may be still to come. */
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
