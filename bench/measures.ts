import { type Access, Connection } from './connection.ts';
import { forEachOf, latencies, latencyRows, quantile, type Row, throughput, timed } from './samples.ts';
import type { Widgets } from './widgets.ts';

const ONE_BY_ONE = 300;
const WORKERS = 16;
const DURATION = 3000;
const LISTED = 5000;
const EVENTS = 100;

/** One part of the table. Objects that it leaves in the namespace are not removed. */
export type Measure = (widgets: Widgets, access: Access) => Promise<Row[]>;

/** The measures in order. Later ones depend on earlier ones. */
export const MEASURES: readonly Measure[] = [
  async (widgets) => latencyRows('create', await latencies(ONE_BY_ONE, (i) => widgets.create(`one-${i}`))),
  async (widgets) => latencyRows('get', await latencies(ONE_BY_ONE, (i) => widgets.get(`one-${i}`))),
  updates,
  async (widgets) => latencyRows('apply', await latencies(ONE_BY_ONE, (i) => widgets.apply(`one-${i}`, i))),
  async (widgets) => [await rate('create', (worker, i) => widgets.create(`many-${worker}-${i}`))],
  async (widgets) => [await rate('get', (worker) => widgets.get(`one-${worker}`))],
  async (widgets) => [await rate('get + update', (worker, i) => widgets.update(`one-${worker}`, i))],
  async (widgets) => [await rate('get + update, one object', (worker, i) => widgets.update('one-0', worker + i * 16))],
  lists,
  (widgets, access) => writeToEvent(widgets, access, 1),
  (widgets, access) => writeToEvent(widgets, access, 100),
];

const rate = async (name: string, work: (worker: number, i: number) => Promise<unknown>): Promise<Row> => ({
  name: `${name}, ${WORKERS} workers`,
  unit: '/s',
  value: await throughput(WORKERS, DURATION, work),
});

async function updates(widgets: Widgets): Promise<Row[]> {
  const samples: number[] = [];
  for (let i = 0; i < ONE_BY_ONE; i++) {
    const object = await widgets.get(`one-${i}`);
    samples.push(await timed(() => widgets.put(object, i)));
  }
  return latencyRows('update', samples);
}

async function lists(widgets: Widgets): Promise<Row[]> {
  await forEachOf(LISTED, WORKERS, (i) => widgets.create(`list-${i}`));
  const list = (query: string) => latencies(8, () => widgets.api.request('GET', widgets.path + query));
  return [
    { name: `list all`, unit: 'ms', value: quantile(await list(''), 0.5) },
    { name: 'list 500', unit: 'ms', value: quantile(await list('?limit=500'), 0.5) },
    { name: 'list none by label', unit: 'ms', value: quantile(await list('?labelSelector=app%3Dnone'), 0.5) },
  ];
}

/** Measures from just before the PUT is sent until each watcher, on its own connection, has the event. */
async function writeToEvent(widgets: Widgets, access: Access, watchers: number): Promise<Row[]> {
  const path = `${widgets.path}?watch=true&fieldSelector=metadata.name%3Done-1&resourceVersion=0`;
  const connections = Array.from({ length: watchers }, () => new Connection(access));
  const samples: number[] = [];
  let sent = 0;
  let size = -1;
  let missing = 0;
  let arrived = (): void => undefined;
  const onLine = (line: string): void => {
    if (!line.includes(`"size":${size}`)) return;
    samples.push(performance.now() - sent);
    if (--missing === 0) arrived();
  };
  await Promise.all(connections.map((connection) => connection.watch(path, onLine)));
  for (let i = 0; i < EVENTS; i++) {
    const object = await widgets.get('one-1');
    const all = Promise.withResolvers<void>();
    [arrived, missing, size, sent] = [all.resolve, watchers, 1_000_000 * watchers + i, performance.now()];
    await Promise.all([widgets.put(object, size), all.promise]);
  }
  for (const connection of connections) connection.close();
  return latencyRows(`write to event, ${watchers} watchers`, samples);
}
