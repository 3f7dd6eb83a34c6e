import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { CONTINUE_LIFETIME } from '../continue.ts';
import { type OnDamage, readable, readableOf } from '../damage.ts';
import { StoreError } from '../errors.ts';
import type { Sequence, Version } from '../sequence.ts';
import type {
  EventStream,
  ListPage,
  ListRequest,
  MutationResult,
  ObjectStream,
  Outcome,
  ReadAt,
  Storage,
  StoredObject,
  WatchRequest,
} from '../storage.ts';
import type { ByteBudget } from './budget.ts';
import { Committer } from './committer.ts';
import { Follower } from './follower.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Summarize } from './item.ts';
import { LoadPolicy, type Loads, PAGED, type Use, useOf, useOfWatch } from './load-policy.ts';
import { Loader } from './loader.ts';
import { readKey } from './log-reader.ts';
import type { Instant } from './proof.ts';
import { readAt } from './read-at.ts';
import { sizeAt } from './size-at.ts';
import { batchesOf, collect, collectStream, each, matching, matchingWhere, PastView, type View } from './view.ts';
import { Watcher } from './watcher.ts';

/** The maximum age in ms of the proof of the head for a read of kind `any`. */
const RECENT = 5_000;
/** The time in ms for which a read waits for a version above the head, and its poll interval. */
const PATIENCE = 3_000;
const LOOK = 50;
const RETENTION = 3_600_000;

/** The ports and limits of a resource cache. */
export interface ResourceCacheOptions {
  readonly sequence: Sequence;
  readonly clock: Clock;
  readonly summarize: Summarize;
  /** Whether this process is the only writer of the store. A lock must ensure this. Reads then need no request. */
  readonly exclusive?: boolean;
  /** The time in ms for which the log keeps checkpointed entries. The default is an hour. */
  readonly retention?: number;
  readonly budget?: ByteBudget;
  /** When the cache loads the sequence into memory. The default is `readily`. An exclusive cache always loads on first use. */
  readonly loads?: Loads;
  readonly nonce?: () => string;
  /** Called with the version of each change that a mutation committed, in the context of its caller. */
  readonly committed?: (version: Version) => void;
}

/** The objects of one sequence: upstream's Cacher and etcd3 store combined. */
export class ResourceCache implements Storage {
  readonly #options: ResourceCacheOptions;
  readonly #follower: Follower;
  readonly #loader: Loader;
  readonly #committer: Committer;
  readonly #heartbeat: Heartbeat;
  readonly #policy: LoadPolicy;
  #isClosed = false;

