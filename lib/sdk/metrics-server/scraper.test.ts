import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { throughFreezes } from '#lib/machinery/through-freezes.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { type NodePoints, nodeUsage } from './node-points.ts';
import { Scraper } from './scraper.ts';

let clock: ManualClock;
let asked: string[];
let faults: string[];
beforeEach(() => {
  clock = new ManualClock();
  [asked, faults] = [[], []];
});

/** A node that has used half a core since its start. */
const half = async (): Promise<string> =>
  `node_cpu_usage_seconds_total ${1 + clock.monotonic() / 2000}\nnode_memory_working_set_bytes 1024\n`;
const hangs = (): Promise<string> => new Promise(() => undefined);

const scraperOf = (nodes: Readonly<Record<string, () => Promise<string>>>, its: Clock = clock): Scraper =>
  new Scraper({
    clock: its,
    resolution: 60_000,
    scrape: async (node) => {
      asked.push(node);
      return (await nodes[node]?.()) ?? '';
    },
    onFault: (node, error) => faults.push(`${node}: ${String(error)}`),
  });

const unmeasured = (_: string, points: NodePoints): boolean => nodeUsage(points) === undefined;

/** The usage of nodes in the first response, and its duration in seconds. */
async function ask(scraper: Scraper, ...nodes: readonly string[]) {
  const begun = clock.monotonic();
  const answered = new AbortController();
  const answer = scraper.pointsOf(nodes, unmeasured).finally(() => answered.abort());
  await settled();
  for (let steps = 0; !answered.signal.aborted && steps < 1000; steps++) {
    clock.advance(500);
    await settled();
  }
  const points = await answer;
  const usages = [...points].map(([node, held]) => [node, nodeUsage(held)?.cpu] as const);
  return { seconds: (clock.monotonic() - begun) / 1000, cpu: Object.fromEntries(usages) };
}

/** Runs all pending code that waits only for other code. */
describe('a node without recent requests', () => {
  test('is scraped twice, two seconds apart', async () => {
    expect(await ask(scraperOf({ a: half }), 'a')).toEqual({ seconds: 2, cpu: { a: 5e8 } });
    expect(asked).toEqual(['a', 'a']);
  });

  test('is never scraped without a request', async () => {
    const scraper = scraperOf({ a: half, b: half });
    await ask(scraper, 'a');
    asked = [];
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(60_000);
      await settled();
    }
    expect(asked).toEqual([]);
  });

  test('is scraped until its kubelet reports a new point', async () => {
    const measured = async (): Promise<string> => {
      const at = Math.floor(clock.monotonic() / 10_000) * 10_000;
      return `node_cpu_usage_seconds_total ${1 + at / 4000} ${1e12 + at}\nnode_memory_working_set_bytes 1024 ${1e12 + at}\n`;
    };
    clock.advance(3000);
    expect(await ask(scraperOf({ a: measured }), 'a')).toEqual({ seconds: 8, cpu: { a: 2.5e8 } });
  });

  test('is given up after nine scrapes with the same point', async () => {
    const same = async (): Promise<string> => 'node_cpu_usage_seconds_total 1 7\nnode_memory_working_set_bytes 1 7\n';
    expect(await ask(scraperOf({ a: same }), 'a')).toEqual({ seconds: 16, cpu: { a: undefined } });
    expect(asked).toHaveLength(9);
  });
});

describe('a scrape of a node', () => {
  test('is valid for a minute, and the next one needs no second', async () => {
    const scraper = scraperOf({ a: half });
    await ask(scraper, 'a');
    clock.advance(59_000);
    expect(await ask(scraper, 'a')).toEqual({ seconds: 0, cpu: { a: 5e8 } });
    expect(asked).toHaveLength(2);
    clock.advance(1000);
    expect(await ask(scraper, 'a')).toEqual({ seconds: 0, cpu: { a: 5e8 } });
    expect(asked).toHaveLength(3);
  });

  test('starts a new pair after two minutes without one', async () => {
    const scraper = scraperOf({ a: half });
    await ask(scraper, 'a');
    clock.advance(121_000);
    expect(await ask(scraper, 'a')).toEqual({ seconds: 2, cpu: { a: 5e8 } });
  });

  test('is shared by concurrent requests', async () => {
    const scraper = scraperOf({ a: half });
    await Promise.all([ask(scraper, 'a'), ask(scraper, 'a'), ask(scraper, 'a', 'a')]);
    expect(asked).toEqual(['a', 'a']);
  });

  test('is repeated after 15 seconds if requested metrics are missing', async () => {
    const scraper = scraperOf({ a: half });
    await ask(scraper, 'a');
    asked = [];
    clock.advance(14_000);
    await scraper.pointsOf(['a'], () => true);
    expect(asked).toEqual([]);
    clock.advance(1000);
    await scraper.pointsOf(['a'], () => true);
    expect(asked).toEqual(['a']);
  });

  test('is dated in the middle between request and response', async () => {
    const slow = async (): Promise<string> => {
      await clock.sleep(4000);
      return half();
    };
    const scraper = scraperOf({ a: slow });
    const answer = scraper.pointsOf(['a'], unmeasured);
    for (let steps = 0; steps < 20; steps++) {
      await settled();
      clock.advance(500);
    }
    const node = (await answer).get('a')?.last.node;
    expect(node).toMatchObject({ at: 8000, timestamp: 1_700_000_008_000 });
  });

  test('does not change with the wall clock', async () => {
    const scraper = scraperOf({ a: half });
    await ask(scraper, 'a');
    clock.jump(-3_600_000);
    clock.advance(60_000);
    expect(await ask(scraper, 'a')).toEqual({ seconds: 0, cpu: { a: 5e8 } });
  });
});

