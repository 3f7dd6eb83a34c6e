import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import { MAX_DATA, MAX_MESSAGE } from '../frame.ts';
import { encodeFrame } from '../frame-codec.ts';
import { publicKeyOf } from '../signed.ts';
import { numbers } from '../testing/ends.ts';
import { decodeGatewayMessage, encodeGatewayMessage } from './message.ts';
import { Relay } from './relay.ts';
import { MAX_ROUTE, ROUTE_LIFETIME, type Route, signRoute } from './route.ts';
import { GatewayBench } from './testing/bench.ts';
import type { TextConnection } from './text-connection.ts';
import { signTicket, TICKET_LIFETIME, type Ticket } from './ticket.ts';

const NEVER = new AbortController().signal;
const { privateKey: OTHER_KEY } = generateKeyPairSync('ed25519');

let bench: GatewayBench;
let clock: EventClock;
let serial: number;

beforeEach(async () => {
  clock = new EventClock();
  bench = new GatewayBench(clock, numbers(1));
  serial = 0;
  await bench.connections.publish(publicKeyOf(bench.key));
});

/** Returns a ticket for node n1. */
const aTicket = (changes: Partial<Ticket> = {}): Ticket => ({
  id: `t${serial++}`,
  node: 'n1',
  session: 's1',
  instance: '[]',
  after: '',
  before: '',
  expires: clock.now() + TICKET_LIFETIME,
  ...changes,
});

interface Client extends TextConnection {
  readonly received: string[];
}

/** Connects with a ticket as the node's agent. */
async function connected(ticket: string, node = 'n1'): Promise<Client> {
  const received: string[] = [];
  const request = { ticket, node, message: (text: string) => void received.push(text) };
  return { ...(await bench.gateway.connect('wss://gateway', request, NEVER)), received };
}

const entering = (ticket: Ticket, { key = bench.key, node = ticket.node } = {}): Promise<Client> =>
  clock.runUntil(connected(signTicket(ticket, key), node));

test.each([{}, { authorization: 'Basic eDp5' }])(
  'rejects a client without a valid ticket without a read: %j',
  async (headers) => {
    const reads = vi.spyOn(bench.connections, 'publishedKey');
    const relay = new Relay({ clock, connections: bench.connections, posts: bench.gateway.posts, random: numbers(1) });
    expect(await relay.connect('c', headers)).toBe(401);
    expect(reads).not.toHaveBeenCalled();
  },
);

