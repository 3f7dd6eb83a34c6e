import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOn } from '#test/support/describe-on.ts';
import { aProposal, localClient, localTable } from '#test/support/dynamodb-local/fixture.ts';
import { type SigningProxy, startSigningProxy } from '#test/support/dynamodb-local/signing-proxy.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { connectTable } from './connect.ts';
import { intercept, type Table } from './port.ts';
import { dynamoStore } from './store.ts';

/** The service's window, scaled down. Dates have a resolution of one second. */
const WINDOW = 5_000;

describeOn(await startDynamoDbLocal(), 'the date of a signature', (endpoint) => {
  let direct: Table;
  let proxy: SigningProxy;
  let table: Table;
  beforeAll(async () => {
    direct = await localTable(endpoint, 'signatures');
    proxy = await startSigningProxy(endpoint, WINDOW);
    table = connectTable(localClient(proxy.endpoint), 'signatures');
  });
  afterAll(async () => {
    table.close();
    direct.close();
    await proxy.close();
  });

  const item = () => ({ Item: { pk: { S: randomUUID() }, sk: { S: 'x' } } });

  test('signs with the current time by default', async () => {
    const before = proxy.refused();
    await table.put(item());
    expect(proxy.refused()).toBe(before);
  });

  test.each([-60_000, 60_000])(
    'the server refuses a date %i milliseconds away, even after it sent its own time',
    async (age) => {
      for (let again = 0; again < 2; again += 1) {
        const put = table.put(item(), { signedAt: Date.now() - age });
        await expect(put).rejects.toMatchObject({ name: 'InvalidSignatureException' });
      }
      await table.put(item());
    },
  );

  test('signs each concurrent request with its own date', async () => {
    const old = table.put(item(), { signedAt: Date.now() - 60_000 });
    const now = Promise.all([table.put(item()), table.get({ Key: item().Item })]);
    await expect(old).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    await now;
  });

  test('the server refuses a put that was in transit during a suspension, and the next one proves the head first', async () => {
    const name = `main/${randomUUID()}`;
    let slept = 0;
    const clock = {
      now: () => Date.now() - 60_000 + slept,
      monotonic: () => performance.now() - 60_000 + slept,
      sleep: async () => undefined,
    };
    await dynamoStore(direct, { clock }).sequence(name).head();
    let asleep = true;
    const suspended = intercept(table, (call, next) => {
      if (call.operation !== 'put' || !asleep) return next();
      asleep = false;
      slept = 60_000;
      return next();
    });
    const sequence = dynamoStore(suspended, { clock, proofAge: 30_000 }).sequence(name);
    const append = sequence.append(1, [aProposal('late')], { nonce: 'n' });
    await expect(append).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await dynamoStore(direct, { clock }).sequence(name).head()).toBe(1);
    expect(await sequence.append(1, [aProposal('again')], { nonce: 'm' })).toEqual({ ok: true, first: 2, last: 2 });
  });
});