describe('a process that is frozen between requests', () => {
  /** A node that uses a quarter of a core, even while the process is frozen. */
  const quarter = async (): Promise<string> =>
    `node_cpu_usage_seconds_total ${1 + (clock.now() - 1.7e12) / 4000}\nnode_memory_working_set_bytes 1024\n`;

  test('scrapes again after a minute, and returns the usage over that minute', async () => {
    const scraper = scraperOf({ a: quarter }, throughFreezes(clock));
    await ask(scraper, 'a');
    clock.jump(59_000);
    expect(await ask(scraper, 'a')).toEqual({ seconds: 0, cpu: { a: 2.5e8 } });
    expect(asked).toHaveLength(2);
    clock.jump(1000);
    expect(await ask(scraper, 'a')).toEqual({ seconds: 0, cpu: { a: 2.5e8 } });
    expect(asked).toHaveLength(3);
  });

  test('starts a new pair after two minutes', async () => {
    const scraper = scraperOf({ a: quarter }, throughFreezes(clock));
    await ask(scraper, 'a');
    clock.jump(121_000);
    expect(await ask(scraper, 'a')).toEqual({ seconds: 2, cpu: { a: 2.5e8 } });
    expect(asked).toHaveLength(4);
  });

  test('rejects a response from before the freeze, because its time is unknown', async () => {
    const frozen = async (): Promise<string> => {
      const text = await quarter();
      clock.jump(60_000);
      return text;
    };
    expect(await ask(scraperOf({ a: frozen }, throughFreezes(clock)), 'a')).toEqual({ seconds: 0, cpu: {} });
    expect(faults).toEqual(['a: Error: its answer is 60000 ms old']);
  });
});

describe('a node that hangs', () => {
  test('delays a response once by five seconds, without hiding other nodes', async () => {
    const scraper = scraperOf({ a: half, hung: hangs });
    expect(await ask(scraper, 'a', 'hung')).toEqual({ seconds: 5, cpu: { a: 5e8 } });
    expect(await ask(scraper, 'a', 'hung')).toEqual({ seconds: 0, cpu: { a: 5e8 } });
    expect(faults).toEqual([expect.stringMatching(/^hung: .*context deadline exceeded/)]);
    clock.advance(15_000);
    expect(await ask(scraper, 'hung')).toMatchObject({ seconds: 5 });
  });

  test('does not block nodes that responded: 500 hanging nodes delay a response by 25 seconds', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `hung-${i}`);
    const scraper = scraperOf({ a: half, ...Object.fromEntries(names.map((name) => [name, hangs])) });
    const { seconds, cpu } = await ask(scraper, ...names.slice(0, 31), 'a', ...names.slice(31));
    expect([seconds, cpu]).toEqual([25, { a: 5e8 }]);
  });

  test('is aborted after its timeout', async () => {
    let signal: AbortSignal | undefined;
    const scraper = new Scraper({
      clock,
      resolution: 60_000,
      scrape: (_, given) => {
        signal = given;
        return hangs();
      },
      onFault: () => undefined,
    });
    await ask(scraper, 'a');
    expect(signal?.aborted).toBe(true);
  });
});

test('omits nodes that fail or return invalid metrics', async () => {
  const scraper = scraperOf({ a: half, gone: () => Promise.reject(new Error('503')), odd: async () => '<html>' });
  expect(await ask(scraper, 'a', 'gone', 'odd')).toEqual({ seconds: 2, cpu: { a: 5e8 } });
  expect(faults).toEqual(['gone: Error: 503', 'odd: TextFormatError: line 1: it has no metric name']);
});

test('logs once that a node fails, and again after it recovered', async () => {
  let isUp = false;
  const scraper = scraperOf({ a: () => (isUp ? half() : Promise.reject(new Error('503'))) });
  for (const now of [false, false, true, false]) {
    isUp = now;
    await ask(scraper, 'a');
    clock.advance(60_000);
  }
  expect(faults).toEqual(['a: Error: 503', 'a: Error: 503']);
});

test('delays only one response for a node that always repeats a point', async () => {
  const same = async (): Promise<string> => 'node_cpu_usage_seconds_total 1 5\nnode_memory_working_set_bytes 1 5\n';
  const scraper = scraperOf({ a: half, same });
  expect(await ask(scraper, 'a', 'same')).toEqual({ seconds: 16, cpu: { a: 5e8, same: undefined } });
  asked = [];
  clock.advance(15_000);
  expect((await ask(scraper, 'a', 'same')).seconds).toBe(0);
  expect(asked).toEqual(['same']);
});
