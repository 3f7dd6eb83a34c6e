import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#adapters/clock.ts';
import { summarizeBody } from '#lib/registry/summarize-body.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { Sequence } from '#lib/storage/sequence.ts';
import { quantile } from './samples.ts';

const ROUND_TRIP = 5;
const SECONDS = 10;
/** Writes a second to functions of one request each, and the milliseconds in which 99 of 100 are to be done. */
const [BARRED, BAR] = [100, 100];

/** What writes to one resource type cost over a table whose every call takes 5 ms. Prints it. */
export async function measureWrites(): Promise<void> {
  for (const rate of [50, 100, 150]) await oneRequestEach(64, rate);
  await storm(64);
  await shared(1_000);
}

function aLog(): Sequence {
  const inner = new MemoryStore({ clock: systemClock, retention: 3_600_000 }).sequence('main//configmaps');
  const late = <T>(call: () => Promise<T>): Promise<T> =>
    sleep(ROUND_TRIP / 2)
      .then(call)
      .then(async (answer) => {
        await sleep(ROUND_TRIP / 2);
        return answer;
      });
  return {
    marks: inner.marks,
    head: () => late(() => inner.head()),
    read: (key) => late(() => inner.read(key)),
    readLog: (after, how) => late(() => inner.readLog(after, how)),
    snapshot: (how) => late(() => inner.snapshot(how)),
    append: (after, proposals, how) => late(() => inner.append(after, proposals, how)),
    compact: () => inner.compact(),
    positionBefore: (time) => inner.positionBefore(time),
    raiseEpoch: () => inner.raiseEpoch(),
    close: () => inner.close(),
  };
}

const instanceOf = (sequence: Sequence) =>
  new ResourceCache({ sequence, clock: systemClock, summarize: summarizeBody });

interface Written {
  readonly times: number[];
  refused: number;
}

async function write(cache: ResourceCache, name: string, written: Written, started = performance.now()): Promise<void> {
  const key = `main//configmaps/ns/${name}`;
  const metadata = { name, namespace: 'ns', resourceVersion: '0', labels: { app: name } };
  const body = Buffer.from(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { at: started } }));
  const summary = summarizeBody(body);
  try {
    await cache.get(key, { kind: 'fresh' });
    await cache.mutate(key, () => ({ action: 'put', body, summary, result: undefined }));
    written.times.push(performance.now() - started);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    written.refused++;
  }
}

function tell(what: string, { times, refused }: Written, seconds: number, bar?: number): void {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)].map((time) => time.toFixed(0));
  const rate = (times.length / seconds).toFixed(0);
  const verdict = bar === undefined ? '' : `; bar p99 ${bar} ms: ${Number(p99) <= bar ? 'met' : 'not met'}`;
  console.log(
    `${what}: ${rate} writes/s, p50 ${p50} ms, p99 ${p99} ms, ${refused} of ${times.length + refused} refused${verdict}`,
  );
}

/** Functions of one request each, to which requests come at a rate, whoever is free. */
async function oneRequestEach(instances: number, rate: number): Promise<void> {
  const log = aLog();
  const free = Array.from({ length: instances }, () => instanceOf(log));
  const warm: Written = { times: [], refused: 0 };
  await Promise.all(free.map((cache, i) => write(cache, `o${i}`, warm)));
  await Promise.all(free.map((cache) => cache.list({ prefix: '', at: { kind: 'fresh' }, limit: 1 })));
  const written: Written = { times: [], refused: 0 };
  const all: Promise<void>[] = [];
  const begun = performance.now();
  for (let i = 0; i < rate * SECONDS; i++) {
    const due = begun + (i * 1000) / rate;
    await sleep(Math.max(0, due - performance.now()));
    const cache = free.shift() ?? instanceOf(log);
    all.push(write(cache, `o${i % 500}`, written, due).then(() => void free.push(cache)));
  }
  await Promise.all(all);
  const bar = rate === BARRED ? BAR : undefined;
  tell(`${rate}/s to functions of one request each`, written, (performance.now() - begun) / 1000, bar);
}

/** As many functions as there are, each of which writes again at once. */
async function storm(instances: number): Promise<void> {
  const log = aLog();
  const written: Written = { times: [], refused: 0 };
  const begun = performance.now();
  const end = begun + SECONDS * 1000;
  const work = async (_: unknown, i: number): Promise<void> => {
    const cache = instanceOf(log);
    while (performance.now() < end) await write(cache, `o${i}`, written);
  };
  await Promise.all(Array.from({ length: instances }).map(work));
  tell(`${instances} functions without a pause`, written, (performance.now() - begun) / 1000);
}

/** One environment that serves many requests at once. */
async function shared(requests: number): Promise<void> {
  const cache = instanceOf(aLog());
  const written: Written = { times: [], refused: 0 };
  const begun = performance.now();
  const end = begun + SECONDS * 1000;
  const work = async (_: unknown, i: number): Promise<void> => {
    while (performance.now() < end) await write(cache, `o${i}`, written);
  };
  await Promise.all(Array.from({ length: requests }).map(work));
  tell(`one environment, ${requests} requests at once`, written, (performance.now() - begun) / 1000);
}
