import { beforeEach, describe, expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import { type ChannelState, runAgentChannel } from './agent-channel.ts';
import type { ByteStream } from './byte-stream.ts';
import { decodeFrame, encodeFrame } from './frame-codec.ts';
import type { AgentHello } from './hello.ts';
import { NodeChannels } from './node-channels.ts';
import { echoing, streamsConformance } from './streams.conformance.ts';
import { allOf, numbers } from './testing/ends.ts';
import { Plug } from './testing/plug.ts';

const NEVER = new AbortController().signal;
const random = numbers(1);

let clock: EventClock;
let server: NodeChannels;
let plug: Plug;

const aServer = (): NodeChannels =>
  new NodeChannels({
    clock,
    randomId: () => Math.floor(random() * 2 ** 48),
    randomName: () => `server-${random()}`,
  });

beforeEach(() => {
  clock = new EventClock();
  server = aServer();
  plug = new Plug(clock, server);
});

interface Agent {
  readonly states: ChannelState[];
  readonly accepted: ByteStream[];
  /** The messages of the server. */
  readonly received: Uint8Array[];
  /** Delivers a message from the network. */
  receive(message: Uint8Array): void;
  stop(): Promise<void>;
}

const host = (name: string): AgentHello['instance'] => ({
  key: `key of ${name}`,
  machineId: name,
  bootId: `boot of ${name}`,
});

/** Starts an agent that echoes all input. Each agent has its own session, like each process. */
function anAgent(
  node: string,
  instance = host(node),
  session = `agent-${random()}`,
  accept: (stream: ByteStream) => void | Promise<void> = echoing,
): Agent {
  const states: ChannelState[] = [];
  const accepted: ByteStream[] = [];
  const received: Uint8Array[] = [];
  let receive: Agent['receive'] = () => undefined;
  const ending = new AbortController();
  const running = runAgentChannel(
    {
      clock,
      node,
      hello: { session, instance },
      random,
      connect(message, signal) {
        receive = (bytes) => {
          received.push(bytes);
          message(bytes);
        };
        return plug.connect(node)(receive, signal);
      },
      accept(_, stream) {
        accepted.push(stream);
        return accept(stream);
      },
      ring: () => undefined,
      report: (state) => void states.push(state),
    },
    ending.signal,
  );
  return {
    states,
    accepted,
    received,
    receive: (message) => receive(message),
    async stop() {
      ending.abort();
      await running;
    },
  };
}

const pass = (milliseconds: number): Promise<void> => clock.runUntil(clock.sleep(milliseconds));

/** Opens a stream to the node. */
async function open(node: string, signal = NEVER): Promise<ByteStream> {
  const purpose = { verb: 'proxy', podUID: '', container: '', user: 'jane' } as const;
  const stream = server.open({ node, purpose }, { host: node, port: 10_250 }, signal);
  if (stream === undefined) throw new Error(`no channel to ${node}`);
  return stream;
}

async function echoed(stream: ByteStream, text: string): Promise<string> {
  await stream.write(Buffer.from(text));
  stream.end();
  return (await allOf(stream)).toString();
}

describe('the channel of a node', () => {
  test('carries streams to the node', async () => {
    const { states } = anAgent('n1');
    await pass(100);
    expect(states).toEqual([{ connected: true, features: [] }]);
    expect(await clock.runUntil(open('n1').then((stream) => echoed(stream, 'hello')))).toBe('hello');
    expect(server.find('n2')).toBeUndefined();
  });

  test('rejects streams without a grant', async () => {
    const { accepted } = anAgent('n1');
    await pass(100);
    const opened = server.find('n1')?.open({ host: 'n1', port: 10_250 }, NEVER);
    await expect(clock.runUntil(Promise.resolve(opened))).rejects.toThrow('the stream has no grant');
    expect(accepted).toEqual([]);
  });

  test('keeps its streams after a cut connection', async () => {
    const { states } = anAgent('n1');
    await pass(100);
    const stream = await clock.runUntil(open('n1'));
    plug.cut();
    await pass(3000);
    expect(states.map(({ connected }) => connected)).toEqual([true, false, true]);
    expect(await clock.runUntil(echoed(stream, 'still here'))).toBe('still here');
  });

  test('reconnects to a restarted server without its streams', async () => {
    const { accepted, states } = anAgent('n1');
    await pass(100);
    await clock.runUntil(open('n1'));
    plug.server = undefined;
    plug.cut();
    await pass(10_000);
    expect(states.at(-1)).toEqual({ connected: false, reason: 'connect ECONNREFUSED' });
    server = plug.server = aServer();
    await pass(31_000);
    expect(await clock.runUntil(open('n1').then((stream) => echoed(stream, 'hello')))).toBe('hello');
    await expect((accepted[0] as ByteStream).write(Buffer.from('x'))).rejects.toThrow('the server was started again');
  });

  test('breaks the streams of a restarted agent', async () => {
    const first = anAgent('n1');
    await pass(100);
    const stream = await clock.runUntil(open('n1'));
    plug.isSilent = true; // it was killed: its host sends nothing
    await pass(100);
    plug.isSilent = false;
    anAgent('n1');
    await pass(3000);
    await expect(clock.runUntil(allOf(stream))).rejects.toThrow('the agent was started again');
    await clock.runUntil(first.stop());
  });

  test.each([0, 100])('rejects recorded grants after a restart of the agent, %i ms per frame', async (wait) => {
    const first = anAgent('n1');
    await pass(100);
    expect(await clock.runUntil(open('n1').then((stream) => echoed(stream, 'once')))).toBe('once');
    await clock.runUntil(first.stop());
    const second = anAgent('n1');
    await pass(100);
    for (const message of first.received.filter((bytes) => decodeFrame(bytes).type !== 'hello')) {
      second.receive(message);
      await pass(wait);
    }
    await pass(3000);
    expect(first.accepted.length).toBe(1);
    expect(second.accepted).toEqual([]);
    expect(await clock.runUntil(open('n1').then((stream) => echoed(stream, 'again')))).toBe('again');
  });

  test('rejects another host while the first one responds', async () => {
    anAgent('n1');
    await pass(100);
    const clone = anAgent('n1', { ...host('n1'), bootId: 'boot of a copied disk' });
    await pass(60_000);
    const refusal = { connected: false, reason: 'another instance of node "n1" is connected' };
    expect(clone.states.length).toBeGreaterThan(2);
    for (const state of clone.states) expect(state).toEqual(refusal);
    expect(clone.accepted).toEqual([]);
    expect(await clock.runUntil(open('n1').then((stream) => echoed(stream, 'hello')))).toBe('hello');
  });

  test('accepts another host when the first one no longer responds', async () => {
    const first = anAgent('n1');
    await pass(100);
    await clock.runUntil(first.stop());
    const second = anAgent('n1', host('other'));
    await pass(100);
    expect(second.states).toEqual([{ connected: true, features: [] }]);
  });

  test('is never silent for a minute', async () => {
    const { received } = anAgent('n1');
    await pass(1000);
    for (let minutes = 0; minutes < 5; minutes += 1) {
      const before = received.length;
      await pass(60_000);
      expect(received.length).toBeGreaterThan(before);
    }
    expect(received.length).toBeLessThan(15);
  });

  test('is reopened by an agent that receives nothing, and its streams continue', async () => {
    const { states } = anAgent('n1');
    await pass(1000);
    const stream = await clock.runUntil(open('n1'));
    plug.isSilent = true;
    await pass(46_000);
    expect(states.at(-1)).toEqual({ connected: false, reason: 'the server does not answer' });
    plug.isSilent = false;
    await pass(20_000);
    expect(states.at(-1)).toEqual({ connected: true, features: [] });
    expect(await clock.runUntil(echoed(stream, 'hello'))).toBe('hello');
  });

  test('ends with the server; an agent that ends closes its connection', async () => {
    const agent = anAgent('n1');
    await pass(100);
    await clock.runUntil(agent.stop());
    expect(plug.count).toBe(0);
    anAgent('n2');
    await pass(100);
    server.end('the server ends');
    await pass(1);
    expect(server.find('n2')).toBeUndefined();
  });
});

streamsConformance('the channel of a node', async (_, accept) => {
  const agent = anAgent('n1', undefined, undefined, accept);
  await pass(100);
  return { clock, random, open: (signal) => open('n1', signal), accepted: () => agent.accepted };
});

/** Sends the message as the first of a connection. Returns the reason with which the server closed it, after 11 s. */
async function answerTo(message: Uint8Array | undefined): Promise<string | undefined> {
  let reason: string | undefined;
  const connection = await plug.connect('n1')(() => undefined, NEVER);
  void connection.closed.then((why) => (reason = why));
  if (message !== undefined) await connection.send(message);
  await pass(11_000);
  return reason;
}

describe('a closed connection', () => {
  const hello = (version: number): Uint8Array =>
    encodeFrame({ type: 'hello', body: { version, features: ['later'], session: 's', instance: host('n1') } });

  test.each<[string, Uint8Array | undefined, string]>([
    ['without a hello in time', undefined, 'no hello in time'],
    ['with another protocol version', hello(2), 'version 2 of the channel is not served'],
    ['that begins with a frame other than hello', encodeFrame({ type: 'ping', nonce: 1 }), ''],
    ['with an invalid hello', encodeFrame({ type: 'hello', body: { version: 1 } }), ''],
    ['with a message that is not a frame', Uint8Array.of(99), ''],
  ])('closes a connection %s', async (_, message, reason) => {
    expect(await answerTo(message)).toBe(reason);
    expect(server.find('n1')).toBeUndefined();
  });

  test('stays open after a valid hello', async () => {
    expect(await answerTo(hello(1))).toBeUndefined();
  });
});

test('500 agents reconnect to a lost server with their streams', async () => {
  const names = Array.from({ length: 500 }, (_, i) => `n${i}`);
  for (const name of names) anAgent(name);
  await pass(1000);
  const streams = await clock.runUntil(Promise.all(names.map((name) => open(name))));
  plug.cut();
  expect(plug.count).toBe(0);
  await pass(5000);
  expect(plug.count).toBe(500);
  const answers = Promise.all(streams.map((stream, i) => echoed(stream, `${i}`)));
  expect(await clock.runUntil(answers)).toEqual(names.map((_, i) => `${i}`));
});
