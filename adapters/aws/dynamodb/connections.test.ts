import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectionsConformance } from '#lib/server/channel/gateway/connections.conformance.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { FreezableClock, localTable } from '#test/support/dynamodb-local/fixture.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { TableConnections } from './connections.ts';
import { countingClient } from './counting-client.ts';
import type { Table } from './port.ts';

const ticket = { id: 't1', node: 'n1', session: 's', instance: 'i', after: '', before: '', expires: 0 };
const clock = new ManualClock(1_800_000_000_000);

connectionsConformance(async () => new TableConnections(new MemoryTable(), { clock, cluster: 'main' }));

test('a new connection takes two writes, a read of either half takes half a read unit, and records expire after 2 h 5 min', async () => {
  const table = new MemoryTable();
  const { table: counted, counts } = countingClient(table);
  const connections = new TableConnections(counted, { clock, cluster: 'main' });
  await connections.connect(ticket, 'c1');
  expect([counts.writeUnits, counts.readUnits]).toEqual([2, 0]);
  await connections.find('n1');
  await connections.nodeOf('c1');
  expect([counts.writeUnits, counts.readUnits]).toEqual([2, 1]);
  const expires = String(clock.now() / 1000 + 125 * 60);
  expect(new Set(table.items().map(({ pk, sk, ttl }) => `${pk?.S} ${sk?.S} ${ttl?.N}`))).toEqual(
    new Set([`channel/main node/n1 ${expires}`, `channel/main connection/c1 ${expires}`]),
  );
});

test('reads 500 nodes with one eventually consistent query of 16 units', async () => {
  const { table, counts } = countingClient(new MemoryTable());
  const connections = new TableConnections(table, { clock, cluster: 'main' });
  for (let i = 0; i < 500; i++) {
    await connections.connect({ ...ticket, node: `n${i}`, instance: 'i'.repeat(120) }, `c${i}`);
    await connections.keep(`n${i}`, '');
  }
  const before = counts.readUnits;
  expect(await connections.interested({ nodes: [], all: true })).toHaveLength(500);
  expect(counts.readUnits - before).toBeLessThan(17);
});

describe('interests of nodes', () => {
  const ALL = { nodes: [], all: true };
  const connected = async () => {
    const { table, counts } = countingClient(new MemoryTable());
    const connections = new TableConnections(table, { clock, cluster: 'main' });
    for (const node of ['n1', 'n2', 'n3']) await connections.connect({ ...ticket, node }, `c-${node}`);
    counts.writeUnits = counts.readUnits = counts.reads = counts.writes = 0;
    return { connections, counts };
  };
  const one = (node: string, interests: string) => ({ node, connections: [`c-${node}`], interests });

  test('are stored with one write and found with one eventually consistent query', async () => {
    const { connections, counts } = await connected();
    await connections.keep('n1', 'abcdefgh');
    await connections.keep('n3', '');
    expect([counts.writes, counts.writeUnits]).toEqual([2, 2]);
    expect(await connections.interested(ALL)).toEqual([one('n1', 'abcdefgh'), one('n3', '')]);
    expect([counts.reads, counts.readUnits]).toEqual([1, 0.5]);
  });

  test('are found with one query for given nodes in any order', async () => {
    const { connections, counts } = await connected();
    for (const node of ['n1', 'n2', 'n3']) await connections.keep(node, '');
    const found = await connections.interested({ nodes: ['n3', 'n2'], all: false });
    expect(found.map(({ node }) => node)).toEqual(['n2', 'n3']);
    expect(await connections.interested({ nodes: ['n2'], all: false })).toEqual([one('n2', '')]);
    expect(await connections.interested({ nodes: ['n'], all: false })).toEqual([]);
    expect(counts.reads).toBe(3);
  });

  test('survive a replaced connection, so that the new one receives notifications at once', async () => {
    const { connections } = await connected();
    await connections.keep('n1', 'abcdefgh');
    await connections.connect({ ...ticket, id: 't2', after: 't1', before: 'c-n1' }, 'c2');
    expect(await connections.interested(ALL)).toEqual([
      { node: 'n1', connections: ['c2', 'c-n1'], interests: 'abcdefgh' },
    ]);
    await connections.connect({ ...ticket, id: 't3', after: 't2' }, 'c3');
    expect(await connections.interested(ALL)).toEqual([{ node: 'n1', connections: ['c3'], interests: 'abcdefgh' }]);
  });

  test('are empty for a node without a connection', async () => {
    const { connections } = await connected();
    await connections.keep('n1', 'abcdefgh');
    await connections.lose('n1', 'c-n1');
    await connections.keep('other', 'abcdefgh');
    expect(await connections.interested(ALL)).toEqual([]);
    expect(await connections.find('other')).toBeUndefined();
  });

  test('are not stored for a record without a connection, but are for one with only the previous connection', async () => {
    const { connections } = await connected();
    await connections.lose('n1', 'c-n1');
    await connections.keep('n1', 'abcdefgh');
    await connections.connect({ ...ticket, id: 't2', after: 't1' }, 'c2');
    expect(await connections.interested(ALL)).toEqual([]);
    await connections.connect({ ...ticket, id: 't3', after: 't2', before: 'c2' }, 'c3');
    await connections.lose('n1', 'c3');
    await connections.keep('n1', 'abcdefgh');
    expect(await connections.interested(ALL)).toEqual([{ node: 'n1', connections: ['c2'], interests: 'abcdefgh' }]);
  });
});

describeOn(await startDynamoDbLocal(), 'connection records on DynamoDB', (endpoint) => {
  let table: Table;
  let made = 0;
  beforeAll(async () => {
    table = await localTable(endpoint, 'connections');
  });
  afterAll(() => table.close());
  connectionsConformance(
    async () => new TableConnections(table, { clock: new FreezableClock(clock), cluster: `c${made++}` }),
  );
});
