import { setImmediate } from 'node:timers/promises';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { changeOf } from '#lib/client/controller/object-change.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { Storage, WatchEvent } from '#lib/storage/storage.ts';

interface FeedOptions {
  readonly clock: Clock;
  reportFault(auditId: string, error: unknown): void;
}

/** Delay in ms before a failed feed resumes. */
const GO_ON = 1000;
/** The longest time in ms for which the feed blocks other work. */
const SLICE = 10;

/**
 * Delivers every object of every sequence, and then each change to it, to one function. In this process, it replaces the stream, bus and
 * queues of the cloud. Delivery is at least once and in order per object. A feed whose cursor has expired starts again with all objects. If
 * the function throws, the feed reports the error and drops the change. It also reports and skips a damaged object.
 */
export class ChangeFeed {
  readonly #server: Pick<Apiserver, 'onStorage'>;
  readonly #options: FeedOptions;
  readonly #deliver: (change: ObjectChange) => void;
  readonly #ending = new AbortController();
  readonly #feeds: Promise<void>[] = [];

  constructor(server: Pick<Apiserver, 'onStorage'>, options: FeedOptions, deliver: (change: ObjectChange) => void) {
    this.#server = server;
    this.#options = options;
    this.#deliver = deliver;
  }

  /**
   * Follows the open sequences, and each new one from its first use. Resolves when the first ones have been listed, or listing has failed.
   */
  async start(): Promise<void> {
    const listed: Promise<void>[] = [];
    this.#server.onStorage((storage) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      listed.push(promise);
      this.#feeds.push(this.#follow(storage, resolve).finally(resolve));
    });
    await Promise.all(listed);
  }

  async #follow(storage: Storage, listed: () => void): Promise<void> {
    const { signal } = this.#ending;
    const place: { after?: Version } = {};
    while (!signal.aborted) {
      try {
        place.after ??= await this.#list(storage);
        listed();
        await this.#watch(storage, place.after, (version) => (place.after = version));
      } catch (error) {
        if (signal.aborted) return;
        const code = error instanceof StoreError ? error.code : undefined;
        if (code === 'Expired' || code === 'Corrupt' || code === 'Undecryptable') delete place.after;
        if (code === 'Expired') continue;
        listed(); // reconcilers of other types continue if one log cannot be read
        await this.#wait(error);
      }
    }
  }

  async #wait(error: unknown): Promise<void> {
    this.#options.reportFault('change feed', error);
    await this.#options.clock.sleep(GO_ON, this.#ending.signal);
  }

  /** Delivers a change. An error on one object does not stop later changes. */
  #tell(change: ObjectChange): void {
    try {
      this.#deliver(change);
    } catch (error) {
      this.#options.reportFault('change feed', error);
    }
  }

  #giveWay(): Promise<void> {
    return this.#options.clock.sleep(0, this.#ending.signal);
  }

  async #list(storage: Storage): Promise<Version> {
    await this.#giveWay(); // handle requests first, and log that the server is ready
    const leaveOut = (damage: StoreError): void => this.#options.reportFault('change feed', damage);
    const { batches, version } = await storage.stream({ prefix: '', at: { kind: 'fresh' }, leaveOut });
    let since = this.#options.clock.monotonic();
    for await (const batch of batches) {
      for (const object of batch) {
        this.#tell(changeOf('ADDED', object));
        if (this.#options.clock.monotonic() - since < SLICE) continue;
        await this.#giveWay();
        since = this.#options.clock.monotonic();
      }
    }
    return version;
  }

  async #watch(storage: Storage, after: Version, seen: (version: Version) => void): Promise<void> {
    const { signal } = this.#ending;
    const events = storage.watch({ prefix: '', after, signal, bookmarks: false });
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      await setImmediate(); // first respond to the writer and send events to watches
      const since = this.#options.clock.monotonic();
      for (let event: WatchEvent | undefined = next.value; event !== undefined; event = events.take()) {
        if (event.type === 'BOOKMARK') continue;
        const { type, object, previous } = event;
        this.#tell(changeOf(type, object, previous?.damage === undefined ? previous : {}));
        seen(object.version);
        if (this.#options.clock.monotonic() - since >= SLICE) break; // the rest is delivered in the next round
      }
    }
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#feeds);
  }
}
