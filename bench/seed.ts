import { join } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import { SqliteStore } from '#adapters/server/sqlite/store.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { DEFAULT_CLUSTER, objectKey } from '#lib/storage/keys.ts';
import type { Proposal } from '#lib/storage/sequence.ts';
import { sequenceOf } from '#lib/storage/sequences.ts';

const ENTRY = 64;

export const seededName = (i: number): string => `object-${String(i).padStart(6, '0')}`;

export const configMap = (name: string, bytes: number, value: string): JsonObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'default', resourceVersion: '' },
  data: { value, padding: 'x'.repeat(bytes) },
});

/** Writes config maps of this size into the data directory of a stopped server. */
export async function seed(directory: string, count: number, bytes: number): Promise<void> {
  const store = new SqliteStore({ path: join(directory, 'davit.db'), clock: systemClock, sync: 'off' });
  const sequence = store.sequence(sequenceOf(DEFAULT_CLUSTER, { group: '', resource: 'configmaps' }));
  let head = await sequence.head();
  for (let i = 0; i < count; i += ENTRY) {
    const proposals = Array.from({ length: Math.min(ENTRY, count - i) }, (_, k) => proposal(seededName(i + k), bytes));
    const result = await sequence.append(head, proposals, { nonce: `seed-${i}` });
    if (!result.ok) throw new Error('another process writes to the file');
    head = result.last;
    if (i % (64 * ENTRY) === 0) await sequence.compact();
  }
  await sequence.compact();
  await store.close();
}

function proposal(name: string, bytes: number): Proposal {
  const object = configMap(name, bytes, 'seed');
  const metadata = {
    name,
    namespace: 'default',
    uid: crypto.randomUUID(),
    resourceVersion: '0',
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  const key = objectKey({ cluster: DEFAULT_CLUSTER, group: '', resource: 'configmaps', namespace: 'default', name });
  const body = Buffer.from(JSON.stringify({ ...object, metadata }));
  return { key, type: 'ADDED', body, labels: {}, fields: {}, generation: 0, ownerReferences: [] };
}
