import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#adapters/clock.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { Sequence } from '#lib/storage/sequence.ts';
import { contended, type Served } from '#test/store/contention.ts';
import { quantile } from './samples.ts';

const ROUND_TRIP = 5;
const SECONDS = 10;
/** The rate in writes per second that functions with one request each must sustain, and the bar for the p99 in milliseconds. */
const [BARRED, BAR] = [100, 100];

/**
 * Prints how long writes to one resource type wait on a table where each call takes 5 ms. In an account, functions with one request each
 * have their own processors. They therefore run here on a clock that only the calls advance, so that the load of this machine does not
 * matter.
 */
export async function measureWrites(): Promise<void> {
  for (const rate of [50, BARRED, 150, 200]) {
    const bar = rate === BARRED ? BAR : undefined;
    const served = await contended({ instances: 64, writes: rate * SECONDS, rate });
    tell(`${rate}/s to functions of one request each, processors aside`, served, bar);
  }
  for (const [instances, rate] of [
    [4, 200],
    [2, 200],
    [1, 200],
    [1, 1_000],
  ] as const) {
    const served = await contended({ instances, writes: rate * SECONDS, rate, shared: true });
    tell(`${rate}/s to ${instances} shared environments, processors aside`, served);
  }
  tell('64 functions without a pause, processors aside', await contended({ instances: 64, writes: 1_000 }));
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
    extent: (prefix) => late(() => inner.extent(prefix)),
    append: (after, proposals, how) => late(() => inner.append(after, proposals, how)),
    compact: () => inner.compact(),
    positionBefore: (time) => inner.positionBefore(time),
    raiseEpoch: () => inner.raiseEpoch(),
    close: () => inner.close(),
  };
}

const instanceOf = (sequence: Sequence) =>
  new ResourceCache({ sequence, clock: systemClock, summarize: summarizeBody });

async function write(cache: ResourceCache, name: string, times: number[]): Promise<void> {
  const started = performance.now();
  const key = `main//configmaps/ns/${name}`;
  const metadata = { name, namespace: 'ns', resourceVersion: '0', labels: { app: name } };
  const body = Buffer.from(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { at: started } }));
  const summary = summarizeBody(body);
  await cache.get(key, { kind: 'fresh' });
  await cache.mutate(key, () => ({ action: 'put', body, summary, result: undefined }));
  times.push(performance.now() - started);
}

function tell(what: string, { times, refused, seconds }: Served, bar?: number): void {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)].map((time) => time.toFixed(0));
  const rate = (times.length / seconds).toFixed(0);
  const verdict = bar === undefined ? '' : `; bar p99 ${bar} ms: ${Number(p99) <= bar ? 'met' : 'not met'}`;
  console.log(
    `${what}: ${rate} writes/s, p50 ${p50} ms, p99 ${p99} ms, ${refused} of ${times.length + refused} refused${verdict}`,
  );
}

/** One environment that serves many concurrent requests. */
async function shared(requests: number): Promise<void> {
  const cache = instanceOf(aLog());
  const times: number[] = [];
  const begun = performance.now();
  const end = begun + SECONDS * 1000;
  const work = async (_: unknown, i: number): Promise<void> => {
    while (performance.now() < end) await write(cache, `o${i}`, times);
  };
  await Promise.all(Array.from({ length: requests }).map(work));
  tell(`one environment, ${requests} requests at once`, {
    times,
    refused: 0,
    seconds: (performance.now() - begun) / 1000,
  });
}
