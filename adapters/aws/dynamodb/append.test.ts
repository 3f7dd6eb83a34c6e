import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeOn } from '#test/support/describe-on.ts';
import { type Fault, type FaultPlan, faulty } from '#test/support/dynamodb-local/faulty-table.ts';
import { aProposal, brief, localTable, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import type { Options } from './options.ts';
import { type Call, intercept, type Table } from './port.ts';
import { dynamoStore } from './store.ts';

describeOn(await startDynamoDbLocal(), 'appends to DynamoDB', (endpoint) => {
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, 'append');
  });
  afterAll(async () => {
    table.close();
  });

  const open = (name: string, over: { table?: Table; clock?: TestClock } & Partial<Options> = {}) =>
    dynamoStore(over.table ?? table, { clock: new TestClock(), ...over }).sequence(name);
  const fresh = () => `main/${randomUUID()}`;
  const put = (name: string) => [aProposal(name)];
  const isLogPut = (call: Call): boolean =>
    call.operation === 'put' && call.input.Item?.['pk']?.S?.startsWith('log/') === true;
  const once = (fault: Fault): FaultPlan => {
    let done = false;
    return {
      fault: (call) => {
        if (done || !isLogPut(call) || call.operation !== 'put' || call.input.Item?.['n']?.S === 'birth')
          return undefined;
        done = true;
        return fault;
      },
    };
  };

  test('creates a sequence at version 1 once, even for concurrent processes', async () => {
    const name = fresh();
    expect(await Promise.all([open(name).head(), open(name).head(), open(name).head()])).toEqual([1, 1, 1]);
    expect(await open(name).readLog(0, { limit: 10, consistent: true })).toEqual({ changes: [], last: 1, more: false });
  });

  test('does not report a loss if another process creates the sequence during a pause', async () => {
    const name = fresh();
    let asleep = true;
    const slow = intercept(table, async (call, next) => {
      const answer = await next();
      if (call.operation !== 'query' || !asleep) return answer;
      asleep = false;
      const other = open(name);
      await other.append(1, put('x'), { nonce: 'n' });
      await other.compact();
      return answer;
    });
    expect(await open(name, { table: slow }).head()).toBe(2);
  });

  test('returns Corrupt for a lost log and does not create it again', async () => {
    const name = fresh();
    const sequence = open(name);
    await sequence.append(1, put('x'), { nonce: 'n' });
    await sequence.compact();
    for (const version of [1, 2]) {
      await table.delete({ Key: { pk: { S: `log/${name}` }, sk: { S: String(version).padStart(16, '0') } } });
    }
    await expect(open(name).head()).rejects.toMatchObject({ code: 'Corrupt' });
  });

  test('returns the winner for a lost position', async () => {
    const [a, b] = [open('main/winner'), open('main/winner')];
    await Promise.all([a.head(), b.head()]);
    expect(await a.append(1, [aProposal('x'), aProposal('y')], { nonce: 'a1' })).toEqual({
      ok: true,
      first: 2,
      last: 3,
    });
    const lost = await b.append(1, put('z'), { nonce: 'b1' });
    expect(lost).toMatchObject({ ok: false, last: 3 });
    expect(brief((!lost.ok && lost.winner) || [])).toEqual(['x@2', 'y@3']);
    expect(await b.append(3, put('z'), { nonce: 'b2' })).toEqual({ ok: true, first: 4, last: 4 });
  });

  test.each([2, 3])('rejects an append at position %i, inside an entry', async (after) => {
    const name = fresh();
    const [a, stale] = [open(name), open(name)];
    await stale.head();
    await a.append(1, [aProposal('x'), aProposal('y'), aProposal('z')], { nonce: 'a' });
    expect(await stale.append(after, put('rogue'), { nonce: 'b' })).toMatchObject({ ok: false, last: 4 });
    expect(await a.append(after, put('rogue'), { nonce: 'c' })).toMatchObject({ ok: false, last: 4 });
    expect(brief((await open(name).readLog(0, { limit: 9, consistent: true })).changes)).toEqual(['x@2', 'y@3', 'z@4']);
  });

  test('continues a read from inside an entry', async () => {
    const name = fresh();
    await open(name).append(
      1,
      ['a', 'b', 'c'].map((n) => aProposal(n)),
      { nonce: 'n' },
    );
    for (const consistent of [true, false]) {
      const page = await open(name).readLog(2, { limit: 1, consistent });
      expect([brief(page.changes), page.last, page.more]).toEqual([['b@3'], 3, true]);
      const rest = await open(name).readLog(3, { limit: 5, consistent });
      expect([brief(rest.changes), rest.last, rest.more]).toEqual([['c@4'], 4, false]);
    }
  });

  test('throws FutureVersion for a position above the head, for appends and consistent reads', async () => {
    const sequence = open(fresh());
    await expect(sequence.append(7, put('x'), { nonce: 'n' })).rejects.toMatchObject({ code: 'FutureVersion' });
    await expect(sequence.readLog(7, { limit: 1, consistent: true })).rejects.toMatchObject({ code: 'FutureVersion' });
    expect(await sequence.readLog(7, { limit: 1, consistent: false })).toEqual({ changes: [], last: 7, more: false });
  });

  test.each<[Fault]>([['lose-answer'], ['lose-request'], ['throttle']])(
    'commits a repeated put once after %s',
    async (fault) => {
      const name = fresh();
      const sequence = open(name, { table: faulty(table, once(fault)) });
      expect(await sequence.append(1, put('x'), { nonce: 'n' })).toEqual({ ok: true, first: 2, last: 2 });
      expect(brief((await open(name).readLog(1, { limit: 9, consistent: true })).changes)).toEqual(['x@2']);
    },
  );

  test('reports an injected conflict as a lost position without a winner', async () => {
    const sequence = open(fresh(), { table: faulty(table, once('conflict')) });
    expect(await sequence.append(1, put('x'), { nonce: 'n' })).toEqual({ ok: false });
  });

  test.each<[Fault, string]>([
    ['throttle', 'Overloaded'],
    ['lose-request', 'Unavailable'],
  ])('%s on every call fails with %s', async (fault, code) => {
    const name = fresh();
    await open(name).head();
    const sequence = open(name, { table: faulty(table, { fault: (call) => (isLogPut(call) ? fault : undefined) }) });
    await expect(sequence.append(1, put('x'), { nonce: 'n' })).rejects.toMatchObject({ name: 'StoreError', code });
  });

  test('throws Overloaded for throttled reads', async () => {
    const sequence = open(fresh(), { table: faulty(table, { fault: () => 'throttle' }) });
    await expect(sequence.head()).rejects.toMatchObject({ code: 'Overloaded' });
  });

  test('returns the first result for a repeated append, from any process', async () => {
    const name = fresh();
    const sequence = open(name);
    const first = await sequence.append(1, put('x'), { nonce: 'same' });
    await sequence.append(2, put('y'), { nonce: 'other' });
    expect(await sequence.append(1, put('x'), { nonce: 'same' })).toEqual(first);
    expect(await open(name).append(1, put('x'), { nonce: 'same' })).toEqual(first);
  });

  describe('proof of freshness', () => {
    /** Records the age of each put's signature, in ms by the clock. */
    const recorded = (clock: TestClock) => {
      const ages: number[] = [];
      let tails = 0;
      const watched = intercept(table, (call, next) => {
        if (call.operation === 'query') tails += 1;
        if (isLogPut(call) && call.operation === 'put') ages.push(clock.now() - (call.signedAt ?? Number.NaN));
        return next();
      });
      return { table: watched, ages, tails: () => tails };
    };

    test('needs no read for consecutive writes', async () => {
      const clock = new TestClock();
      const record = recorded(clock);
      const sequence = open(fresh(), { table: record.table, clock });
      await sequence.append(1, put('x'), { nonce: '1' });
      const before = record.tails();
      for (let after = 2; after < 12; after += 1) await sequence.append(after, put('x'), { nonce: String(after) });
      expect(record.tails()).toBe(before);
    });

    test('signs the put with the time of the proof', async () => {
      const clock = new TestClock();
      const record = recorded(clock);
      const sequence = open(fresh(), { table: record.table, clock });
      await sequence.head();
      clock.advance(59_000);
      await sequence.append(1, put('x'), { nonce: 'n' });
      expect(record.ages.at(-1)).toBe(59_000);
    });

    test.each<[string, (clock: TestClock) => void]>([
      ['both clocks moved on', (clock) => clock.advance(60_000)],
      ['the machine was suspended: the wall alone moved on', (clock) => void (clock.wall += 60_000)],
      ['the wall was set back', (clock) => void (clock.wall -= 1_000)],
      [
        'the wall was set back by as much as went by',
        (clock) => {
          clock.advance(60_000);
          clock.wall -= 60_000;
        },
      ],
    ])('renews an old proof before a put: %s', async (_, pass) => {
      const clock = new TestClock();
      const record = recorded(clock);
      const sequence = open(fresh(), { table: record.table, clock });
      await sequence.append(1, put('x'), { nonce: '1' });
      const before = record.tails();
      pass(clock);
      await sequence.append(2, put('y'), { nonce: '2' });
      expect(record.tails()).toBe(before + 1);
      expect(record.ages.at(-1)).toBe(0);
    });

    test('throws Unavailable if the table is too slow for any proof', async () => {
      const clock = new TestClock();
      const slow = intercept(table, (call, next) => {
        if (call.operation === 'query') clock.advance(61_000);
        return next();
      });
      const appended = open(fresh(), { table: slow, clock }).append(1, put('x'), { nonce: 'n' });
      await expect(appended).rejects.toMatchObject({ code: 'Unavailable' });
    });

    test.each([
      ['is Expired', 60_000, false],
      ['would write into a dropped position, if it did not prove the head again', Number.POSITIVE_INFINITY, true],
    ])('an append after a pause with writes and compaction %s', async (_, proofAge, lets) => {
      const name = fresh();
      const clock = new TestClock();
      const [sleeper, other] = [open(name, { clock, proofAge }), open(name, { clock, retention: 1_000 })];
      await sleeper.head();
      for (let after = 1; after < 5; after += 1) {
        await other.append(after, put('x'), { nonce: String(after) });
        clock.advance(40_000);
      }
      await other.compact();
      const late = await sleeper.append(1, put('late'), { nonce: 'late' }).catch((error: unknown) => error);
      expect(late).toMatchObject(lets ? { ok: true } : { code: 'Expired' });
    });

    test('finds its own entry by the nonce if the proof expires during a retry', async () => {
      const clock = new TestClock();
      const sequence = open(fresh(), {
        clock,
        table: faulty(
          intercept(table, async (call, next) => {
            const answer = await next();
            if (isLogPut(call)) clock.advance(61_000);
            return answer;
          }),
          once('lose-answer'),
        ),
      });
      expect(await sequence.append(1, put('x'), { nonce: 'n' })).toEqual({ ok: true, first: 2, last: 2 });
    });
  });

  describe('stale and torn pages', () => {
    const filled = async (): Promise<string> => {
      const name = fresh();
      const sequence = open(name);
      for (let after = 1; after < 6; after += 1)
        await sequence.append(after, put(`o${after}`), { nonce: String(after) });
      return name;
    };

    test('returns a prefix of the log from a stale replica', async () => {
      const stale = open(await filled(), { table: faulty(table, { staleness: () => ({ missingLast: 2 }) }) });
      const page = await stale.readLog(1, { limit: 9, consistent: false });
      expect(brief(page.changes)).toEqual(['o1@2', 'o2@3', 'o3@4']);
      expect((await stale.readLog(1, { limit: 9, consistent: true })).last).toBe(6);
    });

    test('reads a gap of an eventually consistent page again consistently', async () => {
      const torn = open(await filled(), { table: faulty(table, { staleness: () => ({ missingAt: 1 }) }) });
      expect((await torn.readLog(1, { limit: 9, consistent: false })).changes).toHaveLength(5);
    });

    test('throws Expired for a gap that remains, and never skips it', async () => {
      const name = await filled();
      await table.delete({ Key: { pk: { S: `log/${name}` }, sk: { S: String(4).padStart(16, '0') } } });
      for (const consistent of [true, false]) {
        await expect(open(name).readLog(1, { limit: 9, consistent })).rejects.toMatchObject({ code: 'Expired' });
      }
    });
  });

  test('throws Closed after close', async () => {
    const sequence = open(fresh());
    await sequence.close();
    await expect(sequence.head()).rejects.toMatchObject({ code: 'Closed' });
  });
});
