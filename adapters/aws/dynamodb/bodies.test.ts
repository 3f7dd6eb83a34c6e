import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOn } from '#test/support/describe-on.ts';
import { aBody, aProposal, brief, localTable, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import type { Table } from './port.ts';
import { dynamoStore } from './store.ts';

describeOn(await startDynamoDbLocal(), 'bodies in DynamoDB', (endpoint) => {
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, 'bodies');
  });
  afterAll(async () => {
    table.close();
  });

  const open = (name: string) => dynamoStore(table, { clock: new TestClock() }).sequence(name);
  const fresh = () => `main/${randomUUID()}`;
  const put = (name: string) => [aProposal(name)];

  const noise = (length: number): string => {
    let text = '';
    while (text.length < length) text += randomUUID();
    return text.slice(0, length);
  };

  test('writes a large body to chunks first and reads it back complete', async () => {
    const name = fresh();
    const body = aBody(noise(1_500_000));
    const previousBody = aBody(noise(900_000));
    await open(name).append(1, [aProposal('big', { body, previousBody }), aProposal('small')], { nonce: 'big' });
    const { changes } = await open(name).readLog(1, { limit: 9, consistent: true });
    expect(brief(changes)).toEqual(['big@2', 'small@3']);
    const expected = Buffer.from(body).toString().replace('"resourceVersion":"0"', '"resourceVersion":"2"');
    expect(Buffer.from(changes[0]?.body ?? []).toString()).toBe(expected);
    expect(Buffer.from(changes[0]?.previousBody ?? [])).toEqual(Buffer.from(previousBody));
    const item = await table.get({ Key: { pk: { S: `chunk/${name}//big` }, sk: { S: 'x' } } });
    expect(item.Item).toBeUndefined();
  });

  test('rejects a key too long for a checkpoint with TooLarge and stores nothing', async () => {
    const sequence = open(fresh());
    const room = 1024 - aProposal('').key.length;
    await expect(sequence.append(1, [aProposal('x'.repeat(room + 1))], { nonce: 'n' })).rejects.toMatchObject({
      code: 'TooLarge',
    });
    expect(await sequence.append(1, [aProposal('x'.repeat(room))], { nonce: 'm' })).toEqual({
      ok: true,
      first: 2,
      last: 2,
    });
    expect(await sequence.compact()).toBe(2);
  });

  test.each([
    ['labels', { labels: JSON.parse('{"__proto__":"x","app":"web"}') as Record<string, string> }],
    ['previous', { previous: { version: 1, labels: {}, fields: { a: 'b' }, generation: 3, ownerReferences: [] } }],
    ['owners', { ownerReferences: [{ uid: 'u', controller: true }] }],
  ])('reads back the summary of a change: %s', async (_, part) => {
    const name = fresh();
    await open(name).append(1, [aProposal('x', part)], { nonce: 'n' });
    const { changes } = await open(name).readLog(1, { limit: 1, consistent: true });
    expect(JSON.stringify(changes[0])).toContain(JSON.stringify(part).slice(1, -1));
  });

  test('throws UnknownFormat for an entry of a newer format', async () => {
    const name = fresh();
    await open(name).head();
    await table.put({
      Item: { pk: { S: `log/${name}` }, sk: { S: String(2).padStart(16, '0') }, f: { N: '2' }, whatever: { S: 'x' } },
    });
    const sequence = open(name);
    await expect(sequence.readLog(1, { limit: 1, consistent: false })).rejects.toMatchObject({
      code: 'UnknownFormat',
    });
    await expect(sequence.append(1, put('x'), { nonce: 'n' })).rejects.toMatchObject({ code: 'UnknownFormat' });
  });
});
