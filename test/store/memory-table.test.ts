import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Item, Table } from '#adapters/aws/dynamodb/port.ts';
import { defined } from '#lib/machinery/defined.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable } from '../support/dynamodb-local/fixture.ts';
import { MemoryTable } from '../support/dynamodb-local/memory-table.ts';
import { startDynamoDbLocal } from '../support/dynamodb-local/start.ts';

/** A call to a table within one partition. */
type Ask = (table: Table, partition: string) => Promise<object>;

const S = (value: string) => ({ S: value });
const N = (value: number) => ({ N: String(value) });
const sorted = fc.constantFrom('a', 'a/0001', 'ab', 'b', 'é', '\u{fffd}', '\u{10ffff}');
const version = fc.integer({ min: 1, max: 3 });
const size = fc.constantFrom(1, 1, 1, 300_000, 410_000);
const CONDITIONS = [
  undefined,
  'attribute_not_exists(pk)',
  'attribute_exists(pk)',
  'attribute_not_exists(v) OR v < :v',
  'v = :v AND f <= :v',
  '#owner = :owner',
  'attribute_exists(f) OR attribute_exists(#owner)',
];
const UPDATES = [
  'SET v = :to, f = :to',
  'REMOVE f',
  'SET v = :to REMOVE f',
  'SET v = :to, f = :to REMOVE #owner, b',
  'ADD f :to SET v = :to',
];

/** Returns only the names and values that the expression uses, because DynamoDB rejects unused ones. */
function bound(expression: string | undefined, { v = 0, more = {} }: { v?: number; more?: Item }) {
  const values = Object.entries({ ':v': N(v), ':owner': S('me'), ...more });
  const used = values.filter(([name]) => new RegExp(`${name}\\b`).test(expression ?? ''));
  return {
    ...(used.length > 0 ? { ExpressionAttributeValues: Object.fromEntries(used) } : {}),
    ...(expression?.includes('#owner') === true ? { ExpressionAttributeNames: { '#owner': 'owner' } } : {}),
  };
}

const put = fc
  .record({ sk: sorted, v: version, bytes: size, condition: fc.constantFrom(...CONDITIONS), old: fc.boolean() })
  .map(({ sk, v, bytes, condition, old }): Ask => {
    const item = {
      sk: S(sk),
      v: N(v),
      f: N(1),
      owner: S(v === 1 ? 'me' : 'another'),
      b: { B: Buffer.alloc(bytes, v) },
    };
    const asked = old
      ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const, ReturnValues: 'ALL_OLD' as const }
      : {};
    const guard = condition === undefined ? {} : { ConditionExpression: condition };
    return (table, pk) => table.put({ Item: { ...item, pk: S(pk) }, ...guard, ...bound(condition, { v }), ...asked });
  });

const update = fc
  .record({
    sk: sorted,
    v: version,
    condition: fc.constantFrom(...CONDITIONS),
    expression: fc.constantFrom(...UPDATES),
  })
  .map(({ sk, v, condition, expression }): Ask => {
    const guard = condition === undefined ? {} : { ConditionExpression: condition };
    const values = bound(`${expression} ${condition}`, { v, more: { ':to': N(v + 1) } });
    return (table, pk) =>
      table.update({ Key: { pk: S(pk), sk: S(sk) }, UpdateExpression: expression, ...guard, ...values });
  });

const remove = fc
  .record({ sk: sorted, condition: fc.constantFrom(undefined, '#owner = :owner') })
  .map(({ sk, condition }): Ask => {
    const guard = condition === undefined ? {} : { ConditionExpression: condition };
    return (table, pk) => table.delete({ Key: { pk: S(pk), sk: S(sk) }, ...guard, ...bound(condition, {}) });
  });

const get = sorted.map(
  (sk): Ask =>
    (table, pk) =>
      table.get({ Key: { pk: S(pk), sk: S(sk) }, ConsistentRead: true }),
);

