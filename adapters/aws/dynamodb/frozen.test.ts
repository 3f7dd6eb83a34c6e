import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOOPBACK } from '#functions/apiserver/loopback.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { Change, Version } from '#lib/storage/sequence.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { FreezableClock, localClient } from '#test/support/dynamodb-local/fixture.ts';
import { anInstance, type Instance } from '#test/support/dynamodb-local/instance.ts';
import { mortal, type Strike } from '#test/support/dynamodb-local/mortal-table.ts';
import { inMemory, type NewTable, onDynamoDb } from '#test/support/dynamodb-local/new-table.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { eventually } from '#test/support/eventually.ts';
import type { Call } from './port.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SEQUENCE = 'main//configmaps';
const PREFIX = `${SEQUENCE}/default/`;
const HOUR = 3_600_000;
/** The service refuses requests whose signatures are older than this. */
const WINDOW = 5 * 60_000;
/** Later than the current time, because DynamoDB Local deletes expired items. */
const BEGINNING = 1_800_000_000_000;
const PARALLEL = 4;
const isFull = process.env['DAVIT_FULL'] !== undefined;
/**
 * Freezes the instance at every n-th point. Each call has three points, so n is not a multiple of three. In memory, `npm run test:full`
 * uses every point.
 */
const EVERY = { inMemory: isFull ? 1 : 4, onDynamoDb: isFull ? 5 : 26 };
/** Marks the writes of the frozen instance. */
const MARK = 'of-the-frozen-one';
const large = randomBytes(600_000).toString('base64');
const aMap = (name: string, a: string, metadata: object = {}) => ({ metadata: { name, ...metadata }, data: { a } });

type Act = (instance: Instance, seen: string) => Promise<unknown>;
/** The action during which an instance freezes. `seen` is the object `a` as its client read it. */
const ACTS: Readonly<Record<string, Act>> = {
  create: (i) => i.request('POST', MAPS, aMap('new', MARK)),
  'create a large one': (i) => i.request('POST', MAPS, aMap('new', MARK + large)),
  update: (i) => i.request('PUT', `${MAPS}/a`, aMap('a', MARK)),
  'update what was read': (i, seen) => i.request('PUT', `${MAPS}/a`, aMap('a', MARK, { resourceVersion: seen })),
  patch: (i) => i.request('PATCH', `${MAPS}/a`, { data: { b: MARK } }),
  delete: (i) => i.request('DELETE', `${MAPS}/b`),
  'remove a finalizer': (i) => i.request('PATCH', `${MAPS}/guarded`, { metadata: { finalizers: null } }),
  get: (i) => i.request('GET', `${MAPS}/a`),
  list: (i) => i.request('GET', MAPS),
  checkpoint: (i) => i.store.sequence(SEQUENCE).compact(),
};

interface Seen {
  readonly changes: Change[];
  /** How the watch ended: `ended`, or its error. Undefined while the watch runs. */
  ended?: unknown;
  close(): void;
}

function watch(instance: Instance, after: Version): Seen {
  const ending = new AbortController();
  const storage = instance.server.storageOf({ group: '', resource: 'configmaps' });
  const seen: Seen = { changes: [], close: () => ending.abort() };
  const events = storage.watch({ prefix: PREFIX, after, signal: ending.signal, bookmarks: false });
  const follow = async (): Promise<void> => {
    for await (const event of events) if (event.type !== 'BOOKMARK') seen.changes.push(event.change);
  };
  void follow().then(
    () => (seen.ended = 'ended'),
    (error: unknown) => (seen.ended = error),
  );
  return seen;
}

/** Records everything committed after a version, as long as it reads entries before they are dropped. */
interface Recorded {
  readonly changes: Change[];
  catchUp(): Promise<void>;
}

function aRecord({ store }: Instance, from: Version): Recorded {
  const changes: Change[] = [];
  let after = from;
  const catchUp = async (): Promise<void> => {
    const page = await store.sequence(SEQUENCE).readLog(after, { limit: 1_000, consistent: true });
    changes.push(...page.changes);
    after = page.last;
  };
  return { changes, catchUp };
}

