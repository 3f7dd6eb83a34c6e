import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#adapters/clock.ts';
import { SqliteStore } from '#adapters/sqlite/store.ts';
import { DEFAULT_CLUSTER, objectKey } from '#lib/storage/keys.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Proposal } from '#lib/storage/sequence.ts';
import { sequenceOf } from '#lib/storage/sequences.ts';
import { Connection } from './connection.ts';
import { forEachOf } from './samples.ts';
import { processorTime, residentMemory, ServerProcess, START_FLAGS } from './server.ts';

const MANY = 100_000;
const COLLECTION = '/api/v1/namespaces/default/configmaps';
const EVENTS = 3_000;
const ENTRY = 64;

/** What must not grow with the number of objects, and what fits into how much memory. Prints it. */
export async function measureScale(): Promise<void> {
  const few = await eventsAt(100);
  const many = await eventsAt(MANY);
  console.log(`processor time per event: ${few.toFixed(3)} ms at 100 objects, ${many.toFixed(3)} ms at ${MANY}`);
  await largeObjects();
}

/** Milliseconds of processor time for one update and its event, beside so many stored objects. */
async function eventsAt(count: number): Promise<number> {
  await using server = new ServerProcess();
  await seed(server, count, 700);
  const ready = await server.start();
  const api = new Connection(server.access);
  await api.watch(`${COLLECTION}?watch=true`, () => undefined);
  await update(api, EVENTS);
  const before = processorTime(server.pid);
  await update(api, EVENTS);
  const perEvent = ((processorTime(server.pid) - before) * 1000) / EVENTS;
  api.close();
  console.log(`${count} objects of 0.7 KB: ready in ${ready.toFixed(0)} ms, ${megabytes(server)}`);
  return perEvent;
}

const update = (api: Connection, count: number): Promise<void> =>
  forEachOf(count, 4, (i) =>
    api.request('PUT', `${COLLECTION}/${nameOf(i % 100)}`, configMap(nameOf(i % 100), 700, String(Math.random()))),
  );

/** Lists and watches what is larger than the heap may be. */
async function largeObjects(): Promise<void> {
  await using server = new ServerProcess([...START_FLAGS, '--max-old-space-size=384']);
  await seed(server, MANY, 5_000);
  const ready = await server.start();
  const api = new Connection(server.access);
  let bytes = 0;
  const started = performance.now();
  const status = await api.drain(COLLECTION, (chunk) => (bytes += chunk.length));
  const listed = performance.now() - started;
  const events = await initialEvents(api);
  console.log(
    `${MANY} objects of 5 KB, heap of 384 MiB: ready in ${ready.toFixed(0)} ms; list ${status}, ${bytes >> 20} MiB ` +
      `in ${listed.toFixed(0)} ms; ${events} initial events; ${megabytes(server)}`,
  );
  api.close();
}

/** How many of the initial events of a watch come within a minute. */
async function initialEvents(api: Connection): Promise<number> {
  const seen = { count: 0 };
  const path = `${COLLECTION}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;
  await api.watch(path, () => seen.count++);
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(100)) {
    if (seen.count >= MANY) break;
  }
  return seen.count;
}

const megabytes = ({ pid }: ServerProcess): string =>
  `${residentMemory(pid).toFixed(0)} MiB resident, at most ${residentMemory(pid, 'VmHWM').toFixed(0)}`;

const nameOf = (i: number): string => `object-${String(i).padStart(6, '0')}`;

const configMap = (name: string, bytes: number, value: string): JsonObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'default', resourceVersion: '' },
  data: { value, padding: 'x'.repeat(bytes) },
});

/** Writes objects into the file of a server that does not run. */
async function seed({ directory }: ServerProcess, count: number, bytes: number): Promise<void> {
  const store = new SqliteStore({ path: join(directory, 'davit.db'), clock: systemClock, sync: 'off' });
  const stored = { group: '', resource: 'configmaps' };
  const sequence = store.sequence(sequenceOf(DEFAULT_CLUSTER, stored));
  let head = await sequence.head();
  for (let i = 0; i < count; i += ENTRY) {
    const proposals = Array.from({ length: Math.min(ENTRY, count - i) }, (_, k) => proposal(nameOf(i + k), bytes));
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
