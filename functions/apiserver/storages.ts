import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { ByteBudget } from '#lib/storage/cache/budget.ts';
import type { Loads } from '#lib/storage/cache/load-policy.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { SequenceStore, Version } from '#lib/storage/sequence.ts';
import { controlSequence, leaseSequence, type StoredResource, sequenceOf } from '#lib/storage/sequences.ts';
import type { Storage, StorageOf } from '#lib/storage/storage.ts';

/** The store and settings of storages. */
export interface StoragesOptions {
  readonly store: SequenceStore;
  readonly clock: Clock;
  /** Whether no other process writes to the store during the lifetime of this process. */
  readonly exclusive: boolean;
  /** The maximum bytes for all caches together. */
  readonly cacheBytes: number;
  /** Called with each log position that a request commits, within the request's context. */
  readonly committed?: (sequence: string, version: Version) => void;
}

type Listener = (storage: Storage, name: string) => void;

/** A cache of each sequence of a store. Caches are created on first use and share one budget. */
export class Storages {
  readonly #options: StoragesOptions;
  readonly #budget: ByteBudget;
  readonly #caches = new Map<string, ResourceCache>();
  readonly #listeners: Listener[] = [];

  constructor(options: StoragesOptions) {
    this.#options = options;
    this.#budget = new ByteBudget(options.cacheBytes, options.clock);
  }

  /** The cache of a stored resource's sequence. */
  readonly of: StorageOf = (stored) => {
    const name = sequenceOf(DEFAULT_CLUSTER, stored);
    return this.#caches.get(name) ?? this.#open(name);
  };

  /** Like `of`, but undefined if the storage was never used. */
  opened(stored: StoredResource): Storage | undefined {
    return this.#caches.get(sequenceOf(DEFAULT_CLUSTER, stored));
  }

  all(): Iterable<Storage> {
    return this.#caches.values();
  }

  /** Calls the listener for every open sequence, and for each sequence opened later. */
  onOpen(listener: Listener): void {
    this.#listeners.push(listener);
    for (const [name, cache] of this.#caches) listener(cache, name);
  }

  /** Invalidates the caches, so that the next reads go to the store. */
  forget(): void {
    for (const cache of this.#caches.values()) cache.forget();
  }

  async close(): Promise<void> {
    for (const cache of this.#caches.values()) cache.close();
  }

  #open(name: string): ResourceCache {
    const { store, clock, exclusive, committed: told } = this.#options;
    const sequence = store.sequence(name);
    const budget = this.#budget;
    const committed = told && ((version: Version): void => told(name, version));
    const cache = new ResourceCache({
      sequence,
      clock,
      exclusive,
      budget,
      loads: loadsOf(name),
      summarize: summarizeBody,
      ...defined({ committed }),
    });
    this.#caches.set(name, cache);
    for (const listener of this.#listeners) listener(cache, name);
    return cache;
  }
}

/**
 * Selects when a log is loaded. Every request needs the objects of `control`, and nodes write Leases continuously. Other logs are loaded on
 * demand.
 */
function loadsOf(name: string): Loads {
  if (name === controlSequence(DEFAULT_CLUSTER)) return 'readily';
  return name === leaseSequence(DEFAULT_CLUSTER) ? 'as heartbeats' : 'sparingly';
}
