import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Answer, decode, encode } from 'dns-packet';
import { afterEach, describe, expect, test } from 'vitest';
import { ClusterZone } from '#lib/node/dns/cluster-zone.ts';
import { Responder } from '#lib/node/dns/responder.ts';
import { query, read, smallCluster } from '#lib/node/dns/testing.ts';
import { askByTcp, askByUdp } from '#test/support/dns/ask.ts';
import { eventually } from '#test/support/eventually.ts';
import { settled } from '#test/support/settled.ts';
import { Forwarder, type Nameserver } from './forwarder.ts';
import { DnsServer } from './server.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of opened.splice(0).toReversed()) await end();
});

const LOCAL = '127.0.0.1';
const WEB = query('web.default.svc.cluster.local', 'A');
const settings = { domain: 'cluster.local', servers: [LOCAL], serial: () => 1, isSynced: () => true };

async function serve(responder: Pick<Responder, 'respond'>): Promise<number> {
  const server = new DnsServer(responder);
  opened.push(() => server[Symbol.asyncDispose]());
  return server.listen(LOCAL, 0);
}

const responderWith = (forwarder: Forwarder): Responder =>
  new Responder(new ClusterZone(smallCluster(), settings), forwarder);

/** A UDP server that calls `answer` with each message. */
async function foreign(answer: (asked: Buffer, send: (message: Buffer) => void, from: number) => void) {
  const socket: UdpSocket = createSocket('udp4');
  opened.push(() => socket.close());
  socket.on('message', (asked, { port, address }) =>
    answer(asked, (message) => socket.send(message, port, address), port),
  );
  socket.bind(0, LOCAL);
  await once(socket, 'listening');
  return { address: LOCAL, port: socket.address().port };
}

/** An answer to a message: its question, and an address for the name. */
function answerTo(asked: Buffer, data: string, more: readonly Answer[] = []): Buffer {
  const { id = 0, questions = [] } = decode(asked);
  const name = questions[0]?.name ?? '';
  const answers: Answer[] = [{ type: 'A', name, ttl: 9, data }, ...more];
  return encode({ type: 'response', id, flags: 0x0180, questions, answers });
}

const addressesOf = (message: Uint8Array): unknown =>
  (read(message).answers ?? []).map((answer) => ('data' in answer ? answer.data : ''));

