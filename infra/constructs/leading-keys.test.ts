import { matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TableConnections } from '#adapters/aws/dynamodb/connections.ts';
import { dynamoDeadLetters } from '#adapters/aws/dynamodb/dead-letters.ts';
import { keptSecret } from '#adapters/aws/dynamodb/kept-secret.ts';
import { type Call, intercept } from '#adapters/aws/dynamodb/port.ts';
import { tableRateLedger } from '#adapters/aws/dynamodb/rate-ledger.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { tableWatchSlots } from '#adapters/aws/dynamodb/watch-slots.ts';
import { LOOPBACK } from '#functions/apiserver/loopback.ts';
import { openPlatform } from '#functions/apiserver/platform.ts';
import { asItself } from '#functions/metrics-server/wiring.ts';
import { buildStream } from '#functions/stream/wiring.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { scrapeNode } from '#lib/sdk/metrics-server/scrape-node.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { anInstance } from '#test/support/dynamodb-local/instance.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { startGatewayCluster } from '#test/support/gateway/cluster.ts';
import { NAMES, World } from '#test/support/stream/world.ts';
import { templateOf } from '../testing.ts';

const METRICS = 'node_cpu_usage_seconds_total 1\n';
const MAPS = '/api/v1/namespaces/default/configmaps';
const HOUR = 3_600_000;

/** The partition key of a call. */
function partitionOf({ input }: Call): string {
  if ('Key' in input) return input.Key?.['pk']?.S ?? '';
  if ('Item' in input) return input.Item?.['pk']?.S ?? '';
  return 'ExpressionAttributeValues' in input ? (input.ExpressionAttributeValues?.[':pk']?.S ?? '') : '';
}

/** An in-memory table, and the partitions that were accessed since the last call. */
function aTable() {
  const asked = new Set<string>();
  const table = intercept(new MemoryTable(), (call, next) => {
    asked.add(partitionOf(call));
    return next();
  });
  const take = (): readonly string[] => {
    const all = [...asked];
    asked.clear();
    return all;
  };
  return { table, take };
}

/** The partition key patterns that a role in the template may access. */
function allowed(role: string, context = {}): readonly string[] {
  const found = Object.entries(templateOf(context).findResources('AWS::IAM::Role')).find(([id]) => id.startsWith(role));
  const keys = JSON.stringify(found ?? []).matchAll(/"dynamodb:LeadingKeys":(\[[^\]]*\])/g);
  return Array.from(keys, ([, list = '[]']) => JSON.parse(list) as string[]).flat();
}

const forbidden = (role: string, partitions: readonly string[], context = {}): readonly string[] =>
  partitions.filter(
    (partition) =>
      !allowed(role, context).some((pattern) =>
        matchesGlob(partition.replaceAll('/', '.'), pattern.replaceAll('/', '.')),
      ),
  );

