import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import type { ByteStream } from '../byte-stream.ts';
import { requestDigest } from '../grant.ts';
import { allOf, echo, numbers } from '../testing/ends.ts';
import { RECORD_LIFETIME } from './connections.ts';
import { encodeGatewayMessage } from './message.ts';
import { ROUTE_LIFETIME, signRoute } from './route.ts';
import type { StreamClient } from './stream-client.ts';
import type { StreamAsked } from './stream-office.ts';
import { aStream, type BenchAgent, GatewayBench } from './testing/bench.ts';
import type { GatewayWeather } from './testing/hostile-gateway.ts';

const NEVER = new AbortController().signal;
const MINUTE = 60_000;

let bench: GatewayBench;
let clock: EventClock;
let agent: BenchAgent;

async function begin(weather: Partial<GatewayWeather> = {}): Promise<void> {
  clock = new EventClock();
  bench = new GatewayBench(clock, numbers(1));
  agent = bench.anAgent('n1');
  await bench.pass(1000);
  bench.gateway.weather = { ...bench.gateway.weather, ...weather };
}
beforeEach(() => begin());

async function connected(asked: StreamAsked = aStream('n1')): Promise<StreamClient> {
  return clock.runUntil(bench.streamTicket(asked.node, asked).then(async (ticket) => bench.aClient(ticket, asked)));
}

const opened = (client: StreamClient): Promise<ByteStream> => clock.runUntil(client.open(NEVER));

/** Sends the text, and reads the same number of bytes. */
async function said(stream: ByteStream, text: string): Promise<string> {
  const reader = stream.incoming[Symbol.asyncIterator]();
  await clock.runUntil(stream.write(Buffer.from(text)));
  let answer = '';
  while (answer.length < text.length) answer += String((await clock.runUntil(reader.next())).value);
  return answer;
}

describe("a user's stream through a gateway", () => {
  test('carries bytes both ways without a connection to an API server', async () => {
    const client = await connected();
    const stream = await opened(client);
    await clock.runUntil(stream.write(Buffer.from('hello')));
    stream.end();
    expect(String(await clock.runUntil(allOf(stream)))).toBe('hello');
    expect(bench.gateway.open).toHaveLength(2);
    await clock.runUntil(client.close(stream));
    expect(bench.gateway.open).toHaveLength(1);
  });

  test('is granted for one node, pod, container, verb, user, stream and request', async () => {
    await opened(await connected());
    const [{ grant } = expect.fail('nothing was opened')] = agent.accepted;
    const request = requestDigest('/exec/default/web/c', new URLSearchParams('command=ls&output=1'));
    const of = { node: 'n1', host: 'n1', port: 10_250, podUID: 'p', container: 'c', verb: 'exec', user: 'jane' };
    expect(grant).toMatchObject({ ...of, request });
  });

  test.each<Partial<GatewayWeather>>([
    { jitter: 400 },
    { repeat: 0.3, jitter: 100 },
    { drop: 0.05 },
    { drop: 0.05, repeat: 0.2, jitter: 200 },
  ])('carries its data while the gateway is %j', async (weather) => {
    await begin(weather);
    const client = await connected();
    const stream = await opened(client);
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 251));
    const written = stream.write(bytes).then(() => stream.end());
    expect(Buffer.compare(await clock.runUntil(allOf(stream)), bytes)).toBe(0);
    await written;
  });

  test('survives silence, and moves when the agent replaces its connection', async () => {
    const stream = await opened(await connected());
    const connects = (): number => bench.gateway.done.connects;
    const before = connects();
    for (let i = 0; i < 11; i++) {
      await bench.pass(10 * MINUTE);
      expect(await said(stream, `${i}`)).toBe(`${i}`);
    }
    expect(connects()).toBeGreaterThan(before);
  });

  test("continues when the agent's connection is cut, even without a notification", async () => {
    const stream = await opened(await connected());
    const [agents = ''] = bench.gateway.open;
    expect(await said(stream, 'before')).toBe('before');
    bench.gateway.cut(agents);
    expect(await said(stream, 'after')).toBe('after');
  });

  test('ends with the reason when its own connection ends, after two hours', async () => {
    const client = await connected();
    await opened(client);
    const over: string[] = [];
    void client.over.then((reason) => over.push(reason));
    await bench.pass(119 * MINUTE);
    expect(over).toEqual([]);
    await bench.pass(2 * MINUTE);
    expect(over).toEqual(['Going away']);
  });

  test('ends at the agent when its client vanishes', async () => {
    await opened(await connected());
    const [{ stream } = expect.fail('nothing was opened')] = agent.accepted;
    const over: unknown[] = [];
    await bench.pass(10 * MINUTE);
    bench.gateway.cut(bench.gateway.open.at(-1));
    await bench.pass(4 * MINUTE);
    await clock.runUntil(stream.write(Buffer.from('x')).catch((error: unknown) => over.push(error)));
    expect(over).toEqual([expect.objectContaining({ message: 'the client is gone' })]);
  });

  test('ends when the agent restarts', async () => {
    const client = await connected();
    const stream = await opened(client);
    await agent.stop();
    agent = bench.anAgent('n1');
    await bench.pass(1000);
    stream.write(Buffer.from('x')).catch(() => undefined);
    expect(await clock.runUntil(client.over)).toBe('the agent of the node was started again');
  });

  test('ends with the reason when the agent stays away', async () => {
    const client = await connected();
    const stream = await opened(client);
    await agent.stop();
    await bench.pass(1000);
    stream.write(Buffer.from('x')).catch(() => undefined);
    expect(await clock.runUntil(client.over)).toContain('its agent is not connected to the gateway');
  });
});

