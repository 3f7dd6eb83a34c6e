import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settled } from '#test/support/settled.ts';
import { StoreError } from '../errors.ts';
import { type AppendFault, faultySequence } from '../memory/faults.ts';
import { ManualClock } from '../memory/manual-clock.ts';
import { MemoryStore } from '../memory/store.ts';
import type { Change, Sequence, Version } from '../sequence.ts';
import { stampAll } from '../stamp.ts';
import type { StoredObject, WatchEvent } from '../storage.ts';
import { ByteBudget } from './budget.ts';
import { add, overriding, parse, remove, summarize } from './builders.ts';
import { ResourceCache } from './resource-cache.ts';
import { each } from './view.ts';

const RETENTION = 600_000;
const KEYS = ['main//pods/a/x', 'main//pods/a/y', 'main//pods/b/x', 'main//pods/b/z', 'main//pods/c/w'];
const PREFIXES = ['main//pods/', 'main//pods/a/', 'main//pods/b/'];

type Command =
  | { readonly do: 'add' | 'remove' | 'get'; readonly cache: number; readonly key: string }
  | {
      readonly do: 'list' | 'past' | 'stream' | 'watch';
      readonly cache: number;
      readonly prefix: string;
      readonly back: number;
    }
  | { readonly do: 'pages'; readonly cache: number; readonly limit: number }
  | { readonly do: 'compact' | 'settle' }
  | { readonly do: 'pass'; readonly time: number };

const cache = fc.nat({ max: 2 });
const prefix = fc.constantFrom(...PREFIXES);
const key = fc.constantFrom(...KEYS);
const back = fc.nat({ max: 12 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('add', 'add', 'remove', 'get'), cache, key }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('list', 'past', 'stream', 'watch'), cache, prefix, back }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pages'), cache, limit: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('compact', 'settle') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass'), time: fc.constantFrom(60, 1_000, 200_000) }) },
);

/** Everything ever committed: the naive model with which results are compared. */
class History {
  readonly changes = new Map<Version, Change>();
  /** The newest version that any caller has seen. */
  told: Version = 1;

  state(version: Version, under: string): string[] {
    const state = new Map<string, Change>();
    for (const change of this.#ordered()) {
      if (change.version > version || !change.key.startsWith(under)) continue;
      if (change.type === 'DELETED') state.delete(change.key);
      else state.set(change.key, change);
    }
    return [...state.keys()].sort().map((name) => line(name, state.get(name)?.version, state.get(name)?.body));
  }

  between(after: Version, under: string): string[] {
    return this.#ordered()
      .filter((change) => change.version > after && change.key.startsWith(under))
      .map((change) => {
        const before = change.previous && this.changes.get(change.previous.version);
        const now = `${change.type} ${line(change.key, change.version, change.body)}`;
        return before === undefined ? now : `${now} was ${line(before.key, before.version, before.body)}`;
      });
  }

  #ordered(): Change[] {
    return [...this.changes.values()].sort((a, b) => a.version - b.version);
  }
}

function line(name: string, version = 0, body: Uint8Array = Buffer.from('{}')): string {
  const { metadata, text } = parse(body);
  expect(metadata.resourceVersion).toBe(String(version));
  return `${name}@${version}=${text}`;
}

const shown = (object: StoredObject): string => line(object.key, object.version, object.body);

function eventLine(event: Exclude<WatchEvent, { type: 'BOOKMARK' }>): string {
  const now = `${event.type} ${shown(event.object)}`;
  return event.previous === undefined ? now : `${now} was ${shown(event.previous)}`;
}

/** Wraps a sequence to record its commits, even those without a response. */
const recorded = (inner: Sequence, history: History): Sequence =>
  overriding(inner, {
    append: async (after, proposals, options) => {
      const result = await inner.append(after, proposals, options);
      if (result.ok) for (const change of stampAll(after, proposals)) history.changes.set(change.version, change);
      return result;
    },
  });

