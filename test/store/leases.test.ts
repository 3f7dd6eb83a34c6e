import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { buildStream } from '#functions/stream/wiring.ts';
import { builtInHop } from '#lib/controllers/first-hop.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { leaseSequence } from '#lib/storage/sequences.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { World } from '#test/support/stream/world.ts';
import { localTable } from '../support/dynamodb-local/fixture.ts';
import { anInstance, checkpointAll, grantAll, type Instance } from '../support/dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '../support/dynamodb-local/start.ts';

const SEQUENCE = leaseSequence('main');
const PATH = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const HOUR = 3_600_000;
/** The number of versions after which a writer folds a log (`adapters/aws/dynamodb/options.ts`). */
const FOLDED = 200;

/** A Lease as a node writes it. */
const aLease = (name: string, at: number, resourceVersion?: string) => ({
  metadata: {
    name,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: '0f2d3a5e-7a4b-4a7e-9c2d-2f0f6a1b7c3d' }],
  },
  spec: {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    renewTime: new Date(at).toISOString().replace('Z', '000Z'),
  },
});

describeOn(await startDynamoDbLocal(), 'renewals of Leases, that ring nobody', (endpoint) => {
  const clock = new ManualClock();
  let table: Table;

  beforeAll(async () => {
    table = await localTable(endpoint, 'leases');
    await grantAll(table, clock);
    const first = anInstance(table, { clock });
    await first.request('POST', '/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } });
    await checkpointAll(first);
  });
  afterAll(async () => table?.close());

  /** Nodes with one Lease each, all checkpointed, and a function that renews the next one. */
  async function someNodes(count: number): Promise<{ instance: Instance; names: string[]; renew(): Promise<void> }> {
    const instance = anInstance(table, { clock });
    const versions = new Map<string, string>();
    const keep = (answer: string): void => {
      const lease = parseStored(Buffer.from(answer));
      const metadata = isObject(lease) ? objectAt(lease, 'metadata') : undefined;
      versions.set(stringAt(metadata, 'name') ?? '', stringAt(metadata, 'resourceVersion') ?? '');
    };
    const names = Array.from({ length: count }, (_, i) => `of-${count}-${i}`);
    for (const name of names) keep(await instance.request('POST', PATH, aLease(name, clock.now())));
    await checkpointAll(instance);
    let renewed = 0;
    const renew = async (): Promise<void> => {
      clock.advance(10);
      const name = names[renewed++ % count] ?? '';
      keep(await instance.request('PUT', `${PATH}/${name}`, aLease(name, clock.now(), versions.get(name))));
    };
    for (let i = 0; i < 5; i++) await renew();
    return { instance, names, renew };
  }

  test.each([3, 100])('cost a unit of each, and the writer folds their log: %i nodes', async (nodes) => {
    const { instance, names, renew } = await someNodes(nodes);
    instance.reset();
    await renew();
    expect(instance.counts).toMatchObject({ reads: 1, readUnits: 1, writes: 1, writeUnits: 1 });
    const renewals = FOLDED + 50;
    for (let i = 1; i < renewals; i++) await renew();
    expect(instance.counts.writes).toBe(instance.counts.writeUnits);
    // One fold in at most two steps. Each writes the changed Leases and the watermark.
    expect(instance.counts.writeUnits).toBeLessThanOrEqual(renewals + 2 * (nodes + 1));
    expect(instance.counts.writeUnits).toBeGreaterThan(renewals);
    expect(instance.counts.readUnits).toBeLessThanOrEqual(1.2 * renewals);
    const sequence = instance.store.sequence(SEQUENCE);
    expect((await sequence.head()) - (await sequence.read('none')).from).toBeLessThanOrEqual(FOLDED);

    const cold = anInstance(table, { clock });
    await cold.request('GET', '/api/v1/namespaces/kube-node-lease');
    cold.reset();
    await cold.request('GET', `${PATH}/${names[0]}`);
    expect(cold.counts.reads).toBeLessThanOrEqual(5);
    expect(cold.counts.readUnits).toBeLessThanOrEqual(40);
  });

  test('are deleted by the hourly run, for one write unit each', async () => {
    clock.advance(2 * HOUR);
    const { renew } = await someNodes(2);
    for (let i = 0; i < 20; i++) await renew();
    const doorbell = anInstance(table, { clock });
    const { bus, queue, deadLetters } = new World();
    const stream = buildStream({
      store: doorbell.store,
      bus,
      queue,
      deadLetters,
      clock,
      clusterId: 'test',
      publish: [],
      reconcilers: [builtInHop],
    });
    const ring = async (): Promise<void> => {
      doorbell.reset();
      await stream.handle({ ringAll: true }, { hasTime: () => true });
    };
    await ring();
    clock.advance(HOUR + 1);
    await renew();
    await ring();
    const { calls, writes } = doorbell.counts;
    expect(calls.delete).toBeGreaterThanOrEqual(25);
    // The last renewal is folded, which writes its Lease and the watermark.
    expect(writes - calls.delete).toBe(2);
    const { marks } = doorbell.store.sequence(SEQUENCE);
    expect([await marks.cursor('events'), await marks.cursor('requests')]).toEqual([undefined, undefined]);
  });
});