/** A connection that sends nothing. */
async function silent(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: LOCAL, localAddress });
  opened.push(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('silent or slow connections', () => {
  test('do not block other clients, or the same client', async () => {
    const port = await serve(responderWith(new Forwarder(async () => [])));
    const before = await silent(port, '127.0.0.9');
    const flood: Socket[] = [];
    for (let i = 0; i < 300; i++) flood.push(await silent(port, '127.0.0.2'));
    await eventually(() => expect(flood.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(64));
    expect(before.closed).toBe(false);
    expect(addressesOf(await askByTcp(port, WEB))).toEqual(['10.96.0.7']);
  });

  test('give way, even from many clients, to a client that sends a query', async () => {
    const port = await serve(responderWith(new Forwarder(async () => [])));
    const flood: Socket[] = [];
    for (let i = 0; i < 300; i++) flood.push(await silent(port, `127.0.1.${(i % 100) + 1}`));
    expect(addressesOf(await askByTcp(port, WEB))).toEqual(['10.96.0.7']);
    await eventually(() => expect(flood.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(256));
  });

  test('get no more answers while their client does not read', async () => {
    const QUERIES = 3000;
    let answered = 0;
    const port = await serve({
      async respond() {
        answered++;
        return new Uint8Array(60_000);
      },
    });
    const socket = connect(port, LOCAL);
    opened.push(() => socket.destroy());
    socket.pause();
    const framed = Buffer.concat([Buffer.from([0, WEB.length]), WEB]);
    socket.write(Buffer.concat(Array.from({ length: QUERIES }, () => framed)));
    let before = -1;
    await eventually(() => {
      const isStill = answered > 0 && answered === before;
      before = answered;
      return isStill;
    });
    expect(answered).toBeLessThan(QUERIES / 2);
    socket.resume();
    await eventually(() => expect(answered).toBe(QUERIES));
  });
});

test('drops an answer that arrives after the server has ended', async () => {
  let answer: (message: Uint8Array) => void = () => undefined;
  let isAsked = false;
  const server = new DnsServer({
    respond: () => {
      isAsked = true;
      return new Promise((resolve) => (answer = resolve));
    },
  });
  const port = await server.listen(LOCAL, 0);
  const client = createSocket('udp4');
  opened.push(() => client.close());
  client.send(WEB, port, LOCAL);
  await eventually(() => isAsked);
  await server[Symbol.asyncDispose]();
  answer(WEB);
  await settled(); // an unhandled error would fail the run
});

describe('upstream servers of the host', () => {
  test('fail a query if unreachable, but not the agent', async () => {
    const broadcast = '255.255.255.255'; // the kernel connects no socket to it
    await expect(new Forwarder(async () => [{ address: broadcast, port: 53 }]).ask(WEB, 'udp')).rejects.toThrow(
      'EACCES',
    );
    const server = await foreign((asked, send) => send(answerTo(asked, '192.0.2.9')));
    const both = new Forwarder(async () => [{ address: broadcast, port: 53 }, server]);
    expect(addressesOf(await both.ask(query('example.com', 'A'), 'udp'))).toEqual(['192.0.2.9']);
  });

  test('that never answer block no name of the cluster and only a limited number of queries', async () => {
    const { address, port: dead } = await foreign(() => undefined);
    const port = await serve(responderWith(new Forwarder(async () => [{ address, port: dead }], 10_000)));
    const client = createSocket('udp4');
    opened.push(() => client.close());
    const codes: number[] = [];
    client.on('message', (answer) => codes.push((answer[3] ?? 0) & 15));
    let sent = 0;
    await eventually(() => {
      for (let i = 0; i < 20; i++) client.send(query(`n${sent}.example.com`, 'A', { id: sent++ }), port, LOCAL);
      return codes.length > 0; // queries beyond the limit fail at once
    });
    expect(codes.every((code) => code === 2)).toBe(true);
    expect(codes.length).toBeLessThanOrEqual(sent - 512);
    expect(addressesOf(await askByUdp(port, WEB))).toEqual(['10.96.0.7']);
  });

  test('that are this server end in a failure, not in a loop', async () => {
    let asked = 0;
    const servers: Nameserver[] = [];
    const responder = responderWith(new Forwarder(async () => servers, 300));
    const port = await serve({ respond: (message, transport) => (asked++, responder.respond(message, transport)) });
    servers.push({ address: LOCAL, port });
    const answer = await askByTcp(port, query('example.com', 'A'));
    expect(read(answer).rcode).toBe('SERVFAIL');
    expect(asked).toBe(2);
  });

  test('get one query for concurrent queries with the same question', async () => {
    const seen: Buffer[] = [];
    let send = (): void => undefined;
    const server = await foreign((asked, answer) => {
      seen.push(asked);
      send = () => answer(answerTo(asked, '192.0.2.9'));
    });
    const forwarder = new Forwarder(async () => [server], 10_000);
    const waiting = Array.from({ length: 50 }, (_, id) => forwarder.ask(query('example.com', 'A', { id }), 'udp'));
    await eventually(() => expect(seen.length).toBeGreaterThan(0));
    send();
    const answers = await Promise.all(waiting);
    expect(answers.map((answer) => read(answer).id)).toEqual(answers.map((_, id) => id));
    expect(seen).toHaveLength(1);
  });

  test('must answer from their own address, even with a correct identifier and port', async () => {
    const other = createSocket('udp4');
    opened.push(() => other.close());
    const server = await foreign((asked, send, from) => {
      other.send(answerTo(asked, '203.0.113.66'), from, LOCAL, () => send(answerTo(asked, '192.0.2.9')));
    });
    const answer = await new Forwarder(async () => [server]).ask(query('example.com', 'A'), 'udp');
    expect(addressesOf(answer)).toEqual(['192.0.2.9']);
  });

  test('get queries with different identifiers and ports', async () => {
    const seen = new Set<string>();
    const ports = new Set<number>();
    const server = await foreign((asked, send, from) => {
      seen.add(asked.toString('hex', 0, 2));
      ports.add(from);
      send(answerTo(asked, '192.0.2.9'));
    });
    const forwarder = new Forwarder(async () => [server]);
    for (let i = 0; i < 20; i++) await forwarder.ask(query('example.com', 'A'), 'udp');
    expect(seen.size).toBeGreaterThan(15);
    expect(ports.size).toBeGreaterThan(15);
  });

  test('contribute only the target of an alias, whatever else they send', async () => {
    const alien: Answer = { type: 'A', name: 'bank.example', ttl: 9, data: '203.0.113.66' };
    const server = await foreign((asked, send) => send(answerTo(asked, '192.0.2.9', [alien])));
    const records = await new Forwarder(async () => [server]).lookup('db.example.com', 1);
    expect(records.map(({ name }) => name)).toEqual(['db.example.com']);
  });

  test('contribute no records for a CNAME loop', async () => {
    const alias = (name: string, data: string): Answer => ({ type: 'CNAME', name, ttl: 9, data });
    const server = await foreign((asked, send) => {
      const { id = 0, questions = [] } = decode(asked);
      const answers = [alias('a.example.com', 'b.example.com'), alias('b.example.com', 'a.example.com')];
      send(encode({ type: 'response', id, flags: 0x0180, questions, answers }));
    });
    expect(await new Forwarder(async () => [server]).lookup('a.example.com', 1)).toEqual([]);
  });

  test('that send garbage byte by byte have the same time-out as others', async () => {
    const garbage = await foreign((asked, send) => {
      send(
        Buffer.concat([
          asked.subarray(0, 2),
          Buffer.from([0x81, 0x80, 0, 1, 0xff, 0xff, 0, 0, 0, 0]),
          asked.subarray(12),
        ]),
      );
    });
    await expect(new Forwarder(async () => [garbage], 100).ask(WEB, 'udp')).rejects.toThrow('did not answer in 100 ms');
    const listener = createServer((socket) => {
      const drip = setInterval(() => socket.write(Buffer.from([1])), 5);
      socket.on('close', () => clearInterval(drip));
      socket.on('error', () => undefined);
    });
    opened.push(() => listener.close());
    listener.listen(0, LOCAL);
    await once(listener, 'listening');
    const bound = listener.address();
    const slow = { address: LOCAL, port: typeof bound === 'object' ? (bound?.port ?? 0) : 0 };
    await expect(new Forwarder(async () => [slow], 100).ask(WEB, 'tcp')).rejects.toThrow('did not answer in 100 ms');
  });

  test('are tried in the order of resolv.conf, except that the last one to answer comes first', async () => {
    let dead = 0;
    const first = await foreign(() => void dead++);
    const second = await foreign((asked, send) => send(answerTo(asked, '192.0.2.9')));
    const forwarder = new Forwarder(async () => [first, second], 50);
    for (const name of ['a.example.com', 'b.example.com', 'c.example.com'])
      expect(addressesOf(await forwarder.ask(query(name, 'A'), 'udp'))).toEqual(['192.0.2.9']);
    expect(dead).toBe(1);
  });
});