/** Wraps a sequence with delays before and after each call, spurious conflicts, and winners that are not returned. */
function delaying(inner: Sequence, random: () => number): Sequence {
  const nonces = new Set<string>();
  const ticks = () => (random() % 6 === 0 ? random() % 150 : random() % 12);
  const late = async <T>(call: () => Promise<T>): Promise<T> => {
    for (let n = ticks(); n > 0; n--) await Promise.resolve();
    const value = await call();
    for (let n = ticks(); n > 0; n--) await Promise.resolve();
    return value;
  };
  return overriding(inner, {
    head: () => late(() => inner.head()),
    readLog: (after, options) => late(() => inner.readLog(after, { ...options, limit: Math.min(options.limit, 3) })),
    snapshot: (options) =>
      late(async () => {
        const { from, entries } = await inner.snapshot(options);
        return { from, entries: delayed(entries, () => late(async () => undefined)) };
      }),
    read: (name) => late(() => inner.read(name)),
    append: (after, proposals, options) =>
      late(async () => {
        // Only a first attempt can have a spurious conflict. A repetition is recognized by its nonce.
        const isFirst = !nonces.has(options.nonce);
        nonces.add(options.nonce);
        if (isFirst && random() % 10 === 0) return { ok: false };
        const result = await inner.append(after, proposals, options);
        return !result.ok && random() % 3 === 0 ? { ok: false } : result;
      }),
  });
}

async function* delayed<T>(items: AsyncIterable<T>, wait: () => Promise<undefined>): AsyncGenerator<T> {
  for await (const item of items) {
    await wait();
    yield item;
  }
}

