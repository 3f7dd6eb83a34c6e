import { createHash, randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOOPBACK } from '#functions/apiserver/loopback.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { StoreError } from '#lib/storage/errors.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { EPOCH, type Version } from '#lib/storage/sequence.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { aBody, aProposal, localClient } from '#test/support/dynamodb-local/fixture.ts';
import { anInstance, type Instance } from '#test/support/dynamodb-local/instance.ts';
import { everyEnd, isWrite, mortal, type Strike } from '#test/support/dynamodb-local/mortal-table.ts';
import { inMemory, type NewTable, onDynamoDb } from '#test/support/dynamodb-local/new-table.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { type Call, type Item, intercept, type Table } from './port.ts';
import type { DynamoSequence } from './sequence.ts';
import { dynamoStore } from './store.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const SEQUENCE = 'main//configmaps';
const HOUR = 3_600_000;
/** Later than the current time, because DynamoDB Local deletes expired items. */
const BEGINNING = 1_800_000_000_000;
const PARALLEL = 4;
const isFull = process.env['DAVIT_FULL'] !== undefined;
/**
 * Kills the instance at every n-th point. An odd n kills before some writes and after others. In memory, `npm run test:full` uses every
 * point.
 */
const EVERY = { inMemory: isFull ? 1 : 3, onDynamoDb: isFull ? 5 : 23 };
const [large, larger] = [700_000, 900_000].map((size) => randomBytes(size * 0.75).toString('base64'));

interface World {
  readonly table: Table;
  readonly clock: ManualClock;
}
/** The calls of one client, in order. A repeated call may find that the first attempt succeeded. */
interface Step {
  readonly name: string;
  readonly mayBe?: string;
  run(instance: Instance, world: World): Promise<unknown>;
}
const asked = (name: string, args: [string, string, object?], mayBe?: string): Step => ({
  name,
  ...defined({ mayBe }),
  run: (instance) => instance.request(...args),
});
const aMap = (name: string, a: string, metadata: object = {}) => ({ metadata: { name, ...metadata }, data: { a } });
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'of-a' };
const guarded = { finalizers: ['example.com/guard'], ownerReferences: [owner] };
const compact: Step = { name: 'checkpoint', run: ({ store }) => store.sequence(SEQUENCE).compact() };

const LIFE: readonly Step[] = [
  asked('the first of a kind', ['POST', SECRETS, { metadata: { name: 's' }, stringData: { a: '1' } }], '409'),
  asked('create', ['POST', MAPS, aMap('a', '1')], '409'),
  asked('update', ['PUT', `${MAPS}/a`, aMap('a', '2')]),
  asked('create with an owner and a finalizer', ['POST', MAPS, aMap('b', '1', guarded)], '409'),
  asked('create a large one', ['POST', MAPS, aMap('c', large ?? '')], '409'),
  compact,
  asked('delete, which waits for the finalizer', ['DELETE', `${MAPS}/b`]),
  asked('update the large one', ['PUT', `${MAPS}/c`, aMap('c', larger ?? '')]),
  compact,
  asked('remove the finalizer', ['PATCH', `${MAPS}/b`, { metadata: { finalizers: null } }], '404'),
  asked('make the large one small', ['PUT', `${MAPS}/c`, aMap('c', '1')]),
  compact,
  asked('delete', ['DELETE', `${MAPS}/c`], '404'),
  {
    name: 'checkpoint and drop what is old',
    run: ({ store }, { clock }) => {
      clock.advance(HOUR + 1);
      return store.sequence(SEQUENCE).compact();
    },
  },
  asked('update behind it', ['PUT', `${MAPS}/a`, aMap('a', '3')]),
];

describe('an instance that is killed', () => survivesStrikes(inMemory, EVERY.inMemory));

describeOn(await startDynamoDbLocal(), 'an instance that is killed, on DynamoDB', (endpoint) => {
  let client: DynamoDBClient;
  beforeAll(() => {
    client = localClient(endpoint);
  });
  afterAll(() => client.destroy());
  survivesStrikes(() => onDynamoDb(client)(), EVERY.onDynamoDb);
});

