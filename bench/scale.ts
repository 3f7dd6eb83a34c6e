import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { forEachOf, quantile } from './samples.ts';
import { configMap, seed, seededName } from './seed.ts';
import { processorTime, residentMemory, ServerProcess, START_FLAGS } from './server.ts';

const MANY = 100_000;
const COLLECTION = '/api/v1/namespaces/default/configmaps';
const EVENTS = 2_000;
const ROUNDS = 9;

/** Measures and prints costs that must not grow with the number of objects, and the number of objects that fit into memory. */
export async function measureScale(): Promise<void> {
  await eventCosts();
  await largeObjects();
}

/** Processor time for one update and its event with few and with many stored objects. Rounds alternate, so that other load affects both. */
async function eventCosts(): Promise<void> {
  await using few = new ServerProcess();
  await using many = new ServerProcess();
  const costs: number[][] = [];
  const sides = [await watched(few, 100), await watched(many, MANY)];
  for (let round = 0; round < ROUNDS; round++) {
    const pair: number[] = [];
    for (const { api, pid } of sides) {
      const before = processorTime(pid);
      await update(api, EVENTS);
      pair.push(((processorTime(pid) - before) * 1000) / EVENTS);
    }
    costs.push(pair);
  }
  const [atFew = 0, atMany = 0] = [0, 1].map((side) => middle(costs.map((pair) => pair[side] ?? 0)));
  const growth = middle(costs.map(([a = 1, b = 0]) => b / a));
  console.log(
    `processor time per event: ${atFew.toFixed(3)} ms at 100 objects, ${atMany.toFixed(3)} ms at ${MANY}; ` +
      `middle of ${ROUNDS} ratios ${growth.toFixed(2)}; ${megabytes(many)} with ${MANY}`,
  );
  for (const { api } of sides) api.close();
}

const middle = (samples: readonly number[]): number => quantile(samples, 0.5);

/** A warm server with a watch and `count` objects. */
async function watched(server: ServerProcess, count: number): Promise<{ api: Connection; pid: number }> {
  await seed(server.directory, count, 700);
  const ready = await server.start();
  console.log(`${count} objects of 0.7 KB: ready in ${ready.toFixed(0)} ms`);
  const api = new Connection(server.access);
  await api.watch(`${COLLECTION}?watch=true`, () => undefined);
  await update(api, EVENTS);
  return { api, pid: server.pid };
}

const update = (api: Connection, count: number): Promise<void> =>
  forEachOf(count, 4, (i) =>
    api.request(
      'PUT',
      `${COLLECTION}/${seededName(i % 100)}`,
      configMap(seededName(i % 100), 700, String(Math.random())),
    ),
  );

/** Lists and watches objects whose total size exceeds the heap. */
async function largeObjects(): Promise<void> {
  await using server = new ServerProcess([...START_FLAGS, '--max-old-space-size=384']);
  await seed(server.directory, MANY, 5_000);
  const ready = await server.start();
  const api = new Connection(server.access);
  let bytes = 0;
  const [started, used] = [performance.now(), processorTime(server.pid)];
  const status = await api.drain(COLLECTION, (chunk) => (bytes += chunk.length));
  const [listed, cost] = [performance.now() - started, processorTime(server.pid) - used];
  const events = await initialEvents(api);
  console.log(
    `${MANY} objects of 5 KB, heap of 384 MiB: ready in ${ready.toFixed(0)} ms; list ${status}, ${bytes >> 20} MiB ` +
      `in ${listed.toFixed(0)} ms, ${cost.toFixed(1)} s of processor time; ${events} initial events; ${megabytes(server)}`,
  );
  api.close();
}

/** The number of initial events that a watch receives within a minute. */
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
