import { beforeEach, describe, expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import type { ByteStream } from '../byte-stream.ts';
import { type JoinStreams, streamsConformance, thereAndBack } from '../streams.conformance.ts';
import { allOf, numbers } from '../testing/ends.ts';
import { GatewayBench } from './testing/bench.ts';
import type { GatewayWeather } from './testing/hostile-gateway.ts';

const MINUTE = 60_000;

let bench: GatewayBench;
let clock: EventClock;

beforeEach(() => {
  clock = new EventClock();
  bench = new GatewayBench(clock, numbers(1));
});

async function echoed(stream: ByteStream, text: string): Promise<string> {
  await stream.write(Buffer.from(text));
  stream.end();
  return (await allOf(stream)).toString();
}

const call = async (node: string, text = 'hello'): Promise<string> => echoed(await bench.open(node), text);

/** Returns the time in ms until the first byte of the answer. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = clock.monotonic();
  await clock.runUntil(work());
  return clock.monotonic() - began;
}

describe('a channel through a gateway', () => {
  test('carries streams to the node', async () => {
    const { states } = bench.anAgent('n1');
    await bench.pass(1000);
    expect(states).toEqual([{ connected: true, features: ['looks'] }]);
    expect(await clock.runUntil(call('n1'))).toBe('hello');
    await expect(clock.runUntil(call('n2'))).rejects.toThrow('node "n2" has no channel');
  });

  test('answers the first call within a second, and later ones within 150 ms', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    const firstByte = async (): Promise<void> => {
      const stream = await bench.open('n1');
      await stream.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
      for await (const _ of stream.incoming) break;
    };
    const first = await timed(firstByte);
    const warm = await timed(firstByte);
    expect(first).toBeLessThanOrEqual(1000);
    expect(warm).toBeLessThanOrEqual(150);
  });

  test('costs no table read for a repeated call', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    await clock.runUntil(call('n1'));
    const calls = () => ({ ...bench.connections.calls, count: 0, publishedKey: 0 }); // each relay reads the key once
    const before = calls();
    await clock.runUntil(Promise.all([call('n1', 'one'), call('n1', 'two')]));
    expect(calls()).toEqual(before);
  });

  test('uses one connection of a server for all nodes', async () => {
    const names = ['n1', 'n2', 'n3'];
    for (const name of names) bench.anAgent(name);
    await bench.pass(1000);
    expect(await clock.runUntil(Promise.all(names.map((name) => call(name, name))))).toEqual(names);
    expect(bench.gateway.open).toHaveLength(4);
  });

  test('can be reached by several servers at once', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    const servers = [bench.server, bench.aServer(), bench.aServer()];
    const calls = servers.map(async (server, i) => echoed(await bench.open('n1', server), `${i}`));
    expect(await clock.runUntil(Promise.all(calls))).toEqual(['0', '1', '2']);
  });

  test('accepts connections from more than two hundred servers within ten minutes', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    for (let i = 0; i < 220; i++)
      expect(
        await clock.runUntil(bench.open('n1', bench.aServer()).then(async (stream) => echoed(stream, `${i}`))),
      ).toBe(String(i));
  });

  test('responds after a day without a call, on replaced connections', async () => {
    const { states } = bench.anAgent('n1');
    await bench.pass(1000);
    await clock.runUntil(call('n1'));
    await bench.pass(24 * 60 * MINUTE);
    expect(states).toEqual([{ connected: true, features: ['looks'] }]);
    expect(bench.gateway.done.connects).toBeGreaterThan(16);
    expect(bench.gateway.done.connects).toBeLessThan(27);
    expect(await clock.runUntil(call('n1'))).toBe('hello');
  });

  test('moves its streams to the next connection before the previous one ends', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    const stream = await clock.runUntil(bench.open('n1'));
    const reader = stream.incoming[Symbol.asyncIterator]();
    for (let i = 0; i < 300; i++) {
      const began = clock.monotonic();
      await clock.runUntil(stream.write(Buffer.from('x')));
      expect(String((await clock.runUntil(reader.next())).value)).toBe('x');
      expect(clock.monotonic() - began).toBeLessThan(2500);
      await bench.pass(MINUTE);
    }
    expect(bench.gateway.done.connects).toBeGreaterThan(5);
  });

  test("keeps its streams when the agent's connection is cut, even if only the agent has data to send", async () => {
    const { states, accepted } = bench.anAgent('n1', undefined, () => undefined);
    await bench.pass(1000);
    const stream = await clock.runUntil(bench.open('n1'));
    const [agent] = bench.gateway.open;
    await bench.pass(1000);
    bench.gateway.cut(agent);
    await bench.pass(3000);
    expect(states.map(({ connected }) => connected)).toEqual([true, false, true]);
    const written = accepted[0]?.stream.write(Buffer.from('a line'));
    expect(String((await clock.runUntil(stream.incoming[Symbol.asyncIterator]().next())).value)).toBe('a line');
    await written;
  });

  test("keeps its streams when the server's connection is cut", async () => {
    const { accepted } = bench.anAgent('n1', undefined, () => undefined);
    await bench.pass(1000);
    const stream = await clock.runUntil(bench.open('n1'));
    bench.gateway.cut(bench.gateway.open[1]);
    await bench.pass(1000);
    void accepted[0]?.stream.write(Buffer.from('a line'));
    expect(String((await clock.runUntil(stream.incoming[Symbol.asyncIterator]().next())).value)).toBe('a line');
  });

  test('opens a stream on the next connection if the first does not answer', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    const record = await bench.connections.find('n1');
    const ticket = { node: 'n1', session: record?.session ?? '', instance: record?.instance ?? '', expires: 0 };
    const before = record?.connections[0] ?? '';
    await bench.connections.connect({ ...ticket, id: 't2', after: record?.ticket ?? '', before }, 'C-silent');
    const { post } = bench.gateway.posts;
    const silent: typeof post = (to, text) => (to === 'C-silent' ? Promise.resolve(true) : post(to, text));
    Object.assign(bench.gateway.posts, { post: silent });
    const began = clock.monotonic();
    expect(await clock.runUntil(call('n1'))).toBe('hello');
    expect(clock.monotonic() - began).toBeLessThan(7000);
  });

  /** Makes the gateway report a connection as unknown, the given number of times or forever. */
  const unknown = (connection: string, times = Number.POSITIVE_INFINITY): void => {
    const { post } = bench.gateway.posts;
    let left = times;
    const refusing: typeof post = (to, text) =>
      to === connection && left-- > 0 ? Promise.resolve(false) : post(to, text);
    Object.assign(bench.gateway.posts, { post: refusing });
  };

  test('can be reached on a connection before its handshake is over, and keeps its record', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    const { connections: [only = ''] = [] } = (await bench.connections.find('n1')) ?? {};
    unknown(only, 1);
    const began = clock.monotonic();
    expect(await clock.runUntil(call('n1'))).toBe('hello');
    expect(clock.monotonic() - began).toBeLessThan(2500);
    expect(bench.connections.calls.lose).toBe(0);
    expect((await bench.connections.find('n1'))?.connections).toEqual([only]);
  });

  test('can be reached on the previous connection while the newest is unknown, and keeps its record', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    const record = await bench.connections.find('n1');
    const [before = ''] = record?.connections ?? [];
    const ticket = { node: 'n1', session: record?.session ?? '', instance: record?.instance ?? '', expires: 0 };
    await bench.connections.connect({ ...ticket, id: 't2', after: record?.ticket ?? '', before }, 'C-new');
    const began = clock.monotonic();
    expect(await clock.runUntil(call('n1'))).toBe('hello');
    expect(clock.monotonic() - began).toBeLessThan(1500);
    expect((await bench.connections.find('n1'))?.connections).toEqual(['C-new', before]);
  });

  test('loses a connection that is still unknown a second later', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    const { connections: [only = ''] = [] } = (await bench.connections.find('n1')) ?? {};
    unknown(only);
    await expect(clock.runUntil(call('n1'))).rejects.toThrow('no answer');
    expect((await bench.connections.find('n1'))?.connections).toEqual([]);
    await expect(clock.runUntil(call('n1'))).rejects.toThrow('node "n1" has no channel');
  });

  test('fails in time if the agent vanished without a notification', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    bench.gateway.weather = { ...bench.gateway.weather, drop: 1 };
    const began = clock.monotonic();
    await expect(clock.runUntil(call('n1'))).rejects.toThrow('no answer');
    expect(clock.monotonic() - began).toBeLessThan(8000);
  });

  test('breaks the streams of a restarted agent', async () => {
    const first = bench.anAgent('n1');
    await bench.pass(1000);
    const stream = await clock.runUntil(bench.open('n1'));
    await clock.runUntil(first.stop());
    bench.anAgent('n1');
    await bench.pass(1000);
    expect(await clock.runUntil(call('n1'))).toBe('hello');
    await expect(clock.runUntil(allOf(stream))).rejects.toThrow();
  });

  test('rejects another host while the first one responds, and accepts it afterwards', async () => {
    const first = bench.anAgent('n1');
    await bench.pass(1000);
    const second = bench.anAgent('n1', { key: 'k', machineId: 'other', bootId: 'b' });
    await bench.pass(30_000);
    const refusal = { connected: false, reason: 'another instance of node "n1" is connected' };
    expect(second.states.length).toBeGreaterThan(1);
    for (const state of second.states) expect(state).toEqual(refusal);
    expect(await clock.runUntil(call('n1'))).toBe('hello');
    await clock.runUntil(first.stop());
    await bench.pass(60_000);
    expect(second.states.at(-1)).toEqual({ connected: true, features: ['looks'] });
  });

  test('stays open with a ping every nine minutes, and sends no other message when idle', async () => {
    bench.anAgent('n1');
    await bench.pass(1000);
    const { frames, posts } = bench.gateway.done;
    await bench.pass(59 * MINUTE);
    expect(bench.gateway.open).toHaveLength(1);
    expect(bench.gateway.done.frames - frames).toBe(6);
    expect(bench.gateway.done.posts - posts).toBe(6);
  });
});

