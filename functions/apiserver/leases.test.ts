import { expect, test } from 'vitest';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { anInstance, checkpointAll, grantAll } from '#test/support/dynamodb-local/instance.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';

const PATH = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
/** More than the number of objects of other types that single reads load. */
const NODES = 200;
const PERIOD = 10_000;

const aLease = (name: string, at: number, resourceVersion?: string) => ({
  metadata: {
    name,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: '0f2d3a5e-7a4b-4a7e-9c2d-2f0f6a1b7c3d' }],
  },
  spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: new Date(at).toISOString().replace('Z', '000Z') },
});

test('a warm function renews one of many Leases for one or two read units, however many functions alternate', async () => {
  const clock = new ManualClock();
  const table = new MemoryTable();
  await grantAll(table, clock);
  const first = anInstance(table, { clock });
  await first.request('POST', '/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } });
  const versions = new Map<string, string>();
  const keep = (answer: string): void => {
    const lease = parseStored(Buffer.from(answer));
    const metadata = isObject(lease) ? objectAt(lease, 'metadata') : undefined;
    versions.set(stringAt(metadata, 'name') ?? '', stringAt(metadata, 'resourceVersion') ?? '');
  };
  const names = Array.from({ length: NODES }, (_, i) => `node-${i}`);
  for (const name of names) keep(await first.request('POST', PATH, aLease(name, clock.now())));
  await checkpointAll(first);
  const warm = Array.from({ length: 4 }, () => anInstance(table, { clock }));
  const renew = async (some: readonly string[]): Promise<void> => {
    for (const [i, name] of some.entries()) {
      clock.advance(PERIOD / NODES);
      const { request } = warm[i % warm.length] ?? first;
      keep(await request('PUT', `${PATH}/${name}`, aLease(name, clock.now(), versions.get(name))));
    }
  };
  await renew(names.slice(0, 40));
  for (const one of warm) one.reset();
  await renew(names);
  const perRenewal = (field: 'readUnits' | 'writeUnits'): number =>
    warm.reduce((sum, { counts }) => sum + counts[field], 0) / NODES;
  expect(perRenewal('readUnits')).toBeLessThanOrEqual(1.5);
  // The log entry, plus a share of the fold that a writer runs every 200 versions.
  expect(perRenewal('writeUnits')).toBeLessThanOrEqual(2.05);
});
