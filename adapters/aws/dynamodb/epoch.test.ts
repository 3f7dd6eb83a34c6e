import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EPOCH } from '#lib/storage/sequence.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { aProposal, localTable, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { intercept, type Table } from './port.ts';
import { dynamoStore } from './store.ts';

describeOn(await startDynamoDbLocal(), 'epochs in DynamoDB', (endpoint) => {
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, 'epoch');
  });
  afterAll(async () => {
    table.close();
  });

  const open = (name: string, over = table) => dynamoStore(over, { clock: new TestClock() }).sequence(name);
  const fresh = () => `main/${randomUUID()}`;
  const put = (name: string) => [aProposal(name)];

  test('starts the new epoch above all versions and expires the earlier ones', async () => {
    const name = fresh();
    const sequence = open(name);
    await sequence.append(1, put('kept'), { nonce: 'n' });
    const beginning = await sequence.raiseEpoch();
    expect(beginning).toBe(EPOCH + 1);
    const after = open(name);
    expect(await after.head()).toBe(beginning);
    for (const position of [2, 3]) {
      await expect(after.append(position, put('x'), { nonce: 'x' })).rejects.toMatchObject({ code: 'Expired' });
    }
    for (const position of [2, 3]) {
      await expect(after.readLog(position, { limit: 9, consistent: true })).rejects.toMatchObject({
        code: 'Expired',
      });
    }
    expect((await after.read('main//things/default/kept')).from).toBe(beginning);
    expect((await after.read('main//things/default/kept')).item?.version).toBe(2);
    expect(await after.append(beginning, put('new'), { nonce: 'e' })).toMatchObject({
      ok: true,
      first: beginning + 1,
    });
  });

  test('rejects a writer of the old epoch at the seal', async () => {
    const name = fresh();
    const writer = open(name);
    await writer.append(1, put('x'), { nonce: 'a' });
    await open(name).raiseEpoch();
    await expect(writer.append(2, put('y'), { nonce: 'b' })).rejects.toMatchObject({ code: 'Expired' });
    expect(await writer.head()).toBe(EPOCH + 1);
  });

  test('cuts the log at its first gap', async () => {
    const name = fresh();
    const sequence = open(name);
    for (let after = 1; after < 6; after += 1) await sequence.append(after, put(`o${after}`), { nonce: String(after) });
    await table.delete({ Key: { pk: { S: `log/${name}` }, sk: { S: String(4).padStart(16, '0') } } });
    const restored = open(name);
    await restored.raiseEpoch();
    expect((await restored.read('main//things/default/o2')).item?.version).toBe(3);
    expect((await restored.read('main//things/default/o4')).item).toBeUndefined();
  });

  test.each([1, 2, 3, 4, 5])('the next attempt completes a crash at write %i', async (writes) => {
    const name = fresh();
    await open(name).append(1, put('kept'), { nonce: 'n' });
    let left = writes;
    const crashing = intercept(table, (call, next) => {
      if (call.operation === 'query' || call.operation === 'get') return next();
      left -= 1;
      if (left > 0) return next();
      throw Object.assign(new Error('crash'), { name: 'ValidationException' });
    });
    await open(name, crashing)
      .raiseEpoch()
      .catch((error: unknown) => expect(error).toBeDefined());
    await open(name).raiseEpoch();
    const after = open(name);
    const head = await after.head();
    expect(head % EPOCH).toBe(1);
    expect((await after.read('main//things/default/kept')).item?.version).toBe(2);
    expect(await after.append(head, put('new'), { nonce: 'e' })).toMatchObject({ ok: true });
  });
});