describe('the partitions of the table that a function uses', () => {
  const clock = new ManualClock(1_800_000_000_000);

  test('are those that its role allows', async () => {
    const { table, take } = aTable();
    const api = anInstance(table, { clock, as: LOOPBACK });
    await keptSecret(table, { name: 'signer', clock, make: async () => Buffer.from('x') });
    await tableWatchSlots(table, { clock, count: 2, cluster: 'main' }).take({
      holder: 'ann',
      watch: 'pods',
      milliseconds: 1_000,
    });
    await tableRateLedger(table, { clock, cluster: 'main' }).charge('ann', { cost: 20, allowance: 1_000 });
    await api.request('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'of-a' };
    await api.request('POST', MAPS, { metadata: { name: 'a', ownerReferences: [owner] }, data: { a: 'x' } });
    const large = Array.from({ length: 90_000 }, (_, i) => (i * 7919).toString(36)).join('');
    await api.request('POST', MAPS, { metadata: { name: 'large' }, data: { large } });
    const ofApi = take();
    expect(forbidden('ApiFunctionRole', ofApi)).toEqual([]);
    expect(ofApi).toEqual(expect.arrayContaining(['identity', 'watch-slots/main', 'names', 'log/main//configmaps']));

    const { bus, queue } = new World();
    const deadLetters = dynamoDeadLetters(table, clock);
    const store = dynamoStore(table, { clock });
    const shared = { store, bus, queue, deadLetters, clock, clusterId: 'x', publish: [], reconcilers: [NAMES] };
    await buildStream(shared).handle({ ringAll: true }, { hasTime: () => true });
    await deadLetters.put({
      consumer: 'events',
      sequence: 'main//configmaps',
      version: 2,
      key: 'k',
      reason: 'r',
      at: 0,
    });
    clock.advance(HOUR + 1);
    await api.request('DELETE', `${MAPS}/a`);
    await buildStream(shared).handle({ ringAll: true }, { hasTime: () => true });
    const ofDoorbell = take();
    expect(forbidden('DoorbellFunctionRole', ofDoorbell)).toEqual([]);
    const kinds = new Set(ofDoorbell.map((partition) => partition.split('/')[0]));
    expect([...kinds].sort()).toEqual(['chunk', 'dead', 'dependents', 'log', 'marks', 'names', 'state']);
  });

  test('include those of connections if there are nodes, and only those for the relay', async () => {
    const { table, take } = aTable();
    const connections = new TableConnections(table, { clock, cluster: 'main' });
    await connections.find('n1');
    await connections.publish('key');
    await connections.interested({ nodes: [], all: true });
    const asked = take();
    expect(asked).toEqual(['channel/main']);
    for (const name of ['Api', 'Channel', 'Doorbell', 'Scheduler', 'Reconcilers']) {
      const role = `${name}FunctionRole`;
      expect(forbidden(role, asked, { nodes: true })).toEqual([]);
      expect(forbidden(role, asked)).toEqual(asked);
    }
    const others = ['identity', 'log/main//secrets', 'dead', 'watch-slots/main', 'rates/main/x'];
    expect(forbidden('ChannelFunctionRole', others, { nodes: true })).toEqual(others);
  });

  test('are read-only for the metrics API, except those of connections', async () => {
    const context = { nodes: true, metricsApi: true };
    const shared = new MemoryTable();
    await using cluster = await startGatewayCluster({ web: { containers: [{ name: 'main', image: 'i' }] } }, shared);
    cluster.node.on('/metrics/resource', { request: (_, response) => void response.end(METRICS) });
    const asked = new Set<string>();
    const table = intercept(shared, (call, next) => {
      asked.add(`${call.operation} ${partitionOf(call)}`);
      return next();
    });
    const { server } = await openPlatform(cluster.config, 'localhost:443', new Map(), { table });
    const scraped = await scrapeNode(asItself(server), 'n1', new AbortController().signal);
    expect(scraped).toBe(METRICS);
    const client = apiClient({ handle: asItself(server), userAgent: 'test' });
    await client.list(PODS);
    await server.close();
    const writes = [...asked].filter((one) => !/^(?:get|query) /.test(one));
    expect(writes.filter((one) => one !== 'update channel/main')).toEqual([]);
    const partitions = [...asked].map((one) => one.split(' ')[1] ?? '');
    expect(partitions).toEqual(expect.arrayContaining(['identity', 'channel/main', 'log/main//pods']));
    expect(forbidden('MetricsServerFunctionRole', partitions, context)).toEqual([]);
  });

  test.each<[role: string, partitions: string[], context?: object]>([
    ['DoorbellFunctionRole', ['identity', 'watch-slots/main']],
    ['ReconcilersFunctionRole', ['dead', 'watch-slots/main']],
    ['SchedulerFunctionRole', ['dead', 'watch-slots/main']],
    ['ApiFunctionRole', ['dead', 'channel/main']],
    ['MetricsServerFunctionRole', ['dead', 'watch-slots/main', 'rates/main/x'], { nodes: true, metricsApi: true }],
  ])('%s may not use %j', (role, partitions, context = {}) => {
    expect(forbidden(role, partitions, context)).toEqual(partitions);
  });
});
