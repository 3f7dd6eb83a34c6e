import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import type { ByteStream } from './byte-stream.ts';
import { bytesOf, echoing, streamsConformance, thereAndBack } from './streams.conformance.ts';
import { allOf, anEnd, type End, numbers, writeAll } from './testing/ends.ts';
import { HostileNetwork, type Weather } from './testing/hostile-network.ts';

const FAIR: Weather = { drop: 0, repeat: 0, delay: 0, cut: 0, pause: 0 };
const NEVER = new AbortController().signal;
const MEGABYTE = 1024 * 1024;

interface Link {
  readonly clock: EventClock;
  readonly server: End;
  readonly agent: End;
  readonly network: HostileNetwork;
  readonly random: () => number;
}

function linked(
  seed: number,
  weather: Partial<Weather> = {},
  accept?: (stream: ByteStream) => void | Promise<void>,
): Link {
  const clock = new EventClock();
  const random = numbers(seed);
  const server = anEnd(clock, random, () => {
    throw new Error('nothing is served here');
  });
  const agent = anEnd(clock, random, (_, stream) => accept?.(stream));
  const network = new HostileNetwork([server.session, agent.session], { ...FAIR, ...weather }, { clock, random });
  network.connect();
  return { clock, server, agent, network, random };
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Sends bytes to an echo and back. */
const there = (link: Link, length: number): Promise<void> =>
  thereAndBack({ random: link.random, open: () => link.server.session.open({ echo: true }, NEVER) }, length);

/** Advances the clock by a time in ms. */
const pass = ({ clock }: Link, milliseconds: number): Promise<void> => clock.runUntil(clock.sleep(milliseconds));

describe('a stream of a session', () => {
  test('sends its purpose to the peer', async () => {
    const { clock, server, agent } = linked(2);
    await clock.runUntil(server.session.open({ port: 80 }, NEVER));
    expect(agent.accepted.map(({ body }) => body)).toEqual([{ port: 80 }]);
  });

  test('fails after 5 s without an answer', async () => {
    const { clock, server } = linked(4, { drop: 1 });
    await expect(clock.runUntil(server.session.open({}, NEVER))).rejects.toThrow('no answer');
    expect(clock.monotonic()).toBeGreaterThanOrEqual(5000);
    expect(clock.monotonic()).toBeLessThan(6100);
  });

  test('fails after 5 s without a connection', async () => {
    const { clock, server, network } = linked(4, { drop: 1, cut: 1, pause: 20_000 });
    server.session.ring({});
    await clock.runUntil(clock.sleep(10));
    expect([network.done.cut, server.session.isConnected]).toEqual([1, false]);
    const since = clock.monotonic();
    await expect(clock.runUntil(server.session.open({}, NEVER))).rejects.toThrow('no answer');
    expect(clock.monotonic() - since).toBeLessThan(6100);
  });

  test('probes a full reader at growing intervals', async () => {
    const link = linked(8);
    const stream = await link.clock.runUntil(link.server.session.open({}, NEVER));
    stream.write(Buffer.alloc(MEGABYTE)).catch(() => undefined);
    await pass(link, 600_000);
    expect(link.network.done.sent).toBeLessThan(80);
  });
});

streamsConformance('a network in memory', async (seed, accept) => {
  const { clock, random, server, agent } = linked(seed, { delay: 5 }, accept);
  return {
    clock,
    random,
    open: (signal = NEVER) => server.session.open({}, signal),
    accepted: () => agent.accepted.map(({ stream }) => stream),
  };
});

describe('concurrent streams of a session', () => {
  test('are rejected above a thousand', async () => {
    const link = linked(22);
    const open = () => link.server.session.open({}, NEVER);
    await link.clock.runUntil(Promise.all(Array.from({ length: 1000 }, open)));
    await expect(link.clock.runUntil(open())).rejects.toThrow('too many streams');
    (link.agent.accepted[0] as End['accepted'][number]).stream.destroy();
    await pass(link, 10);
    await link.clock.runUntil(open());
  });
});

describe('a session of streams', () => {
  test('moves its streams to the next connection', async () => {
    const link = linked(30, {}, echoing);
    const transfer = there(link, 4 * MEGABYTE);
    const change = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) {
        await link.clock.sleep(3);
        link.network.connect();
      }
    };
    await link.clock.runUntil(Promise.all([transfer, change()]));
  });

  test('waits 30 s for a connection, then breaks its streams', async () => {
    const link = linked(31, { drop: 1, cut: 1, pause: Number.MAX_SAFE_INTEGER });
    const opening = link.server.session.open({}, NEVER);
    await expect(link.clock.runUntil(opening)).rejects.toThrow('no answer');
    expect(await link.clock.runUntil(link.server.session.ended)).toBe('lost');
    await expect(link.server.session.open({}, NEVER)).rejects.toThrow('the channel is closed');
  });

  test.each(['before its first connection', 'with a connection', 'after its connection'])(
    'leaves no timer when it ends %s',
    async (moment) => {
      const clock = new EventClock();
      const { session } = anEnd(clock, numbers(36));
      const transport = { parallel: 1, send: () => Promise.resolve(), close: () => undefined };
      if (moment !== 'before its first connection') session.attach(transport);
      if (moment === 'after its connection') session.detach(transport);
      session.end('over');
      await expect(clock.runUntil(new Promise(() => undefined))).rejects.toThrow('nothing is left');
      expect(clock.monotonic()).toBe(0);
    },
  );

  test('breaks a stream after three unacknowledged repeats', async () => {
    const weather = { ...FAIR };
    const link = linkedBy(weather);
    const stream = await link.clock.runUntil(link.server.session.open({}, NEVER));
    weather.drop = 1;
    await link.clock.runUntil(stream.write(Buffer.from('x')));
    await expect(link.clock.runUntil(allOf(stream))).rejects.toThrow('lost');
    expect(link.clock.monotonic()).toBeLessThan(9000);
  });

  test('detects whether the peer answers', async () => {
    const weather = { ...FAIR };
    const link = linkedBy(weather);
    expect(await link.clock.runUntil(link.server.session.ping(1000))).toBe(true);
    weather.drop = 1;
    expect(await link.clock.runUntil(link.server.session.ping(1000))).toBe(false);
  });

  test('passes notifications on', async () => {
    const link = linked(34);
    link.server.session.ring({ resource: 'pods' });
    await pass(link, 10);
    expect(link.agent.rings).toEqual([{ resource: 'pods' }]);
  });

  test('breaks a forgotten stream at the peer', async () => {
    const link = linked(35);
    const stream = await link.clock.runUntil(link.server.session.open({}, NEVER));
    link.agent.session.end('killed');
    const successor = anEnd(link.clock, link.random);
    const network = new HostileNetwork([link.server.session, successor.session], FAIR, link);
    network.connect();
    await expect(link.clock.runUntil(allOf(stream))).rejects.toThrow('unknown stream');
  });

  test('sends nothing when idle', async () => {
    const link = linked(36);
    const stream = await link.clock.runUntil(link.server.session.open({}, NEVER));
    await link.clock.runUntil(stream.write(Buffer.from('x')));
    await pass(link, 10_000);
    const { sent } = link.network.done;
    await pass(link, 86_400_000);
    expect(link.network.done.sent).toBe(sent);
  });
});