const RANGES = ['', ' AND sk < :a', ' AND sk BETWEEN :a AND :b', ' AND begins_with(sk, :a)'];
const query = fc
  .record({
    range: fc.constantFrom(...RANGES),
    ends: fc.tuple(sorted, sorted),
    forward: fc.boolean(),
    limit: fc.constantFrom(undefined, 1, 2),
    start: fc.option(sorted, { nil: undefined }),
    keysOnly: fc.boolean(),
    filter: fc.constantFrom(undefined, 'v >= :v'),
  })
  .map(({ range, ends, forward, limit, start, keysOnly, filter }): Ask => {
    const [a = '', b = ''] = ends.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
    const begun = start !== undefined && range === '' ? start : undefined;
    return async (table, pk) => {
      const input = {
        KeyConditionExpression: `pk = :pk${range}`,
        ...bound(`:pk${range} ${filter}`, { v: 2, more: { ':pk': S(pk), ':a': S(a), ':b': S(b) } }),
        ConsistentRead: true,
        ScanIndexForward: forward,
        ...defined({ Limit: limit }),
        ...(keysOnly ? { ProjectionExpression: 'pk, sk' } : {}),
        ...defined({ FilterExpression: filter }),
      };
      const pages: Item[][] = [];
      let from: Item | undefined = begun === undefined ? undefined : { pk: S(pk), sk: S(begun) };
      do {
        const page = await table.query({ ...input, ...defined({ ExclusiveStartKey: from }) });
        pages.push(page.Items ?? []);
        from = page.LastEvaluatedKey;
      } while (from !== undefined);
      // The service decides whether a full page announces another page if none follows.
      while (pages.at(-1)?.length === 0) pages.pop();
      return { pages };
    };
  });

/** The response in a canonical form, with bytes as numbers. */
async function said(asked: Promise<object>): Promise<string> {
  const answer = await asked.catch((error: Error & { Item?: Item }) => ({ fault: error.name, Item: error.Item }));
  const { Item: item, pages, Attributes: old, fault } = answer as Readonly<Record<string, unknown>>;
  return JSON.stringify(ordered({ item, pages, old, fault }));
}

function ordered(value: unknown): unknown {
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, ordered(part)]),
  );
}

describeOn(await startDynamoDbLocal(), 'a table in memory', (endpoint) => {
  let real: Table;
  beforeAll(async () => {
    real = await localTable(endpoint, `memory-${randomUUID()}`);
  });
  afterAll(() => real.close());

  test('returns the same results as DynamoDB', async () => {
    const asks = fc.array(fc.oneof({ arbitrary: put, weight: 4 }, update, remove, get, query), {
      minLength: 15,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(asks, async (sequence) => {
        const [memory, partition] = [new MemoryTable(), randomUUID()];
        for (const ask of sequence) expect(await said(ask(memory, partition))).toBe(await said(ask(real, partition)));
      }),
      { numRuns: 25 },
    );
  });

  test('bills like DynamoDB: the whole item, the larger of before and after, and all that a query reads', async () => {
    const TOTAL = { ReturnConsumedCapacity: 'TOTAL' } as const;
    const billed = async (table: Table): Promise<readonly (number | undefined)[]> => {
      const Key = { pk: S('billed'), sk: S('one') };
      const item = (bytes: number): Item => ({ ...Key, b: { B: Buffer.alloc(bytes) } });
      const asked = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': S('billed') }, ...TOTAL };
      const answers = [
        await table.get({ Key, ConsistentRead: true, ...TOTAL }),
        await table.put({ Item: item(10), ...TOTAL }),
        await table.put({ Item: item(5_000), ...TOTAL }),
        await table.get({ Key, ConsistentRead: true, ...TOTAL }),
        await table.get({ Key, ...TOTAL }),
        await table.put({ Item: { ...item(5_000), sk: S('two') }, ...TOTAL }),
        await table.query({ ...asked, ConsistentRead: true }),
        await table.query({ ...asked, ProjectionExpression: 'pk, sk' }),
        await table.put({ Item: item(10), ...TOTAL }),
        await table.update({ Key, UpdateExpression: 'REMOVE b', ...TOTAL }),
        await table.delete({ Key: { ...Key, sk: S('two') }, ...TOTAL }),
        await table.query({ ...asked, ConsistentRead: true }),
      ];
      return answers.map(({ ConsumedCapacity: consumed }) => consumed?.CapacityUnits);
    };
    const units = await billed(new MemoryTable());
    expect(units).toEqual([1, 1, 5, 2, 1, 5, 3, 1.5, 5, 1, 5, 1]);
    expect(units).toEqual(await billed(real));
  });
});
