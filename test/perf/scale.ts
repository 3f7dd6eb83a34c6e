import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { forEachOf } from './samples.ts';
import { configMap, seed, seededName } from './seed.ts';
import { processorTime, residentMemory, ServerProcess, START_FLAGS } from './server.ts';

const MANY = 100_000;
const COLLECTION = '/api/v1/namespaces/default/configmaps';
const EVENTS = 3_000;

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
  await seed(server.directory, count, 700);
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
    api.request(
      'PUT',
      `${COLLECTION}/${seededName(i % 100)}`,
      configMap(seededName(i % 100), 700, String(Math.random())),
    ),
  );

/** Lists and watches what is larger than the heap may be. */
async function largeObjects(): Promise<void> {
  await using server = new ServerProcess([...START_FLAGS, '--max-old-space-size=384']);
  await seed(server.directory, MANY, 5_000);
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