const joined =
  (weather: Partial<GatewayWeather>): JoinStreams =>
  (seed, accept) =>
    linked(seed, weather, accept);

async function linked(
  seed: number,
  weather: Partial<GatewayWeather>,
  accept?: (stream: ByteStream) => void | Promise<void>,
) {
  const random = numbers(seed);
  const own = new GatewayBench(new EventClock(), random, weather);
  const agent = own.anAgent('n1', undefined, accept);
  await own.pass(3000);
  return {
    clock: own.clock,
    random,
    open: (signal?: AbortSignal) => own.open('n1', own.server, signal),
    accepted: () => agent.accepted.map(({ stream }) => stream),
    bench: own,
  };
}

streamsConformance('a gateway', joined({}));
streamsConformance('a gateway that reorders and repeats', joined({ jitter: 60, repeat: 0.1 }));

describe('streams over a hostile gateway', () => {
  test.each([
    ['reordered', { jitter: 500 }],
    ['repeated', { jitter: 50, repeat: 0.5 }],
    ['dropped', { drop: 0.03 }],
    ['throttled', { concurrency: 3 }],
    ['dropped, repeated and reordered', { drop: 0.02, repeat: 0.1, jitter: 300 }],
  ] satisfies [string, Partial<GatewayWeather>][])('delivers %s streams completely', async (_, weather) => {
    for (let seed = 100; seed < 103; seed++) {
      const link = await linked(seed, weather);
      await link.clock.runUntil(thereAndBack(link, 500_000)).catch((error: unknown) => {
        throw new Error(`seed ${seed}`, { cause: error });
      });
    }
  });

  test('delivers streams completely while connections of both ends are cut', async () => {
    for (let seed = 200; seed < 205; seed++) {
      const { clock: time, bench: own, ...link } = await linked(seed, { jitter: 30 });
      const cut = async (): Promise<void> => {
        for (let i = 0; i < 3; i++) {
          await time.sleep(1200);
          own.gateway.cut(own.gateway.open[Math.floor(own.random() * own.gateway.open.length)]);
        }
      };
      await time.runUntil(Promise.all([thereAndBack(link, 4_000_000), cut()]));
      expect(own.gateway.done.connects).toBeGreaterThan(2);
    }
  });
});

describe('many agents that lose the gateway at once', () => {
  test.each([
    [500, 10_000],
    [1000, 30_000],
  ])('reconnect within the rate limit of the account: %i agents', async (count, within) => {
    const names = Array.from({ length: count }, (_, i) => `n${i}`);
    for (let i = 0; i < count; i += 400) {
      for (const name of names.slice(i, i + 400)) bench.anAgent(name);
      await bench.pass(1000);
    }
    expect(bench.gateway.open).toHaveLength(count);
    bench.gateway.cut();
    bench.gateway.times.splice(0);
    await bench.pass(within);
    expect(bench.gateway.open).toHaveLength(count);
    const { times } = bench.gateway;
    const peak = Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 1000).length));
    expect(peak).toBeLessThanOrEqual(500);
  });
});
