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

/** Milliseconds before a feed that broke off goes on. */
const GO_ON = 1000;
/** Milliseconds for which it keeps others waiting. */
const SLICE = 10;

/**
 * Every object of every sequence and then every change of it, to one function: in this process what stream, bus and queues
 * are in the cloud. At least once, in order per object: a feed whose place in the log is gone begins anew with all objects. What the
 * function throws is reported, and the change left; so is a damaged object.
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

  /** Follows the sequences that are open, and each new one from its first use. Resolves when the first have been listed, or cannot be. */
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
        listed(); // reconcilers of other types go on beside a log that cannot be read
        await this.#wait(error);
      }
    }
  }

  async #wait(error: unknown): Promise<void> {
    this.#options.reportFault('change feed', error);
    await this.#options.clock.sleep(GO_ON, this.#ending.signal);
  }

  /** Delivers a change. An error that one object causes does not stop those behind it. */
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
    await this.#giveWay(); // requests go first, and so does the line that says that they may come
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
      await setImmediate(); // answers the writer first, and sends to clients that watch
      const since = this.#options.clock.monotonic();
      for (let event: WatchEvent | undefined = next.value; event !== undefined; event = events.take()) {
        if (event.type === 'BOOKMARK') continue;
        const { type, object, previous } = event;
        this.#tell(changeOf(type, object, previous?.damage === undefined ? previous : {}));
        seen(object.version);
        if (this.#options.clock.monotonic() - since >= SLICE) break; // the rest is taken in turns of its own
      }
    }
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#feeds);
  }
}
