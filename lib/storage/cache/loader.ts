import type { Clock } from '#lib/machinery/clock.ts';
import type { Change, Sequence, Version } from '../sequence.ts';
import type { StoredObject } from '../storage.ts';
import type { ByteBudget, Resident } from './budget.ts';
import type { Follower } from './follower.ts';
import { Item, itemOf, type Summarize, sizeOf } from './item.ts';
import { readTail, retryExpired } from './log-reader.ts';
import type { Instant } from './proof.ts';
import { SortedMap } from './sorted-map.ts';

/** The time in ms after which a load that did not fit is retried. */
const RETRY = 10 * 60_000;
/** The loaded bytes between two checks of the budget. */
const STEP = 1024 * 1024;

/** The number of entries that a bounded load requests first. */
const FIRST = 32;

/** The ports of a loader. Without a budget, the objects stay loaded forever. */
export interface LoaderOptions {
  readonly sequence: Sequence;
  readonly follower: Follower;
  readonly clock: Clock;
  readonly summarize: Summarize;
  readonly budget: ByteBudget | undefined;
}

/** Keeps the objects of one sequence in memory while they fit. */
export class Loader implements Resident {
  lastUsed = 0;
  readonly #options: LoaderOptions;
  #loading: Promise<void> | undefined;
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** The time and bound of the last load that exceeded its bound. */
  #exceeded = { at: Number.NEGATIVE_INFINITY, bound: 0 };

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /**
   * Loads the sequence, unless it is loaded, loading, or known not to fit into the budget or into `bound` bytes. Afterwards the replica is
   * warm, or stays cold for a while.
   */
  async load(bound = Number.POSITIVE_INFINITY): Promise<void> {
    this.lastUsed = this.#options.clock.monotonic();
    while (this.#mayLoad(bound)) {
      const isMine = this.#loading === undefined;
      this.#loading ??= retryExpired(() => this.#loadOnce(bound)).finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
      if (isMine) return;
    }
  }

  #mayLoad(bound: number): boolean {
    const { follower, clock } = this.#options;
    const isRecent = (at: number): boolean => clock.monotonic() - at < RETRY;
    if (follower.replica.loaded !== undefined || isRecent(this.#refusedAt)) return false;
    return bound > this.#exceeded.bound || !isRecent(this.#exceeded.at);
  }

  evict(): void {
    this.#options.follower.replica.detach();
  }

  /** Drops the replica if it no longer fits. Call this after the replica has grown. */
  settle(): void {
    const { replica } = this.#options.follower;
    if (!this.#fits(replica.bytes)) this.#refuse();
  }

  async #loadOnce(bound: number): Promise<void> {
    const { follower } = this.#options;
    const { replica, proof } = follower;
    const load = new Load();
    let at = await this.#readSnapshot(load, bound);
    let started: Instant;
    do {
      started = proof.now();
      at = await this.#readLog(load, at, bound);
      if (load.bytes > bound) return this.#exceed(bound);
      if (!this.#fits(load.bytes)) return this.#refuse();
    } while (at < replica.head);
    replica.attach(load.objects, { bytes: load.bytes, at, damaged: load.damaged });
    if (replica.head === at) proof.record(at, started);
    while (replica.isCatchingUp) await follower.query();
    this.settle();
  }

  /** Returns the watermark. Stops reading when the objects no longer fit. The caller checks the budget. */
  async #readSnapshot(load: Load, bound: number): Promise<Version> {
    const { sequence, summarize } = this.#options;
    const expected = Number.isFinite(bound) ? { expected: FIRST } : {};
    const { from, entries } = await sequence.snapshot({ prefix: '', outlines: true, ...expected });
    let seen = 0;
    for await (const entry of entries) {
      load.put(new Item(entry.key, entry.version, entry.body, summarize, entry));
      if (load.bytes > bound) break;
      if (load.bytes - seen < STEP) continue;
      seen = load.bytes;
      if (!this.#fits(seen)) break;
    }
    return from;
  }

  async #readLog(load: Load, after: Version, bound: number): Promise<Version> {
    let at = after;
    if (load.bytes > bound || !this.#fits(load.bytes)) return at;
    for await (const page of readTail(this.#options.sequence, after)) {
      for (const change of page.changes) load.apply(change);
      at = page.last;
    }
    return at;
  }

  #fits(bytes: number): boolean {
    return this.#options.budget?.resize(this, bytes) ?? true;
  }

  #exceed(bound: number): undefined {
    this.#options.budget?.resize(this, 0);
    this.#exceeded = { at: this.#options.clock.monotonic(), bound };
  }

  #refuse(): undefined {
    this.#options.budget?.resize(this, 0);
    this.#refusedAt = this.#options.clock.monotonic();
    this.evict();
  }
}

/** A state that is being loaded. */
class Load {
  readonly objects = new SortedMap<StoredObject>();
  /** The keys of unreadable objects. */
  readonly damaged = new Set<string>();
  bytes = 0;

  put(object: StoredObject): void {
    this.#drop(object.key);
    if (object.damage !== undefined) this.damaged.add(object.key);
    this.bytes += sizeOf(object);
    this.objects.set(object.key, object);
  }

  /** Applies a change from the log. Skips it if the snapshot's entry, which may be newer than the watermark, already includes it. */
  apply(change: Change): void {
    if (change.version <= (this.objects.get(change.key)?.version ?? 0)) return;
    if (change.type !== 'DELETED') return this.put(itemOf(change));
    this.#drop(change.key);
    this.objects.delete(change.key);
  }

  #drop(key: string): void {
    const known = this.objects.get(key);
    if (known !== undefined) this.bytes -= sizeOf(known);
    this.damaged.delete(key);
  }
}
