import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type DefinedReconciler, defineReconciler } from '#lib/client/controller/define-reconciler.ts';
import { startApiserver } from '#local/start-apiserver.ts';
import { forEachOf, latencyRows } from './samples.ts';

const OBJECTS = 10_000;
const CHANGES = 500;
const KIND = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Prints how soon a reconciler starts, and how much memory it needs. */
export async function measureReconcilers(): Promise<void> {
  await measureReaction();
  await measureMemory();
}

/**
 * Measures from the call that changes an object until a reconciler starts to process it, including the commit. The bar for the median is 5
 * ms.
 */
async function measureReaction(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'davit-reaction-'));
  const begun = new Map<string, PromiseWithResolvers<number>>();
  const reconciler = defineReconciler({ name: 'reaction', for: KIND }, async ({ name }) => {
    begun.get(name)?.resolve(performance.now());
    return undefined;
  });
  const server = await startApiserver({ dataDirectory: directory, reconcilers: [reconciler] });
  try {
    const samples: number[] = [];
    let sooner = 0;
    for (let i = 0; i < CHANGES; i++) {
      const name = `reaction-${i}`;
      const seen = Promise.withResolvers<number>();
      begun.set(name, seen);
      const called = performance.now();
      await server.client.create({ ...KIND, metadata: { namespace: 'default', name }, data: { value: 'x' } });
      const answered = performance.now();
      const at = await seen.promise;
      samples.push(at - called);
      if (at < answered) sooner++;
    }
    for (const { name, unit, value } of latencyRows('from the call until its reconciler begins', samples))
      console.log(`${name}: ${value.toFixed(2)} ${unit}`);
    console.log(`before the call was answered: ${sooner} of ${CHANGES}`);
  } finally {
    await server.close();
    rmSync(directory, { recursive: true });
  }
}

/** Measures the memory of a server whose reconciler has reconciled each of many objects. The bar is 150 MB. */
async function measureMemory(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'davit-reconciler-'));
  try {
    await withServer(directory, [], async (server) => {
      await forEachOf(OBJECTS, 64, (i) => create(server, i));
    });
    const alone = await withServer(directory, [], async () => memory());
    let looked = 0;
    const all = Promise.withResolvers<void>();
    const reconciler = defineReconciler({ name: 'many', for: KIND }, async (_request, { object }) => {
      await object();
      if (++looked === OBJECTS) all.resolve();
      return undefined;
    });
    const used = process.cpuUsage();
    const beside = await withServer(directory, [reconciler], async () => {
      await all.promise;
      return memory();
    });
    const { user, system } = process.cpuUsage(used);
    const heap = ((beside.heap - alone.heap) / 1e6).toFixed(1);
    const resident = ((beside.resident - alone.resident) / 1e6).toFixed(1);
    console.log(
      `a reconciler over ${OBJECTS} objects of 1 KB: ${heap} MB of heap, ${resident} MB resident more than without (bar 150)`,
    );
    console.log(`a start with it, until it has read each: ${((user + system) / 1e6).toFixed(1)} s of processor time`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

type Server = Awaited<ReturnType<typeof startApiserver>>;

async function withServer<T>(
  dataDirectory: string,
  reconcilers: readonly DefinedReconciler[],
  work: (server: Server) => Promise<T>,
): Promise<T> {
  const server = await startApiserver({ dataDirectory, reconcilers, sync: 'off' });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

const create = ({ client }: Server, i: number): Promise<unknown> =>
  client.create({ ...KIND, metadata: { namespace: 'default', name: `object-${i}` }, data: { value: 'x'.repeat(800) } });

function memory(): { readonly heap: number; readonly resident: number } {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}