/** The number of random runs. `npm run test:channel` makes a thousand. */
const RUNS = Number(process.env['DAVIT_CHANNEL_RUNS'] ?? 25);

/** Returns a link whose weather may change later. */
function linkedBy(weather: Weather): Link {
  const clock = new EventClock();
  const random = numbers(33);
  const [server, agent] = [anEnd(clock, random), anEnd(clock, random)];
  const network = new HostileNetwork([server.session, agent.session], weather, { clock, random });
  network.connect();
  return { clock, server, agent, network, random };
}

describe('streams over a hostile network', () => {
  test.each([
    ['that reorders', { delay: 500 }],
    ['that repeats', { repeat: 0.5, delay: 50 }],
    ['that drops', { drop: 0.03 }],
    ['that cuts', { cut: 0.05, pause: 3000 }],
    ['that does it all', { drop: 0.02, repeat: 0.1, delay: 300, cut: 0.01, pause: 5000 }],
  ] satisfies [string, Partial<Weather>][])('delivers %s streams completely', async (_, weather) => {
    const share = Math.ceil(RUNS / 5);
    for (let seed = 100; seed < 100 + share; seed++) {
      const link = linked(seed, weather, echoing);
      await link.clock.runUntil(there(link, MEGABYTE)).catch((error: unknown) => {
        throw new Error(`seed ${seed}`, { cause: error });
      });
    }
  });

  test('breaks a stream at worst, and never delivers wrong bytes', async () => {
    let broken = 0;
    for (let seed = 1000; seed < 1000 + RUNS; seed++) {
      const link = linked(seed, { drop: 0.4, repeat: 0.2, delay: 4000, cut: 0.02, pause: 20_000 }, echoing);
      const sent = bytesOf(link.random, 200_000);
      const received: Uint8Array[] = [];
      const transfer = async (): Promise<void> => {
        const stream = await link.server.session.open({}, NEVER);
        const read = async (): Promise<void> => {
          for await (const chunk of stream.incoming) received.push(chunk);
        };
        await Promise.all([read(), writeAll(stream, sent, link.random)]);
      };
      await link.clock.runUntil(transfer()).catch(() => (broken += 1));
      const bytes = Buffer.concat(received);
      expect(digest(bytes), `seed ${seed}`).toBe(digest(sent.subarray(0, bytes.length)));
    }
    expect(broken).toBeGreaterThan(0);
    expect(broken).toBeLessThan(RUNS);
  });
});