const headOf = (instance: Instance): Promise<Version> =>
  instance.server.storageOf({ group: '', resource: 'configmaps' }).head();
const show = ({ version, type, key }: Change): string => `${type} ${key.slice(PREFIX.length)}@${version}`;
const versionOf = (text: string): string =>
  (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;

describe('an environment that is frozen for hours and thawed', () => freezes(inMemory, EVERY.inMemory));

describeOn(
  await startDynamoDbLocal(),
  'an environment that is frozen for hours and thawed, on DynamoDB',
  (endpoint) => {
    let client: DynamoDBClient;
    beforeAll(() => {
      client = localClient(endpoint);
    });
    afterAll(() => client.destroy());
    freezes(() => onDynamoDb(client)(), EVERY.onDynamoDb);
  },
);

function freezes(newTable: NewTable, every: number): void {
  /** Freezes an instance that has a watch and has handled requests. Returns its calls and the later violations. */
  async function freeze(act: Act, strike: Strike | undefined, stopsMonotonic: boolean) {
    const [{ table, ended }, clock] = [await newTable(), new ManualClock(BEGINNING)];
    const others = anInstance(table, { clock, as: LOOPBACK });
    await others.request('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
    for (const each of ['a', 'b']) await others.request('POST', MAPS, aMap(each, '1'));
    await others.request('POST', MAPS, aMap('guarded', '1', { finalizers: ['example.com/guard'] }));
    await others.request('DELETE', `${MAPS}/guarded`);
    const log = aRecord(others, await headOf(others));
    let thaw = (): void => undefined;
    const time = new FreezableClock(clock);
    const frozen = mortal(table, undefined, {
      thaw: new Promise<void>((resolve) => (thaw = resolve)),
      now: () => clock.now(),
      arriving: (call, sentAt) => checkDate(call, sentAt, clock.now()),
    });
    const instance = anInstance(frozen.table, { clock: time, as: LOOPBACK });
    for (let i = 0; i < 2; i++) await instance.request('GET', MAPS); // the second list loads the type before the watch
    const seen = versionOf(await instance.request('GET', `${MAPS}/a`));
    const watched = watch(instance, await headOf(instance));
    frozen.arm(strike);
    const outcome = act(instance, seen).then(
      () => 'done',
      (error: unknown) => String(error),
    );
    if (strike === undefined) {
      expect(await outcome).toBe('done');
      const calls = [...frozen.calls];
      await end([instance, others], watched);
      await ended();
      return { calls, wrong: [] };
    }
    await frozen.struck;
    await workForHours(others, clock, log);
    if (stopsMonotonic) time.lose(3 * HOUR);
    thaw();
    const told = await outcome;
    const wrong = await wrongAfter({ instance, others, watched, log, told });
    await end([instance, others], watched);
    await ended();
    return { calls: [], wrong };
  }

  async function end(instances: readonly Instance[], watched: Seen) {
    watched.close();
    await Promise.all(instances.map(({ server }) => server.close()));
  }

  const CASES = Object.entries(ACTS);

  test.each(CASES)(
    'stays consistent if frozen at every call of %s',
    async (_, act) => {
      const { calls } = await freeze(act, undefined, false);
      expect(calls.length).toBeGreaterThan(0);
      const strikes = calls.flatMap((_call, i) =>
        (['before', 'done', 'done and lost'] as const).map((when) => ({ call: i + 1, when })),
      );
      const chosen = [...strikes.entries()].filter(
        ([i]) => (i + 1) % every === 0 || (strikes.length < every && i === 0),
      );
      const wrong: string[] = [];
      const queue = chosen.values();
      const worker = async (): Promise<void> => {
        for (const [i, strike] of queue) {
          const found = await freeze(act, strike, i % 2 === 0);
          wrong.push(...found.wrong.map((each) => `${JSON.stringify(strike)}: ${each}`));
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, worker));
      expect(wrong).toEqual([]);
    },
    600_000,
  );
}

/** Refuses requests with old signatures, as the service does. */
function checkDate(call: Call, sentAt: number, now: number): void {
  const signedAt = (call.operation === 'put' ? call.signedAt : undefined) ?? sentAt;
  if (now - signedAt > WINDOW)
    throw Object.assign(new Error('the signature expired'), { name: 'InvalidSignatureException' });
}

/** Another instance writes the same objects and others, and drops all log entries older than an hour. */
async function workForHours(others: Instance, clock: ManualClock, log: Recorded): Promise<void> {
  for (let hour = 1; hour <= 3; hour++) {
    await others.request('PATCH', `${MAPS}/a`, { data: { a: `others-${hour}` } });
    await others.request('POST', MAPS, aMap(`others-${hour}`, '1'));
    await log.catchUp();
    clock.advance(HOUR);
    await others.store.sequence(SEQUENCE).compact();
  }
  clock.advance(HOUR / 6);
  await others.store.sequence(SEQUENCE).compact();
  await others.request('PATCH', `${MAPS}/a`, { data: { a: 'others-4' } });
}

interface After {
  readonly instance: Instance;
  readonly others: Instance;
  readonly watched: Seen;
  readonly log: Recorded;
  readonly told: string;
}

async function wrongAfter({ instance, others, watched, log, told }: After): Promise<string[]> {
  const wrong: string[] = [];
  const check = (holds: boolean, what: () => string): void => void (holds || wrong.push(what()));
  const both = (path: string): Promise<string[]> =>
    Promise.all([instance, others].map((each) => each.request('GET', path)));
  for (const path of [MAPS, `${MAPS}/a`]) {
    let read = await both(path);
    // A write that failed with a time-out may still arrive, even between two reads.
    for (let i = 0; i < 100 && told.includes(': 504 ') && read[0] !== read[1]; i++) read = await both(path);
    check(read[0] === read[1], () => `it reads ${read[0]?.slice(0, 600)}, others ${read[1]?.slice(0, 600)}`);
  }
  await instance.request('POST', MAPS, aMap('behind-the-thaw', '1'));
  const head = await headOf(others);
  await log.catchUp();
  const marks = log.changes.filter(({ body, key }, i) => {
    const before = log.changes.slice(0, i).findLast((change) => change.key === key);
    return hasMark(body) && (before === undefined || !hasMark(before.body));
  });
  check(marks.length <= 1, () => `it wrote ${marks.map(show).join()}`);
  const ended = log.changes.filter(({ type }) => type === 'DELETED');
  check(ended.length <= 1, () => `it deleted ${ended.map(show).join()}`);
  const isKnownUndone = /: (404|409|410|422|429) /.test(told);
  check(!isKnownUndone || marks.length === 0, () => `${told.slice(0, 200)}, but it wrote ${marks.map(show).join()}`);
  await eventually(() => watched.ended !== undefined || watched.changes.at(-1)?.version === head);
  const [shown, expected] = [watched, log].map(({ changes }) => changes.map(show).join());
  check(expected?.startsWith(shown ?? '') === true, () => `its watch saw ${shown}, the log is ${expected}`);
  if (watched.ended !== undefined) wrong.push(...(await wrongWithResumed(instance, { watched, log, head })));
  return wrong;
}

/** Resumes a watch from the client's last version. The watch must be refused or return the remaining changes. */
async function wrongWithResumed(
  instance: Instance,
  { watched, log, head }: Pick<After, 'watched' | 'log'> & { head: Version },
) {
  const { ended } = watched;
  if (ended !== 'ended' && !(ended instanceof StoreError && ended.code === 'Expired'))
    return [`its watch: ${String(ended)}`];
  const last = watched.changes.at(-1)?.version;
  if (last === undefined) return [];
  const again = watch(instance, last);
  await eventually(() => again.ended !== undefined || again.changes.at(-1)?.version === head);
  again.close();
  const rest = log.changes.filter(({ version }) => version > last).map(show);
  const shown = again.changes.map(show);
  const isRefused = again.ended instanceof StoreError && again.ended.code === 'Expired' && shown.length === 0;
  return isRefused || shown.join() === rest.join() ? [] : [`it resumes with ${shown.join()}, not ${rest.join()}`];
}

const hasMark = (body: Uint8Array): boolean => Buffer.from(body).includes(MARK);
