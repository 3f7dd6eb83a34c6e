import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ChangeType, Sequence } from '#lib/storage/sequence.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { aProposal, localTable, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { dynamoStore } from './store.ts';

const PODS = 'main//pods/';

const aPod = (name: string, node: string, type: ChangeType = 'ADDED', before?: string) => ({
  ...aProposal(name, { type, fields: { 'spec.nodeName': node } }),
  key: `${PODS}default/${name}`,
  ...(before === undefined
    ? {}
    : {
        previous: { labels: {}, fields: { 'spec.nodeName': before }, generation: 1, ownerReferences: [], version: 2 },
      }),
});

describeOn(await startDynamoDbLocal(), 'pods by node in DynamoDB', (endpoint) => {
  const clock = new TestClock();
  const aLog = async () =>
    dynamoStore(await localTable(endpoint, `nodes-${randomUUID()}`), { clock }).sequence('main//pods');

  async function folded(log: Sequence, ...groups: (readonly ReturnType<typeof aPod>[])[]): Promise<void> {
    for (const [i, pods] of groups.entries()) {
      expect(await log.append(await log.head(), pods, { nonce: `n${i}` })).toMatchObject({ ok: true });
      await log.compact();
    }
  }
  async function on(log: Sequence, value: string, range: { prefix?: string; start?: string } = {}) {
    const where = { field: 'spec.nodeName', value };
    const { entries } = await log.snapshot({ prefix: PODS, ...range, where });
    return (await Array.fromAsync(entries)).map(({ key }) => key.slice(`${PODS}default/`.length));
  }

  test('a snapshot reads only the pods of a node, in order, within its range', async () => {
    const log = await aLog();
    await folded(log, [aPod('c', 'n1'), aPod('a', 'n1'), aPod('b', 'n2'), aPod('d', '')]);
    expect(await on(log, 'n1')).toEqual(['a', 'c']);
    expect(await on(log, 'n1', { start: `${PODS}default/b` })).toEqual(['c']);
    expect(await on(log, 'n1', { prefix: `${PODS}other/` })).toEqual([]);
    expect(await on(log, 'n3')).toEqual([]);
  });

  test('finds a pod that is bound later, and omits a deleted one', async () => {
    const log = await aLog();
    await folded(log, [aPod('a', ''), aPod('b', 'n1')], [aPod('a', 'n1', 'MODIFIED', '')]);
    expect(await on(log, 'n1')).toEqual(['a', 'b']);
    await folded(log, [aPod('b', 'n1', 'DELETED', 'n1')]);
    expect(await on(log, 'n1')).toEqual(['a']);
  });

  test('leaves filtering to the reader for values without an index', async () => {
    const log = await aLog();
    await folded(log, [aPod('a', 'n1'), aPod('b', '')]);
    expect(await on(log, '')).toEqual(['a', 'b']);
    expect(await on(log, 'x'.repeat(254))).toEqual(['a', 'b']);
  });
});