  constructor(options: ResourceCacheOptions) {
    const { sequence, clock, summarize, exclusive = false, retention = RETENTION, budget } = options;
    this.#options = options;
    this.#policy = new LoadPolicy(exclusive ? 'readily' : (options.loads ?? 'readily'));
    this.#follower = new Follower({
      sequence,
      clock,
      summarize,
      exclusive,
      retention,
      onActive: (active) => (active ? this.#heartbeat.start() : this.#heartbeat.stop()),
      onApplied: () => this.#loader.settle(),
      onLeftBehind: () => this.#policy.leftBehind(),
    });
    const follower = this.#follower;
    this.#loader = new Loader({ sequence, follower, clock, summarize, budget });
    const nonce = options.nonce ?? randomUUID;
    this.#committer = new Committer({ sequence, follower, clock, nonce });
    this.#heartbeat = new Heartbeat({
      clock,
      bookmark: () => follower.hub.bookmark(follower.replica.head),
      ...(exclusive ? {} : { poll: () => this.#poll() }),
    });
  }

  async get(key: string, at: ReadAt): Promise<StoredObject | undefined> {
    const follower = this.#follower;
    const { replica, proof } = follower;
    if (this.#isCertain(at) && replica.knows(new Set([key]))) return this.#mended(key, replica.lookup(key));
    const arrived = proof.now();
    if (this.#needsLoad()) await this.#makeReady('point');
    if (replica.loaded !== undefined) await this.#reach(at, arrived);
    for (const keys = new Set([key]); replica.loaded !== undefined; await follower.hold(keys)) {
      if (replica.knows(keys)) return this.#mended(key, replica.lookup(key));
    }
    if (at.kind === 'notOlderThan') await this.#reach(at, arrived);
    return readable((await follower.read(key)).object);
  }

  /** Returns the object. Reads a damaged object again, because its encryption key may be available by now. Throws the damage otherwise. */
  #mended(key: string, object: StoredObject | undefined): StoredObject | undefined | Promise<StoredObject | undefined> {
    return object?.damage === undefined ? object : this.#readAgain(key);
  }

  async #readAgain(key: string, leaveOut?: OnDamage): Promise<StoredObject | undefined> {
    const { object } = await readKey(this.#options.sequence, key, this.#options.summarize);
    const [read] = readableOf(object === undefined ? [] : [object], leaveOut);
    if (read !== undefined) this.#follower.replica.mend(read);
    return read;
  }

  /**
   * Throws if an object under the prefix is damaged and may not be left out. This check is necessary because an index contains no damaged
   * objects.
   */
  async #mendAll({ prefix, leaveOut }: Pick<ListRequest, 'prefix' | 'leaveOut'>): Promise<void> {
    for (const key of this.#follower.replica.damagedUnder(prefix)) await this.#readAgain(key, leaveOut);
  }

  async list(request: ListRequest): Promise<ListPage> {
    const version = await this.#versionOf(request);
    await this.#mendAll(request);
    const { outlines } = request;
    const { view, matched } = this.#narrowed(request, version);
    if (view === undefined) {
      const found = await collectStream(this.#readAt(request, version), matched, version);
      return matched.matches === undefined ? this.#counted(found, request) : found;
    }
    const page = collect(view, matched, version);
    return outlines === true ? page : this.#completed(page, request);
  }

  /** Adds the number of remaining objects to the page. Loads the sequence for this if it is small enough. */
  async #counted(page: ListPage, { prefix }: ListRequest): Promise<ListPage> {
    const { nextAfter, version } = page;
    if (nextAfter === undefined || !this.#policy.isSparing) return page;
    await this.#loader.load(PAGED);
    const view = this.#viewAt(version);
    return view === undefined ? page : { ...page, remaining: view.count(prefix, nextAfter) };
  }

  /** Completes the page with the bodies of its outlines. Each body is read from the store once and then kept. */
  async #completed(page: ListPage, request: ListRequest): Promise<ListPage> {
    const { replica } = this.#follower;
    const bodies = new Map(page.objects.map((object) => [object.key, replica.whole(object)]));
    let missing = page.objects.filter(({ key }) => bodies.get(key) === undefined).length;
    if (missing > 0) {
      for await (const object of each(this.#readAt(request, page.version))) {
        if (!bodies.has(object.key) || bodies.get(object.key) !== undefined) continue;
        bodies.set(object.key, object);
        replica.complete(object);
        if (--missing === 0) break;
      }
      this.#loader.settle();
    }
    return { ...page, objects: page.objects.map(({ key }) => bodies.get(key) ?? lost(key)) };
  }

  async stream(request: Omit<ListRequest, 'limit' | 'outlines'>): Promise<ObjectStream> {
    const version = await this.#versionOf(request);
    await this.#mendAll(request);
    const { view, matched } = this.#narrowed(request, version);
    const { matches, ...rest } = matched;
    const all = { ...rest, limit: 0 };
    const { whole } = this.#follower.replica;
    const found = view && collect(view, all, version).objects.map(whole);
    if (found?.every((object) => object !== undefined) === true) {
      const size = async () => ({
        objects: found.length,
        bytes: found.reduce((sum, { body }) => sum + body.length, 0),
      });
      return { version, batches: matching(batchesOf(found), matches), size };
    }
    const batches = matching(this.#readAt(request, version), matches);
    if (request.where !== undefined && 'field' in request.where) return { version, batches }; // an index may make the list cheaper than its size
    const { sequence } = this.#options;
    return { version, batches, size: () => sizeAt({ sequence, prefix: request.prefix, version }) };
  }

  async mutate<T>(key: string, fn: (current: StoredObject | undefined) => Outcome<T>): Promise<MutationResult<T>> {
    if (this.#needsLoad()) await this.#makeReady('point');
    await this.#mended(key, this.#follower.replica.lookup(key));
    const done = await this.#committer.commit(key, (current) => fn(readable(current)));
    if (done.stored !== undefined) this.#options.committed?.(done.stored.version);
    return done;
  }

  async discard(key: string, body: Uint8Array): Promise<boolean> {
    if (this.#needsLoad()) await this.#makeReady('point');
    const { result } = await this.#committer.commit(key, (current) =>
      current?.damage === undefined ? { action: 'keep', result: false } : { action: 'delete', body, result: true },
    );
    return result;
  }

  watch(request: WatchRequest): EventStream {
    const { sequence } = this.#options;
    const follower = this.#follower;
    const ready = async () => {
      await this.#makeReady(useOfWatch(request));
      if (follower.replica.head < request.after) await follower.fresh(); // a version still above the head is in the future
    };
    return new Watcher({ sequence, follower, request, ready, checkOpen: () => this.#checkOpen() });
  }

  async head(at: ReadAt = { kind: 'fresh' }): Promise<Version> {
    return this.#headAt(at, 'head');
  }

  /** Releases the memory. Later reads go to the store, and watches continue. */
  forget(): void {
    this.#options.budget?.resize(this.#loader, 0);
    this.#loader.evict();
  }

  /** Ends the watches and rejects queued mutations. The sequence stays open. */
  close(): void {
    this.#isClosed = true;
    this.#committer.close();
    this.#follower.hub.endAll();
    this.#options.budget?.resize(this.#loader, 0);
    this.#follower.replica.reset();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreError('Closed', 'the cache is closed');
  }

  #needsLoad(): boolean {
    return this.#follower.replica.loaded === undefined || this.#isStale() || this.#isClosed;
  }

  /** Whether memory alone can serve the read. In an exclusive process, most reads then complete without waiting. */
  #isCertain({ kind }: ReadAt): boolean {
    const follower = this.#follower;
    const options = this.#options;
    if (this.#isClosed || !follower.isSure || follower.replica.loaded === undefined) return false;
    this.#loader.lastUsed = options.clock.monotonic();
    return kind === 'fresh' || kind === 'any';
  }

  /** Whether the state is so old that the log may have dropped the changes after it. */
  #isStale(): boolean {
    const follower = this.#follower;
    const options = this.#options;
    const age = options.exclusive === true ? 0 : follower.proof.age();
    return follower.replica.head !== 0 && age > (options.retention ?? RETENTION) / 2;
  }

  /** Loads as much as the policy allows for such a read. Otherwise reads only the head. */
  async #makeReady(use: Use): Promise<void> {
    this.#checkOpen();
    const follower = this.#follower;
    if (this.#isStale()) follower.reset();
    const bound = this.#options.exclusive === true ? Number.POSITIVE_INFINITY : this.#policy.bound(use);
    if (bound > 0) await this.#loader.load(bound);
    if (follower.replica.head === 0) await follower.begin();
  }

  /** Brings the replica to a state that a read may see. */
  async #reach(at: ReadAt, arrived: Instant): Promise<void> {
    const follower = this.#follower;
    this.#loader.lastUsed = this.#options.clock.monotonic();
    if (at.kind === 'fresh') return follower.fresh(arrived);
    if (at.kind === 'notOlderThan' || at.kind === 'exact') return this.#waitFor(at.version);
    if (!follower.isSure && follower.proof.age() > (at.within ?? RECENT)) await follower.fresh();
  }

  async #waitFor(version: Version): Promise<void> {
    const follower = this.#follower;
    const options = this.#options;
    const { clock } = options;
    const started = clock.monotonic();
    while (follower.replica.head < version) {
      await follower.fresh();
      const { head } = follower.replica;
      if (head >= version) return;
      if (clock.monotonic() - started >= PATIENCE) {
        throw new StoreError('FutureVersion', `version ${version} is above the head`, { head, requested: version });
      }
      await clock.sleep(LOOK);
    }
  }

  /** Returns the replica's head after it satisfies `at`. Repeats if the replica was reset meanwhile. */
  async #headAt(at: ReadAt, use: Use): Promise<Version> {
    const { replica, proof } = this.#follower;
    const arrived = proof.now();
    do {
      if (this.#needsLoad()) await this.#makeReady(use);
      await this.#reach(at, arrived);
    } while (replica.head === 0);
    return replica.head;
  }

  /** The version of the state that a list shows. Throws Expired or FutureVersion. */
  async #versionOf(request: Pick<ListRequest, 'at' | 'prefix' | 'where'> & { limit?: number }): Promise<Version> {
    const { at } = request;
    const head = this.#isCertain(at) ? this.#follower.replica.head : await this.#headAt(at, useOf(request));
    if (at.kind !== 'exact') return head;
    const { version, issuedAt } = at;
    if (issuedAt !== undefined && this.#options.clock.now() - issuedAt > CONTINUE_LIFETIME) await this.#expire(version);
    return version;
  }

  /** Throws Expired. Ensures first that a subsequent list has a different version from the expired one. */
  async #expire(version: Version): Promise<never> {
    const follower = this.#follower;
    const options = this.#options;
    await follower.fresh();
    const after = follower.replica.head;
    if (after === version) {
      const started = follower.proof.now();
      const nonce = (options.nonce ?? randomUUID)();
      const result = await options.sequence.append(after, [], { nonce });
      if (result.ok) await follower.admitOwn({ after, changes: [], last: result.last }, started);
    }
    const { head } = follower.replica;
    throw new StoreError('Expired', `version ${version} is no longer held`, { head });
  }

  /** The candidate objects at a version if they are in memory, and the request with the remaining conditions. */
  #narrowed<R extends Omit<ListRequest, 'limit'> & { limit?: number }>(request: R, version: Version) {
    const { where, limit = 0 } = request;
    const { replica } = this.#follower;
    // A page ends at its limit only if more keys follow, matching or not, so non-matching objects count too.
    const mayNarrow = where !== undefined && limit === 0 && version === replica.head;
    const indexed = mayNarrow ? replica.indexed(where) : undefined;
    if (indexed !== undefined) return { view: indexed, matched: request };
    const matched = where === undefined ? request : { ...request, matches: matchingWhere(where, request.matches) };
    return { view: this.#viewAt(version), matched };
  }

  /** The objects at a version, if they are in memory. */
  #viewAt(version: Version): View | undefined {
    const { loaded, ring, head } = this.#follower.replica;
    if (loaded === undefined || version === head) return loaded;
    return version >= ring.floor && version < head ? new PastView(loaded, ring.undo(version)) : undefined;
  }

  #readAt(request: Omit<ListRequest, 'limit'> & { limit?: number }, version: Version): ObjectStream['batches'] {
    const { sequence, summarize } = this.#options;
    const { prefix, afterKey, leaveOut, limit = 0 } = request;
    const where = request.where !== undefined && 'field' in request.where ? request.where : undefined;
    const expected = limit > 0 ? limit + 1 : undefined;
    return readAt({ sequence, summarize, prefix, version, leaveOut, ...defined({ afterKey, expected, where }) });
  }

  async #poll(): Promise<boolean> {
    const follower = this.#follower;
    const before = follower.replica.head;
    try {
      await follower.poll();
    } catch (error) {
      if (!(error instanceof StoreError) || !isPassing(error)) follower.hub.endAll(asStoreError(error));
    }
    return follower.replica.head !== before;
  }
}

function lost(key: string): never {
  throw new StoreError('Corrupt', `the body of ${key} is lost`);
}

const isPassing = ({ code }: StoreError): boolean => code === 'Unavailable' || code === 'Overloaded';

const asStoreError = (error: unknown): StoreError =>
  error instanceof StoreError ? error : new StoreError('Unavailable', 'the log cannot be followed', { cause: error });
