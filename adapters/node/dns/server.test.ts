import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { decode, encode } from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { ClusterZone } from '#lib/node/dns/cluster-zone.ts';
import { Responder } from '#lib/node/dns/responder.ts';
import { aSlice, query, read, smallCluster } from '#lib/node/dns/testing.ts';
import { Forwarder } from './forwarder.ts';
import { DnsServer } from './server.ts';

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});

/** Serves DNS for a small cluster and forwards other names to the given port. Returns the server's port. */
async function serve(upstreamPort: number, names = smallCluster()): Promise<number> {
  const settings = { domain: 'cluster.local', servers: ['127.0.0.1'], serial: () => 1, isSynced: () => true };
  const forwarder = new Forwarder(async () => [{ address: '127.0.0.1', port: upstreamPort }]);
  const server = new DnsServer(new Responder(new ClusterZone(names, settings), forwarder));
  opened.push(server);
  return server.listen('127.0.0.1', 0);
}

/** A server that answers every question with an address. `before` may send other messages first. */
async function foreign(before?: (send: (message: Buffer) => void, asked: Buffer) => void): Promise<number> {
  const socket = createSocket('udp4');
  opened.push({ [Symbol.asyncDispose]: async () => void socket.close() });
  socket.on('message', (asked, { port, address }) => {
    const send = (message: Buffer): void => socket.send(message, port, address);
    before?.(send, asked);
    const { id = 0, questions = [] } = decode(asked);
    const name = questions[0]?.name ?? '';
    send(
      encode({
        type: 'response',
        id,
        flags: 0x0180,
        questions,
        answers: [{ type: 'A', name, ttl: 9, data: '192.0.2.9' }],
      }),
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

async function byUdp(port: number, message: Uint8Array): Promise<ReturnType<typeof read>> {
  const socket = createSocket('udp4');
  try {
    socket.send(message, port, '127.0.0.1');
    const [answer] = (await once(socket, 'message')) as [Buffer];
    return read(answer);
  } finally {
    socket.close();
  }
}

/** The answers on one connection to messages that are sent together, in pieces of this many bytes. */
async function byTcp(port: number, messages: readonly Uint8Array[], piece: number): Promise<ReturnType<typeof read>[]> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const sent = Buffer.concat(messages.flatMap((one) => [Buffer.from([one.length >> 8, one.length & 255]), one]));
  for (let at = 0; at < sent.length; at += piece) socket.write(sent.subarray(at, at + piece));
  const answers: ReturnType<typeof read>[] = [];
  let held = Buffer.alloc(0);
  for await (const chunk of socket) {
    held = Buffer.concat([held, chunk as Buffer]);
    while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
      answers.push(read(held.subarray(2, 2 + held.readUInt16BE(0))));
      held = held.subarray(2 + held.readUInt16BE(0));
    }
    if (answers.length === messages.length) break;
  }
  return answers;
}

test('answers a name of the cluster over UDP and TCP', async () => {
  const port = await serve(9);
  const asked = query('web.default.svc.cluster.local', 'A');
  expect((await byUdp(port, asked)).answers).toMatchObject([{ data: '10.96.0.7' }]);
  const [first, second] = await byTcp(port, [asked, query('web.default.svc.cluster.local', 'AAAA')], 1);
  expect([first?.answers, second?.answers]).toMatchObject([[{ data: '10.96.0.7' }], [{ data: 'fd00::7' }]]);
});

test('answers all of a hundred queries on one connection', async () => {
  const port = await serve(9);
  const messages = Array.from({ length: 100 }, (_, id) => query('web.default.svc.cluster.local', 'A', { id }));
  const answers = await byTcp(port, messages, 10_000);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(100);
});

test('returns an answer too large for a datagram completely over TCP', async () => {
  const names = smallCluster();
  names.setSlice(
    'default/idle-1',
    aSlice(
      'idle',
      Array.from({ length: 200 }, (_, i) => [`10.244.1.${i}`] as const),
    ),
  );
  const port = await serve(9, names);
  const asked = query('idle.default.svc.cluster.local', 'A');
  expect((await byUdp(port, asked)).flag_tc).toBe(true);
  expect((await byTcp(port, [asked], 100))[0]?.answers).toHaveLength(200);
});

test('forwards another name to the host’s server with a new identifier', async () => {
  const ids: number[] = [];
  const port = await serve(await foreign((_, asked) => ids.push(asked.readUInt16BE(0))));
  for (let i = 0; i < 3; i++) {
    const answer = await byUdp(port, query('example.com', 'A'));
    expect(answer).toMatchObject({ id: 7, answers: [{ name: 'example.com', data: '192.0.2.9' }] });
  }
  expect(new Set([7, ...ids]).size).toBeGreaterThan(2);
});

test('ignores an answer to another question or identifier', async () => {
  const lie = (id: number, name: string): Buffer =>
    encode({
      type: 'response',
      id,
      questions: [{ type: 'A', name }],
      answers: [{ type: 'A', name, ttl: 9, data: '203.0.113.66' }],
    });
  const upstream = await foreign((send, asked) => {
    const id = asked.readUInt16BE(0);
    send(lie(id, 'example.org'));
    send(lie(id ^ 1, 'example.com'));
    send(Buffer.from([1, 2, 3]));
  });
  const answer = await byUdp(await serve(upstream), query('example.com', 'A'));
  expect(answer.answers).toMatchObject([{ data: '192.0.2.9' }]);
});

test('answers an alias to an external name with its address', async () => {
  const answer = await byUdp(await serve(await foreign()), query('outside.default.svc.cluster.local', 'A'));
  expect(answer.answers).toMatchObject([
    { type: 'CNAME', data: 'db.example.com' },
    { type: 'A', name: 'db.example.com', data: '192.0.2.9' },
  ]);
});

test('returns a server failure for an external name without another server', async () => {
  const [answer] = await byTcp(await serve(1), [query('example.com', 'A')], 100);
  expect(answer?.rcode).toBe('SERVFAIL');
});
