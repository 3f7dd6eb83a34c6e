import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { changeOf } from '#lib/client/controller/object-change.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryDisk, MemoryStore } from '#lib/storage/memory/store.ts';
import type { Change, Version } from '#lib/storage/sequence.ts';
import { RETENTION, serverInProcess } from '../server-in-process.ts';

/** Creates the reconcilers of one process, which die with its client. `world` has everything else that they use. */
export type Reconcilers = (client: Client, clock: Clock, world: World) => readonly Reconciler[];

/** How often a requeued key is retried before the world counts as settled. */
const PATIENCE = 6;
const ROUNDS = 400;

interface WorldOptions {
  readonly disk?: MemoryDisk;
  readonly now?: number;
  readonly tokens?: ReadonlyMap<string, User>;
}

/** An API server in memory, its log, and reconcilers that are stepped until no work is left, without timers or threads. */
export class World {
  readonly clock: ManualClock;
  readonly store: MemoryStore;
  readonly faults: unknown[];
  readonly server: Apiserver;
  /** The client for everything except the reconcilers. */
  readonly user: Client;
  readonly #disk: MemoryDisk;

  /** `tokens` maps bearer tokens to additional users. */
  constructor({ disk = new MemoryDisk(), now, tokens = new Map() }: WorldOptions = {}) {
    this.#disk = disk;
    this.clock = new ManualClock(now);
    this.store = new MemoryStore({ clock: this.clock, retention: RETENTION, disk });
    const { server, faults } = serverInProcess({ store: this.store, clock: this.clock, tokens });
    this.server = server;
    this.faults = faults;
    this.user = this.newClient('kubectl');
  }

  /** A world with the same history. */
  fork(): World {
    return new World({ disk: this.#disk.fork(), now: this.clock.now() });
  }

  newClient(userAgent: string, token = this.server.loopbackToken): Client {
    return apiClient({ handle: this.server.handle, token, userAgent });
  }

  /** The heads of all sequences. If they are equal before and after, no write happened. */
  async heads(): Promise<Record<string, Version>> {
    const names = await this.store.names();
    return Object.fromEntries(await Promise.all(names.map(async (n) => [n, await this.store.sequence(n).head()])));
  }

  /** The heads as text, read synchronously. */
  state(): string {
    return Array.from(this.#disk.logs, ([name, { head }]) => `${name} ${head}`).join();
  }

  /** Runs a new process of reconcilers until the world is settled, or until its client is dead. */
  async run(make: Reconcilers, client: Client = this.newClient('controllers'), isDead = () => false): Promise<void> {
    const process = new Process(this, make(client, this.clock, this), isDead);
    await process.settle();
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.store.close();
  }
}

class Process {
  readonly #world: World;
  readonly #reconcilers: readonly Reconciler[];
  readonly #isDead: () => boolean;
  readonly #places = new Map<string, Version>();
  readonly #due = new Map<string, { readonly reconciler: Reconciler; readonly key: string }>();
  readonly #later = new Map<string, { readonly reconciler: Reconciler; readonly key: string }>();

  constructor(world: World, reconcilers: readonly Reconciler[], isDead: () => boolean) {
    this.#world = world;
    this.#reconcilers = reconcilers;
    this.#isDead = isDead;
    for (const reconciler of reconcilers) for (const key of reconciler.initial ?? []) this.#add(reconciler, key);
  }

  #add(reconciler: Reconciler, key: string): void {
    this.#due.set(`${reconciler.name} ${key}`, { reconciler, key });
  }

  async settle(): Promise<void> {
    let patience = PATIENCE;
    for (let round = 0; round < ROUNDS; round++) {
      await this.#read();
      if (this.#due.size === 0) {
        if (this.#later.size === 0 || patience-- === 0) return;
        this.#world.clock.advance(20_000);
        for (const [name, work] of this.#later) this.#due.set(name, work);
        this.#later.clear();
      }
      for (const [name, work] of Array.from(this.#due)) {
        this.#due.delete(name);
        await this.#work(name, work);
        if (this.#isDead()) return;
      }
    }
    throw new Error(`not settled after ${ROUNDS} rounds: ${[...this.#due.keys(), ...this.#later.keys()].join(', ')}`);
  }

  async #work(name: string, work: { reconciler: Reconciler; key: string }): Promise<void> {
    try {
      const result = await work.reconciler.reconcile(work.key);
      if (result !== undefined) this.#later.set(name, work);
    } catch (error) {
      if (!this.#isDead() && !isConflict(error)) this.#world.faults.push(error);
      this.#later.set(name, work);
    }
  }

  /** Delivers changes since the last call. For a sequence that is new to this process, delivers its objects. */
  async #read(): Promise<void> {
    for (const name of await this.#world.store.names()) {
      const place = this.#places.get(name);
      const { changes, last } = await this.#world.store
        .sequence(name)
        .readLog(place ?? 0, { limit: 1e6, consistent: true });
      this.#places.set(name, last);
      for (const change of place === undefined ? latest(changes) : changes)
        this.#deliver(changeOf(change.type, { ...change, summary: change }));
    }
  }

  #deliver(change: ObjectChange): void {
    for (const reconciler of this.#reconcilers) for (const key of reconciler.keys(change)) this.#add(reconciler, key);
  }
}

function latest(changes: readonly Change[]): Change[] {
  const objects = new Map<string, Change>();
  for (const change of changes) {
    if (change.type === 'DELETED') objects.delete(change.key);
    else objects.set(change.key, { ...change, type: 'ADDED' });
  }
  return [...objects.values()];
}

const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'reason' in error && error.reason === 'Conflict';

/** Stores a copy of an object in another namespace directly, like a create that was admitted before the namespace terminated. */
export async function stray(world: World, resource: string, from: string, to: string, name: string): Promise<void> {
  const storage = world.server.storageOf({ group: '', resource });
  const keyIn = (namespace: string): string => `${DEFAULT_CLUSTER}//${resource}/${namespace}/${name}`;
  const stored = await storage.get(keyIn(from), { kind: 'fresh' });
  if (stored === undefined) throw new Error(`${keyIn(from)} is not there`);
  const body = Buffer.from(Buffer.from(stored.body).toString().replace(`"namespace":"${from}"`, `"namespace":"${to}"`));
  await storage.mutate(keyIn(to), () => ({ action: 'put', body, summary: stored.summary, result: undefined }));
}