function survivesStrikes(newTable: NewTable, every: number): void {
  async function aWorld() {
    const world = { ...(await newTable()), clock: new ManualClock(BEGINNING) };
    await instanceOf(world).request('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
    return world;
  }

  /** Runs the steps without a kill. Returns the calls, and the state that readers see after each step. */
  async function undisturbed(): Promise<{ calls: readonly Call[]; states: readonly string[] }> {
    const world = await aWorld();
    const { table, calls } = mortal(world.table, undefined);
    const instance = instanceOf({ ...world, table });
    const states = [await stateOf(world)];
    for (const step of LIFE) {
      await step.run(instance, world);
      states.push(await stateOf(world));
    }
    return { calls, states };
  }

  /** Runs one instance until it is killed. The next instance continues at the first call without a response. */
  async function struckLife(strike: Strike, states: readonly string[]): Promise<string[]> {
    const world = await aWorld();
    const watcher = await aWatcher(world);
    const { table, struck } = mortal(world.table, strike);
    const first = instanceOf({ ...world, table: watcher.pacing(table) });
    let steps = 0;
    const life = async (): Promise<void> => {
      for (const step of LIFE) {
        if (step.name.includes('drop')) await watcher.catchUp();
        await step.run(first, world);
        steps++;
      }
    };
    await Promise.race([life(), struck]);
    const wrong: string[] = [];
    const found = await stateOf(world);
    if (found !== states[steps] && found !== states[steps + 1]) {
      wrong.push(`behind ${steps} steps there is ${found}, not ${states[steps]} or ${states[steps + 1]}`);
    }
    const second = instanceOf(world);
    for (const step of LIFE.slice(steps)) {
      if (step.name.includes('drop')) await watcher.catchUp();
      await step.run(second, world).catch((error: unknown) => {
        const isExpected = step.mayBe !== undefined && String(error).includes(`: ${step.mayBe} `);
        if (!isExpected) wrong.push(`${step.name}, again: ${String(error).slice(0, 300)}`);
      });
    }
    const end = await stateOf(world);
    if (end !== states.at(-1)) wrong.push(`at the end there is ${end}, not ${states.at(-1)}`);
    wrong.push(...(await watcher.violations()), ...chunkViolations(await world.ended()));
    return wrong;
  }

  test('loses no acknowledged write, exposes no partial write and sends each change once, if killed at any call', async () => {
    const { calls, states } = await undisturbed();
    const chosen = everyEnd(calls).filter((_, i) => i % every === 0);
    expect(states).toContainEqual(expect.stringMatching(/^a=\w+ b=\w+\+- c=\w+ s=\w+$/));
    expect(calls.filter(isWrite).length).toBeGreaterThan(40);
    console.info(`${chosen.length} strikes at ${calls.length} calls`);
    expect(await all(chosen, (strike) => struckLife(strike, states))).toEqual([]);
  }, 1_800_000);

  /** A log with an entry in chunks, which is partly folded, and a reader that lags behind. */
  async function aLog(table: Table, clock: ManualClock): Promise<DynamoSequence> {
    const sequence = dynamoStore(table, { clock }).sequence('main/things');
    await sequence.append(1, [aProposal('a'), aProposal('c', { body: aBody(larger) })], { nonce: '1' });
    await sequence.compact();
    await sequence.append(3, [aProposal('b'), aProposal('a', { type: 'DELETED' })], { nonce: '2' });
    await sequence.marks.moveCursor('reader', undefined, 3);
    return sequence;
  }

  async function struckEpoch(strike: Strike | undefined): Promise<{ wrong: string[]; calls: readonly Call[] }> {
    const [{ table, ended }, clock] = [await newTable(), new ManualClock(BEGINNING)];
    const stale = await aLog(table, clock);
    const { table: dying, struck, calls } = mortal(table, strike);
    const raised = dynamoStore(dying, { clock }).sequence('main/things').raiseEpoch();
    await (strike === undefined ? raised : Promise.race([raised, struck]));
    const next = dynamoStore(table, { clock }).sequence('main/things');
    const birth = strike === undefined ? await raised : await next.raiseEpoch();
    const there: string[] = [];
    for await (const { key, version } of (await next.snapshot({ prefix: '' })).entries) there.push(`${key}@${version}`);
    const late = await stale.append(5, [aProposal('late')], { nonce: 'late' }).catch((error: StoreError) => error.code);
    const found = [birth % EPOCH, there, late, await next.marks.cursor('reader'), await next.head()];
    const right = [1, ['main//things/default/b@4', 'main//things/default/c@3'], 'Expired', 0, birth];
    const wrong = JSON.stringify(found) === JSON.stringify(right) ? [] : [`it leaves ${JSON.stringify(found)}`];
    return { wrong: [...wrong, ...chunkViolations(await ended())], calls };
  }

  test('finishes the epoch with all data on the next attempt, if killed at any call of a restore', async () => {
    const { wrong, calls } = await struckEpoch(undefined);
    expect(wrong).toEqual([]);
    const ends = everyEnd(calls);
    expect(ends.length).toBeGreaterThan(10);
    const chosen = ends.filter((_, i) => i % every === 0);
    expect(await all(chosen, async (strike) => (await struckEpoch(strike)).wrong)).toEqual([]);
  });
}

/** Collects the violations after each kill, with several kills concurrently. */
async function all(strikes: readonly Strike[], run: (strike: Strike) => Promise<readonly string[]>): Promise<string[]> {
  const wrong: string[] = [];
  const queue = strikes.values();
  const worker = async (): Promise<void> => {
    for (const strike of queue) for (const each of await run(strike)) wrong.push(`${JSON.stringify(strike)}: ${each}`);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return wrong;
}

const instanceOf = ({ table, clock }: World): Instance => anInstance(table, { clock, as: LOOPBACK });

/** All objects as a new instance reads them, without the fields that differ between runs. */
async function stateOf(world: World): Promise<string> {
  const instance = instanceOf(world);
  const lists = [];
  for (const path of [MAPS, SECRETS]) lists.push(JSON.parse(await instance.request('GET', path)) as List);
  await instance.server.close();
  const shown = lists.flatMap(({ items }) =>
    items.map(({ metadata: { name, finalizers = [], deletionTimestamp }, data }) => {
      const content = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 8);
      return `${name}=${content}${finalizers.length > 0 ? '+' : ''}${deletionTimestamp === undefined ? '' : '-'}`;
    }),
  );
  return shown.join(' ');
}

interface List {
  readonly items: readonly {
    readonly metadata: {
      readonly name: string;
      readonly finalizers?: readonly string[];
      readonly deletionTimestamp?: string;
    };
    readonly data: object;
  }[];
}

/** A client that watches from before the instance starts until after it ends. */
async function aWatcher(world: World) {
  const clock = new ManualClock(world.clock.now());
  const instance = anInstance(world.table, { clock, as: LOOPBACK });
  const storage = instance.server.storageOf({ group: '', resource: 'configmaps' });
  const ending = new AbortController();
  const prefix = `${SEQUENCE}/default/`;
  const after = await storage.head();
  const wrong: string[] = [];
  const known = new Map<string, Version>();
  const watched = (async () => {
    let last = after;
    for await (const event of storage.watch({ prefix, after, signal: ending.signal, bookmarks: false })) {
      if (event.type === 'BOOKMARK') continue;
      const { key, version, previous, type } = event.change;
      if (version <= last) wrong.push(`watch: ${version} behind ${last}`);
      if (previous?.version !== known.get(key)) wrong.push(`watch: ${key} at ${version} follows ${previous?.version}`);
      if (type === 'DELETED') known.delete(key);
      else known.set(key, version);
      last = version;
    }
  })();
  const catchUp = () => storage.head();
  return {
    catchUp,
    /** Wraps `table` so that time passes for the watcher at each write. The watcher then polls the log between writes. */
    pacing: (table: Table): Table =>
      intercept(table, (call, next) => {
        if (isWrite(call)) clock.advance(1_000);
        return next();
      }),
    violations: async (): Promise<string[]> => {
      await catchUp();
      const page = await storage.list({ prefix, at: { kind: 'fresh' }, limit: 0 });
      ending.abort();
      await watched;
      const seen = [...known].toSorted().join(' ');
      const there = page.objects
        .map(({ key, version }) => [key, version])
        .toSorted()
        .join(' ');
      if (seen !== there) wrong.push(`watch: ${seen} was seen, ${there} is there`);
      return wrong;
    },
  };
}

/** Checks that every set of chunks is complete if an item refers to it. Other sets expire by themselves. */
function chunkViolations(items: readonly Item[]): string[] {
  const referred = new Map<string, number>();
  for (const { pk, sk, n, c, p } of items) {
    const [kind = '', ...name] = pk?.S?.split('/') ?? [];
    if (c?.S === undefined) continue;
    const of = kind === 'log' ? `/${n?.S}` : sk?.S;
    referred.set(`chunk/${name.join('/')}/${of} ${c.S}`, Number(p?.N));
  }
  const wrong: string[] = [];
  for (const { pk, sk, ttl } of items) {
    if (pk?.S?.startsWith('chunk/') !== true) continue;
    const set = `${pk.S} ${sk?.S?.slice(0, sk.S.lastIndexOf('/'))}`;
    const left = referred.get(set);
    if (left === undefined && ttl === undefined) wrong.push(`chunk: nothing refers to ${set}`);
    if (left !== undefined) referred.set(set, left - 1);
  }
  for (const [set, left] of referred) if (left !== 0) wrong.push(`chunk: ${set} lacks ${left} parts`);
  return wrong;
}