describe('a ticket to a stream', () => {
  const clientOf = async (asked: Partial<StreamAsked>): Promise<StreamClient> => {
    const ticket = await clock.runUntil(bench.streamTicket('n1'));
    return clock.runUntil(bench.aClient(ticket, { ...aStream('n1'), ...asked }));
  };
  const { purpose } = aStream('n1');

  test.each<[string, Partial<StreamAsked>]>([
    ['user', { purpose: { ...purpose, user: 'eve' } }],
    ['pod', { purpose: { ...purpose, podUID: 'q' } }],
    ['container', { purpose: { ...purpose, container: 'd' } }],
    ['verb', { purpose: { ...purpose, verb: 'attach' } }],
    ['command', { path: '/exec/default/web/c?command=rm&output=1' }],
    ['node', { node: 'n2' }],
  ])('is not valid for another %s', async (_, asked) => {
    bench.anAgent('n2');
    await bench.pass(1000);
    await expect(clientOf(asked)).rejects.toThrow('the ticket is for another stream');
    expect(agent.accepted).toEqual([]);
  });

  test('opens one connection', async () => {
    const ticket = await clock.runUntil(bench.streamTicket('n1'));
    await clock.runUntil(bench.aClient(ticket, aStream('n1')));
    await expect(clock.runUntil(bench.aClient(ticket, aStream('n1')))).rejects.toThrow('the gateway answers 403');
  });

  test('opens no connection after a minute', async () => {
    const ticket = await clock.runUntil(bench.streamTicket('n1'));
    await bench.pass(MINUTE);
    await expect(clock.runUntil(bench.aClient(ticket, aStream('n1')))).rejects.toThrow('the gateway answers 401');
  });

  const spent = async () => {
    const ticket = await clock.runUntil(bench.streamTicket('n1'));
    await clock.runUntil(bench.aClient(ticket, aStream('n1')));
    return { ticket: ticket.ticket, connection: bench.gateway.open.at(-1) ?? '', stream: 1 };
  };

  test.each<[string, (was: Awaited<ReturnType<typeof spent>>) => Promise<object>, string]>([
    ['another connection', async (was) => ({ ...was, connection: bench.gateway.open[0] }), 'was not spent for this'],
    [
      'a ticket that was not spent',
      async (was) => ({ ...was, ticket: (await bench.streamTicket('n1')).ticket }),
      'not spent',
    ],
    [
      'a ticket of a server',
      async (was) => ({ ...was, ticket: await bench.server.tickets.ownTicket() }),
      'not one of a stream',
    ],
    [
      'a forged ticket',
      async (was) => ({ ...was, ticket: was.ticket.replace(/^(.{20})../, '$1__') }),
      'not one of a stream',
    ],
  ])('yields no route for %s', async (_, change, why) => {
    const was = await spent();
    const changed = { ...was, ...(await clock.runUntil(change(was))) };
    await expect(bench.server.streams.routes(aStream('n1'), changed)).rejects.toThrow(why);
  });

  test('yields no route after the lifetime of a connection', async () => {
    const was = await spent();
    await bench.pass(RECORD_LIFETIME + MINUTE);
    await expect(bench.server.streams.routes(aStream('n1'), was)).rejects.toThrow('the ticket has expired');
  });

  test('is not issued for a node without a connection', async () => {
    await expect(clock.runUntil(bench.streamTicket('n2'))).rejects.toMatchObject({ code: 503 });
  });
});

describe("a client's message", () => {
  const { privateKey: otherKey } = generateKeyPairSync('ed25519');
  const sign = (from: string, to: string, session: string, key = bench.key): string =>
    signRoute({ from, to, session, expires: clock.now() + ROUTE_LIFETIME }, key);
  const PAYLOAD = Buffer.from('x');

  /** Connects a client with a used ticket. Returns its connection and the connection's id. */
  async function aSender() {
    const { ticket } = await clock.runUntil(bench.streamTicket('n1'));
    const connection = await clock.runUntil(
      bench.gateway.connect('wss://gateway', { ticket, node: '', message: () => undefined }, NEVER),
    );
    return { connection, id: bench.gateway.open.at(-1) ?? '' };
  }

  test.each<[string, (own: string, agents: string, other: string) => readonly [string, string]]>([
    ['a forged route', (own, to) => [sign(own, to, 's', otherKey), sign(to, own, 's')]],
    ['a forged return route', (own, to) => [sign(own, to, 's'), sign(to, own, 's', otherKey)]],
    ['the route of another connection', (_, to, other) => [sign(other, to, 's'), sign(to, other, 's')]],
    ["another client's return route", (own, to, other) => [sign(own, to, 's'), sign(to, other, 't')]],
    ['the return route of another session', (own, to) => [sign(own, to, 's'), sign(to, own, 't')]],
  ])('reaches no stream with %s', async (_, routes) => {
    const client = await connected();
    await opened(client);
    const [agents = '', other = ''] = bench.gateway.open;
    const { connection, id } = await aSender();
    const [route, answer] = routes(id, agents, other);
    const before = bench.gateway.done.frames;
    await clock.runUntil(connection.send(encodeGatewayMessage({ type: 'routed', route, answer, payload: PAYLOAD })));
    await bench.pass(500);
    expect(bench.gateway.done.frames).toBe(before + 1); // no agent answers
    expect(agent.accepted).toHaveLength(1);
  });

  test('is rejected if it opens a stream without its grant', async () => {
    const asked = aStream('n1');
    const ticket = await clock.runUntil(bench.streamTicket('n1'));
    const client = await clock.runUntil(bench.aClient(ticket, asked));
    const stream = await opened(client);
    expect(agent.accepted).toHaveLength(1);
    void echo(stream);
    await expect(clock.runUntil(client.open(NEVER))).rejects.toThrow('the grant is for another stream');
  });
});