function lcg(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

const FAULTS: readonly AppendFault[] = ['loseAnswer', 'loseRequest', 'loseAnswer', 'throttle'];

class World {
  readonly clock = new ManualClock();
  readonly history = new History();
  readonly inner = new MemoryStore({ clock: this.clock, retention: RETENTION }).sequence('pods');
  readonly caches: ResourceCache[];
  readonly running: Promise<void>[] = [];
  readonly watches: { readonly after: Version; readonly prefix: string; readonly events: string[]; isOver: boolean }[] =
    [];
  readonly abort = new AbortController();
  /** The texts of acknowledged mutations, by version. */
  readonly added = new Map<Version, string>();
  #next = 0;
  #isEnding = false;

  constructor(seed: number, exclusive: boolean) {
    const random = lcg(seed);
    const { clock } = this;
    const inner = recorded(this.inner, this.history);
    const faulty = faultySequence('pods', inner, {
      append: () => (random() % 8 === 0 ? (FAULTS[random() % FAULTS.length] ?? 'none') : 'none'),
      staleness: () => (this.#isEnding ? 0 : random() % 3),
    });
    const sequence = delaying(exclusive ? inner : faulty, random);
    const budgets = [undefined, new ByteBudget(1, clock), new ByteBudget(4_000, clock)];
    const options = { sequence, clock, summarize, retention: RETENTION, exclusive };
    this.caches = (exclusive ? [undefined] : budgets).map(
      (budget) => new ResourceCache({ ...options, ...(budget && { budget }) }),
    );
    if (!exclusive) this.caches.push(new ResourceCache({ ...options, loads: 'sparingly' }));
  }

  start(action: Command): void {
    const started = this.clock.monotonic();
    const run = this.#run(action).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      expect(['Overloaded', 'Unavailable', 'Expired', 'FutureVersion']).toContain(error.code);
      // A reader that sleeps for most of the retention during a read may find nothing left.
      const slept = this.clock.monotonic() - started > RETENTION / 2;
      if (error.code === 'Expired' && !slept) expect(action.do).toMatch(/past|pages|watch/);
    });
    this.running.push(run);
  }

  async #run(action: Command): Promise<void> {
    const { history, clock } = this;
    const of = (on: { cache: number }) => this.caches[on.cache % this.caches.length] as ResourceCache;
    const { told } = history;
    switch (action.do) {
      case 'add':
      case 'remove': {
        const text = `${this.#next++};`;
        const change = action.do === 'add' ? add(action.key, text) : remove;
        const { stored } = await of(action).mutate(action.key, change);
        if (stored === undefined) return this.#expectOneOf(told, action.key, []);
        expect(stored.version).toBeGreaterThan(told);
        history.told = Math.max(history.told, stored.version);
        if (action.do === 'add') this.added.set(stored.version, text);
        return;
      }
      case 'get': {
        const object = await of(action).get(action.key, { kind: 'fresh' });
        return this.#expectOneOf(told, action.key, object === undefined ? [] : [shown(object)]);
      }
      case 'list':
      case 'past': {
        const version = Math.max(1, told - action.back);
        const at = action.do === 'list' ? ({ kind: 'fresh' } as const) : ({ kind: 'exact', version } as const);
        const page = await of(action).list({ prefix: action.prefix, at, limit: 0 });
        if (action.do === 'past') expect(page.version).toBe(version);
        else expect(page.version).toBeGreaterThanOrEqual(told);
        expect(page.objects.map(shown)).toEqual(history.state(page.version, action.prefix));
        history.told = Math.max(history.told, page.version);
        return;
      }
      case 'stream': {
        const { version, batches } = await of(action).stream({ prefix: action.prefix, at: { kind: 'fresh' } });
        expect(version).toBeGreaterThanOrEqual(told);
        const found: string[] = [];
        for await (const object of each(batches)) found.push(shown(object));
        expect(found).toEqual(history.state(version, action.prefix));
        return;
      }
      case 'pages':
        return this.#pages(action.cache, action.limit);
      case 'watch': {
        const after = Math.max(1, told - action.back);
        const { prefix: under } = action;
        const watch = { after, prefix: under, events: [] as string[], isOver: false };
        this.watches.push(watch);
        try {
          const request = { prefix: under, after, signal: this.abort.signal, bookmarks: false };
          const stream = of(action).watch(request);
          for await (const first of stream) {
            for (let event: WatchEvent | undefined = first; event !== undefined; event = stream.take()) {
              if (event.type !== 'BOOKMARK') watch.events.push(eventLine(event));
            }
          }
        } finally {
          watch.isOver = true;
        }
        return;
      }
      case 'compact':
        await this.inner.compact();
        return;
      case 'settle':
        return settled();
      case 'pass':
        clock.advance(action.time);
    }
  }

  /** Checks that a key was read as it was at some version not older than `told`. */
  #expectOneOf(told: Version, name: string, found: string[]): void {
    const versions = [...this.history.changes.keys(), told].filter((version) => version >= told);
    expect(versions.map((version) => this.history.state(version, name))).toContainEqual(found);
  }

  /** Reads each page of a list from another cache. The pages form one consistent list, even with writes in between. */
  async #pages(first: number, limit: number): Promise<void> {
    const pods = 'main//pods/';
    const cacheOf = (turn: number) => this.caches[turn % this.caches.length] as ResourceCache;
    let page = await cacheOf(first).list({ prefix: pods, at: { kind: 'fresh' }, limit });
    const { version } = page;
    const found = page.objects.map(shown);
    for (let turn = first + 1; page.nextAfter !== undefined; turn++) {
      page = await cacheOf(turn).list({
        prefix: pods,
        at: { kind: 'exact', version },
        limit,
        afterKey: page.nextAfter,
      });
      found.push(...page.objects.map(shown));
    }
    expect(found).toEqual(this.history.state(version, pods));
  }

  /** Lets readers that wait for the clock finish. */
  async #settled(): Promise<void> {
    const state = { isOver: false };
    const all = Promise.all(this.running).finally(() => (state.isOver = true));
    for (let i = 0; i < 1_000 && !state.isOver; i++) {
      await settled();
      this.clock.advance(100);
    }
    await all;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    for (let i = 0; i < 12; i++) {
      await settled();
      this.clock.advance(i < 4 ? 500 : 1_500);
    }
    await settled();
    for (const watch of this.watches) {
      const expected = this.history.between(watch.after, watch.prefix);
      if (watch.isOver) expect(watch.events).toEqual(expected.slice(0, watch.events.length));
      else expect(watch.events).toEqual(expected);
    }
    this.abort.abort();
    await this.#settled();
    for (const [version, text] of this.added) {
      const written = [...this.history.changes.values()].filter(
        ({ type, body }) => type !== 'DELETED' && lastOf(body) === text,
      );
      expect(written.map((change) => change.version)).toEqual([version]);
    }
    for (const one of this.caches) one.close();
  }
}

const lastOf = (body: Uint8Array): string => `${parse(body).text.split(';').at(-2)};`;

describe('any interleaving of writes, reads, watches and compactions', () => {
  test.each([
    ['through four caches of one faulty log', false],
    ['through one cache that is the only writer', true],
  ])('has the results of a serial execution %s', async (_, exclusive) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: 5, maxLength: 60, size: 'max' }),
        fc.nat(),
        async (commands, seed) => {
          const world = new World(seed, exclusive);
          const random = lcg(seed + 1);
          for (const one of commands) {
            world.start(one);
            for (let n = random() % 30; n > 0; n--) await Promise.resolve();
          }
          await world.end();
        },
      ),
      { numRuns: Number(process.env['DAVIT_MODEL_RUNS'] ?? 150) },
    );
  });
});
