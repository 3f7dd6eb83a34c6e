import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeOn } from '#test/support/describe-on.ts';
import { aBody, aProposal, localTable, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { countingClient } from './counting-client.ts';
import type { Options } from './options.ts';
import { type Call, intercept, type Table } from './port.ts';
import { dynamoStore } from './store.ts';

describeOn(await startDynamoDbLocal(), 'checkpoints in DynamoDB', (endpoint) => {
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, 'checkpoint');
  });
  afterAll(async () => {
    table.close();
  });

  const RETENTION = 3_600_000;
  const open = (name: string, over: { table?: Table; clock?: TestClock } & Partial<Options> = {}) =>
    dynamoStore(over.table ?? table, { clock: new TestClock(), retention: RETENTION, ...over }).sequence(name);
  const fresh = () => `main/${randomUUID()}`;
  const keyOf = (name: string): string => `main//things/default/${name}`;
  const large = () => aBody(randomBytes(600_000).toString('base64'));
  const partition = async (pk: string) =>
    (await table.query({ KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: pk } } }))
      .Items ?? [];
  const writeTo = (prefix: string) => (call: Call) =>
    (call.operation === 'put' && call.input.Item?.['pk']?.S?.startsWith(prefix)) ||
    ((call.operation === 'update' || call.operation === 'delete') && call.input.Key?.['pk']?.S?.startsWith(prefix));

  test('moves the watermark only after the states', async () => {
    const name = fresh();
    await open(name).append(1, [aProposal('a'), aProposal('b')], { nonce: 'n' });
    const broken = intercept(table, (call, next) => {
      if (call.operation !== 'put' || call.input.Item?.['sk']?.S !== keyOf('b')) return next();
      throw Object.assign(new Error('crash'), { name: 'ValidationException' });
    });
    await expect(open(name, { table: broken }).compact()).rejects.toMatchObject({ code: 'Unavailable' });
    expect((await open(name).read(keyOf('a'))).from).toBeLessThan(2);
    expect(await open(name).compact()).toBe(3);
    expect((await open(name).read(keyOf('b'))).item?.version).toBe(3);
  });

  test('a late step of a dead process undoes no newer state or delete', async () => {
    const name = fresh();
    const writer = open(name);
    await writer.append(1, [aProposal('a'), aProposal('b')], { nonce: '1' });
    let release = (): void => undefined;
    let arrived = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const reached = new Promise<void>((resolve) => (arrived = resolve));
    const slow = intercept(table, async (call, next) => {
      if (writeTo('state/')(call) === true) {
        arrived();
        await held;
      }
      return next();
    });
    const late = open(name, { table: slow }).compact();
    await reached;
    await writer.append(3, [aProposal('a', { type: 'MODIFIED' }), aProposal('b', { type: 'DELETED' })], { nonce: '2' });
    await writer.compact();
    release();
    await late;
    expect((await writer.read(keyOf('a'))).item?.version).toBe(4);
    expect((await writer.read(keyOf('b'))).item).toBeUndefined();
    expect((await writer.read(keyOf('b'))).from).toBe(5);
  });

  test('a delete leaves a tombstone that expires after a day', async () => {
    const name = fresh();
    const clock = new TestClock();
    const sequence = open(name, { clock });
    await sequence.append(1, [aProposal('a', { type: 'DELETED' })], { nonce: 'n' });
    await sequence.compact();
    const [item] = await partition(`state/${name}`);
    expect(item?.['d']).toEqual({ BOOL: true });
    expect(Number(item?.['ttl']?.N)).toBe(Math.floor(clock.now() / 1000) + 86_400);
    await sequence.append(2, [aProposal('a')], { nonce: 'm' });
    await sequence.compact();
    expect((await partition(`state/${name}`))[0]?.['ttl']).toBeUndefined();
  });

  test('no item of the log has a time to live', async () => {
    const name = fresh();
    const sequence = open(name);
    await sequence.append(1, [aProposal('a')], { nonce: 'n' });
    await sequence.compact();
    for (const item of await partition(`log/${name}`)) expect(item['ttl']).toBeUndefined();
  });

  describe('the chunks of large bodies', () => {
    test('expire until the checkpoint keeps them, and are deleted with their entry', async () => {
      const name = fresh();
      const clock = new TestClock();
      const sequence = open(name, { clock });
      await sequence.append(1, [aProposal('big', { body: large() })], { nonce: 'n' });
      const born = await partition(`chunk/${name}//n`);
      expect(born.length).toBeGreaterThan(1);
      const month = Math.floor(clock.now() / 1000) + 30 * 86_400;
      expect(born.map((chunk) => Number(chunk['ttl']?.N))).toEqual(born.map(() => month));
      await sequence.compact();
      expect((await partition(`chunk/${name}//n`)).map((chunk) => chunk['ttl'])).toEqual(born.map(() => undefined));
      await sequence.append(2, [], { nonce: 'm' });
      clock.advance(RETENTION + 1);
      await sequence.compact();
      expect(await partition(`chunk/${name}//n`)).toEqual([]);
      expect((await sequence.read(keyOf('big'))).item?.body.length).toBeGreaterThan(600_000);
    });

    test('are deleted when their state is replaced or deleted', async () => {
      const name = fresh();
      const sequence = open(name);
      const at = `chunk/${name}/${keyOf('big')}`;
      await sequence.append(1, [aProposal('big', { body: large() })], { nonce: '1' });
      await sequence.compact();
      const first = await partition(at);
      expect(
        first.every((chunk) => chunk['ttl'] === undefined && chunk['sk']?.S?.startsWith('0000000000000002-')),
      ).toBe(true);
      await sequence.append(2, [aProposal('big', { type: 'MODIFIED', body: large() })], { nonce: '2' });
      await sequence.compact();
      expect((await partition(at)).every((chunk) => chunk['sk']?.S?.startsWith('0000000000000003-'))).toBe(true);
      await sequence.append(3, [aProposal('big', { type: 'DELETED', body: large() })], { nonce: '3' });
      await sequence.compact();
      expect(await partition(at)).toEqual([]);
    });

    test('are read again if their state is replaced during the read', async () => {
      const name = fresh();
      const sequence = open(name);
      await sequence.append(1, [aProposal('big', { body: large() })], { nonce: '1' });
      await sequence.compact();
      await sequence.append(2, [aProposal('big', { type: 'MODIFIED', body: large() })], { nonce: '2' });
      let first = true;
      const raced = intercept(table, async (call, next) => {
        if (
          call.operation === 'query' &&
          call.input.ExpressionAttributeValues?.[':pk']?.S?.startsWith('chunk/') &&
          first
        ) {
          first = false;
          await sequence.compact();
        }
        return next();
      });
      expect((await open(name, { table: raced }).read(keyOf('big'))).item?.version).toBe(3);
    });

    test.each(Array.from({ length: 12 }, (_, i) => i + 1))(
      'are consistent after a crash at write %i and the next step',
      async (n) => {
        const name = fresh();
        const clock = new TestClock();
        const sequence = open(name, { clock });
        await sequence.append(1, [aProposal('big', { body: large() })], { nonce: '1' });
        await sequence.compact();
        await sequence.append(2, [aProposal('big', { type: 'MODIFIED', body: large() })], { nonce: '2' });
        await sequence.append(3, [], { nonce: '3' });
        clock.advance(RETENTION + 1);
        let left = n;
        const crashing = intercept(table, (call, next) => {
          if (call.operation === 'get' || call.operation === 'query') return next();
          left -= 1;
          if (left > 0) return next();
          throw Object.assign(new Error('crash'), { name: 'ValidationException' });
        });
        await open(name, { clock, table: crashing })
          .compact()
          .catch((error: unknown) => expect(error).toMatchObject({ code: 'Unavailable' }));
        await open(name, { clock }).compact();
        const kept = await partition(`chunk/${name}/${keyOf('big')}`);
        expect(kept.map((chunk) => [chunk['sk']?.S?.slice(0, 16), chunk['ttl']])).toEqual(
          kept.map(() => ['0000000000000003', undefined]),
        );
        for (const nonce of ['1', '2']) expect(await partition(`chunk/${name}//${nonce}`)).toEqual([]);
        expect((await open(name).read(keyOf('big'))).item?.version).toBe(3);
        expect(await partition(`log/${name}`)).toHaveLength(1);
      },
    );
  });

  describe('a log far ahead of its state', () => {
    test('is checkpointed by its writer', async () => {
      const name = fresh();
      const sequence = open(name, { lag: () => ({ checkpoint: 3, refuse: 1_000 }) });
      for (let after = 1; after < 6; after += 1) await sequence.append(after, [aProposal('a')], { nonce: `n${after}` });
      expect((await open(name).read(keyOf('a'))).from).toBeGreaterThan(1);
    });

    test('refuses writers beyond the limit until a checkpoint', async () => {
      const name = fresh();
      const clock = new TestClock();
      await open(name).append(
        1,
        Array.from({ length: 20 }, (_, i) => aProposal(`o${i}`)),
        { nonce: 'n' },
      );
      const sequence = open(name, { clock, lag: () => ({ checkpoint: 5, refuse: 10 }) });
      for (const nonce of ['a', 'b']) {
        await expect(sequence.append(21, [], { nonce })).rejects.toMatchObject({ code: 'Overloaded' });
      }
      await sequence.compact();
      expect(await sequence.append(21, [], { nonce: 'c' })).toMatchObject({ ok: true });
    });
  });

  describe('billed calls of a sequence', () => {
    const counted = async (): Promise<{
      counts: ReturnType<typeof countingClient>;
      sequence: ReturnType<typeof open>;
    }> => {
      const counts = countingClient(table);
      const sequence = open(fresh(), { table: counts.table });
      await sequence.append(1, [aProposal('a')], { nonce: 'n' });
      counts.reset();
      return { counts, sequence };
    };

    test.each<[string, { reads: number; writes: number }, (s: ReturnType<typeof open>) => Promise<unknown>]>([
      ['a commit after the last one', { reads: 0, writes: 1 }, (s) => s.append(2, [aProposal('b')], { nonce: 'm' })],
      ['a fresh tail', { reads: 1, writes: 0 }, (s) => s.readLog(2, { limit: 100, consistent: true })],
      ['the head', { reads: 1, writes: 0 }, (s) => s.head()],
      ['one key of the state', { reads: 2, writes: 0 }, (s) => s.read(keyOf('a'))],
    ])('counts the calls for %s', async (_, expected, act) => {
      const { counts, sequence } = await counted();
      await act(sequence);
      expect(counts.counts).toMatchObject(expected);
    });
  });
});
