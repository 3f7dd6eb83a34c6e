import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LOOPBACK } from '#functions/apiserver/loopback.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable } from '#test/support/dynamodb-local/fixture.ts';
import { anInstance, type Instance } from '#test/support/dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { FORMAT } from './layout.ts';
import { type Item, intercept, type Table } from './port.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SEQUENCE = 'main//configmaps';
const KEY = `${SEQUENCE}/default/a`;
const aMap = (name: string, a = '1') => ({ metadata: { name }, data: { a } });
const NEXT = String(FORMAT + 1);

/** Converts `item` between this program's format and the next release's. */
const withFormat = (item: Item, from: string, to: string): Item =>
  item['f']?.N === from ? { ...item, f: { N: to } } : item;

/** The table as the next release uses it. That release reads both formats, and writes the new one once the format is raised. */
function nextRelease(table: Table, isRaised: () => boolean): Table {
  const read = (item: Item): Item => withFormat(item, NEXT, String(FORMAT));
  const write = (item: Item): Item => (isRaised() ? withFormat(item, String(FORMAT), NEXT) : item);
  return {
    ...table,
    get: async (input) => {
      const answer = await table.get(input);
      return answer.Item === undefined ? answer : { ...answer, Item: read(answer.Item) };
    },
    query: async (input) => {
      const answer = await table.query(input);
      return { ...answer, Items: (answer.Items ?? []).map(read) };
    },
    put: (input, options) => table.put({ ...input, Item: write(input.Item ?? {}) }, options),
    update: (input) => {
      const { [':f']: format, ...values } = input.ExpressionAttributeValues ?? {};
      if (format === undefined || !isRaised()) return table.update(input);
      return table.update({ ...input, ExpressionAttributeValues: { ...values, ':f': { N: NEXT } } });
    },
  };
}

describeOn(await startDynamoDbLocal(), 'items of a newer format', (endpoint) => {
  const clock = new ManualClock(1_800_000_000_000);
  let table: Table;
  let name: string;
  beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue());
  afterAll(async () => {
    vi.restoreAllMocks();
    table.close();
  });

  const open = (of = table): Instance => anInstance(of, { clock, as: LOOPBACK });
  const aTable = async (): Promise<void> => {
    name = `formats-${randomUUID()}`;
    table = await localTable(endpoint, name);
    await open().request('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
    await open().request('POST', MAPS, aMap('a'));
    await open().store.sequence(SEQUENCE).compact();
  };

  /** Rewrites the item in the next release's format. */
  async function raise(pk: string, sk: string): Promise<void> {
    const { Item: item } = await table.get({ Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true });
    expect(item?.['f']).toEqual({ N: String(FORMAT) });
    await table.put({ Item: { ...item, f: { N: NEXT } } });
  }

  test.each([
    ['the last entry of a log', `log/${SEQUENCE}`, '0000000000000002'],
    ['a state', `state/${SEQUENCE}`, KEY],
    ['a watermark', `marks/${SEQUENCE}`, 'watermark'],
  ])('reports an unknown format of %s, and neither reads nor writes', async (_, pk, sk) => {
    await aTable();
    await raise(pk, sk);
    const written: string[] = [];
    const watched = intercept(table, (call, next) => {
      if (call.operation !== 'get' && call.operation !== 'query') written.push(JSON.stringify(call.input));
      return next();
    });
    const message = `format ${NEXT} is newer than this program's ${FORMAT}`;
    const requests: [string, string, object?][] = [
      ['GET', `${MAPS}/a`],
      ['GET', MAPS],
      ['PUT', `${MAPS}/a`, aMap('a', '2')],
      ['DELETE', `${MAPS}/a`],
    ];
    for (const request of requests) {
      const { status, headers, text } = await open(watched).ask(...request);
      expect([status, headers['retry-after'], text.includes(message)]).toEqual([503, '5', true]);
    }
    const compacted = open(watched).store.sequence(SEQUENCE).compact();
    await compacted.catch((error: unknown) => expect(error).toMatchObject({ code: 'UnknownFormat' }));
    expect(written).toEqual([]);
    expect(await open(nextRelease(table, () => true)).request('GET', `${MAPS}/a`)).toContain('"a":"1"');
  });

  test('two releases share one log until the format is raised, then the older one fails without loss', async () => {
    await aTable();
    let isRaised = false;
    const [older, newer] = [open(), open(nextRelease(table, () => isRaised))];
    for (const [i, each] of [older, newer, older, newer].entries()) await each.request('POST', MAPS, aMap(`both-${i}`));
    expect(await older.request('GET', MAPS)).toBe(await newer.request('GET', MAPS));
    await older.request('POST', MAPS, aMap('acknowledged'));
    isRaised = true;
    await newer.request('POST', MAPS, aMap('raised'));
    expect((await older.ask('POST', MAPS, aMap('late'))).status).toBe(503);
    expect((await older.ask('GET', MAPS)).status).toBe(503);
    await newer.store.sequence(SEQUENCE).compact();
    expect((await open().ask('GET', MAPS)).status).toBe(503);
    const { items } = JSON.parse(await open(nextRelease(table, () => true)).request('GET', MAPS)) as {
      items: { metadata: { name: string } }[];
    };
    const names = ['a', 'acknowledged', 'both-0', 'both-1', 'both-2', 'both-3', 'raised'];
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
  });
});