describe('a ticket for a connection', () => {
  test('admits one connection', async () => {
    const ticket = aTicket();
    await entering(ticket);
    await expect(entering(ticket)).rejects.toThrow('403');
    expect(bench.gateway.open).toHaveLength(1);
  });

  test('admits one connection, even after it is gone and forgotten', async () => {
    const ticket = aTicket();
    (await entering(ticket)).close();
    await bench.pass(1000);
    expect((await bench.connections.find('n1'))?.connections).toEqual([]);
    await expect(entering(ticket)).rejects.toThrow('403');
  });

  test('admits one connection if two were issued at once', async () => {
    const tickets = [aTicket(), aTicket()];
    const results = await clock.runUntil(
      Promise.allSettled(tickets.map((ticket) => connected(signTicket(ticket, bench.key)))),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['has expired', () => entering(aTicket({ expires: clock.now() })), '401'],
    ['lasts too long', () => entering(aTicket({ expires: clock.now() + 600_000 })), '401'],
    ['is signed by another key', () => entering(aTicket(), { key: OTHER_KEY }), '401'],
    ['is for another node', () => entering(aTicket({ node: 'n2' }), { node: 'n1' }), '403'],
    ['is a server’s', () => entering(aTicket({ node: '' }), { node: 'n1' }), '403'],
    ['is older than the last one spent', () => entering(aTicket({ after: 'another' })), '403'],
    ['is missing', () => clock.runUntil(connected('')), '401'],
    ['is a route', () => clock.runUntil(connected(routeOf({ from: 'a', to: 'b' }))), '401'],
  ])('is rejected unless it %s', async (_, connect, status) => {
    await expect(connect()).rejects.toThrow(`the gateway answers ${status}`);
    expect(bench.gateway.open).toEqual([]);
  });
});

const routeOf = (changes: Partial<Route>, key = bench.key): string =>
  signRoute({ from: 'a', to: 'b', session: 's', expires: clock.now() + ROUTE_LIFETIME, ...changes }, key);

describe('a message to the relay', () => {
  let sender: Client;
  let receiver: Client;
  let from: string;
  let to: string;

  beforeEach(async () => {
    sender = await entering(aTicket());
    receiver = await entering(aTicket({ node: 'n2' }));
    [from = '', to = ''] = bench.gateway.open;
  });

  const send = async (route: string): Promise<readonly string[]> => {
    await sender.send(encodeGatewayMessage({ type: 'routed', route, payload: Buffer.from('hello') }));
    await bench.pass(100);
    return receiver.received;
  };

  test('is forwarded unchanged along its route', async () => {
    const route = routeOf({ from, to });
    expect(await send(route)).toEqual([`${route} aGVsbG8=`]);
  });

  test.each<[string, () => string]>([
    ['a forged route', () => routeOf({ from, to }, OTHER_KEY)],
    ['a changed route', () => routeOf({ from, to }).replace(/^(.{20})../, '$1__')],
    ['the route of another connection', () => routeOf({ from: to, to })],
    ['a route to an unknown connection', () => routeOf({ from, to: 'C999999=' })],
    ['an expired route', () => routeOf({ from, to, expires: clock.now() })],
    ['a route that expires in transit', () => routeOf({ from, to, expires: clock.now() + 10 })],
    ['a ticket', () => signTicket(aTicket(), bench.key).slice(0, MAX_ROUTE)],
    ['no route', () => 'x.y'],
  ])('is not forwarded with %s', async (_, route) => {
    const before = bench.connections.calls.find;
    expect(await send(route())).toEqual([]);
    expect(bench.connections.calls.find).toBe(before);
  });

  test('is answered with the name of the missing connection on its route', async () => {
    await send(routeOf({ from, to: 'C999999=' }));
    expect(sender.received).toEqual(['gone C999999=']);
  });

  test("is answered with the connection's id if it is a join, even if repeated", async () => {
    await sender.send('join');
    await sender.send('join');
    await bench.pass(100);
    expect(sender.received).toEqual([`joined ${from}`, `joined ${from}`]);
  });

  test.each(['joined C1=', 'gone C1=', 'close me', 'ring {}', '{"action":"x"}', '', 'hello'])(
    'is dropped if the relay cannot use it: %s',
    async (text) => {
      const { posts } = bench.gateway.done;
      await sender.send(text);
      await bench.pass(100);
      expect(bench.gateway.done.posts).toBe(posts);
    },
  );

  test('closes its connection above 32 KB', async () => {
    await sender.send('x'.repeat(MAX_MESSAGE + 1));
    expect(await sender.closed).toBe('1009');
  });

  test('fits with the maximum data and the longest route', () => {
    const bytes = new Uint8Array(MAX_DATA);
    const payload = encodeFrame({ type: 'data', stream: 2 ** 48 - 1, offset: 2 ** 47, bytes, end: true });
    const route = `${'r'.repeat(MAX_ROUTE - 2)}.r`;
    for (const message of [
      { type: 'routed', route, payload },
      { type: 'routed', route, answer: route, payload },
    ] as const)
      expect(decodeGatewayMessage(encodeGatewayMessage(message))).toEqual(message);
  });
});

describe('message rate of a connection', () => {
  /** Sends the given number of messages per second. Returns for how many seconds the connection lasted, up to a minute. */
  async function stood(rate: number): Promise<number> {
    const client = await entering(aTicket());
    const isOpen = (): boolean => bench.gateway.open.length > 0;
    for (let second = 0; second < 60; second++) {
      for (let i = 0; i < rate && isOpen(); i++) {
        client.send('nothing').catch(() => undefined);
        await bench.pass(1000 / rate);
      }
      if (isOpen()) continue;
      expect(client.received).toContain('close flood');
      return second;
    }
    return 60;
  }

  test.each([100, 120])('allows %i messages per second', async (rate) => {
    expect(await stood(rate)).toBe(60);
  });

  test.each([300, 600])('closes the connection above the limit of %i messages', async (rate) => {
    expect(await stood(rate)).toBeLessThan(20);
  });
});

test('posts nothing to a connection that is not accepted yet', async () => {
  const posted: boolean[] = [];
  const [relay] = bench.gateway.relays;
  if (relay === undefined) throw new Error('no relay');
  bench.gateway.relays = [
    {
      connect: async (id, headers) => {
        posted.push(await bench.gateway.posts.post(id, 'too early'));
        return relay.connect(id, headers);
      },
      message: (...args) => relay.message(...args),
      disconnect: (id) => relay.disconnect(id),
    },
  ];
  const client = await entering(aTicket());
  expect([posted, client.received]).toEqual([[false], []]);
});

test('forgets a connection that ends', async () => {
  const client = await entering(aTicket());
  expect((await bench.connections.find('n1'))?.connections).toHaveLength(1);
  client.close();
  await bench.pass(100);
  expect((await bench.connections.find('n1'))?.connections).toEqual([]);
});

test("costs one read per ended connection however many nodes exist, and no more for a server's", async () => {
  const { connections } = bench;
  const clients = [];
  for (const node of ['n1', 'n2', 'n3']) clients.push(await entering(aTicket({ node })));
  const server = await entering(aTicket({ node: '' }));
  const before = { ...connections.calls };
  clients[1]?.close();
  server.close();
  await bench.pass(100);
  expect(connections.calls).toEqual({ ...before, nodeOf: before.nodeOf + 2, lose: before.lose + 1 });
});
