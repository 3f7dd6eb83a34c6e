import type { Apiserver } from '#functions/apiserver/wiring.ts';
import type { ObjectChange } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { ChangeType } from '#lib/storage/sequence.ts';
import type { Storage, StoredObject } from '#lib/storage/storage.ts';

interface FeedOptions {
  readonly clock: Clock;
  reportFault(auditId: string, error: unknown): void;
}

/** Milliseconds before a feed that broke off begins anew. */
const BEGIN_AGAIN = 1000;

/**
 * Every object of every sequence and then every change of it, to one function: in this process what stream, bus and queues
 * are in the cloud. At least once: a feed that falls behind begins anew with all objects.
 */
export class ChangeFeed {
  readonly #server: Apiserver;
  readonly #options: FeedOptions;
  readonly #deliver: (change: ObjectChange) => void;
  readonly #ending = new AbortController();
  readonly #feeds: Promise<void>[] = [];

  constructor(server: Apiserver, options: FeedOptions, deliver: (change: ObjectChange) => void) {
    this.#server = server;
    this.#options = options;
    this.#deliver = deliver;
  }

  /** Follows the sequences that there are, and each new one from its first use. */
  start(): void {
    this.#server.onStorage((storage) => this.#feeds.push(this.#follow(storage)));
  }

  async #follow(storage: Storage): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#once(storage);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.reportFault('change feed', error);
        await this.#options.clock.sleep(BEGIN_AGAIN, signal);
      }
    }
  }

  async #once(storage: Storage): Promise<void> {
    const { signal } = this.#ending;
    const { objects, version } = await storage.list({ prefix: '', at: { kind: 'fresh' }, limit: 0 });
    for (const object of objects) this.#deliver(changeOf('ADDED', object));
    for await (const event of storage.watch({ prefix: '', after: version, signal, bookmarks: false })) {
      if (event.type !== 'BOOKMARK') this.#deliver(changeOf(event.type, event.object));
    }
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#feeds);
  }
}

function changeOf(type: ChangeType, stored: StoredObject): ObjectChange {
  const { group, resource, namespace, name } = parseKey(stored.key);
  let parsed: JsonObject | undefined;
  const object = (): JsonObject => (parsed ??= objectOf(stored));
  return { type, group, resource, namespace, name, object };
}

function objectOf(stored: StoredObject): JsonObject {
  const value = parseStored(stored.body);
  if (!isObject(value)) throw new TypeError(`${stored.key} holds no object`);
  return value;
}
