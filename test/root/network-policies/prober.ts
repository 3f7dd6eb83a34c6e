// Runs in the network namespace of a pod. It reads lines of JSON, `{ "probes": [[source, address, port, protocol], …] }`, sends the first
// packet of each connection, and replies to each line with "sent". SCTP is sent as UDP to a port that the namespace rewrites.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect, isIPv4 } from 'node:net';
import { createInterface } from 'node:readline';
import { type Probe, SCTP_OFFSET } from './probe.ts';

/** The checksum, followed by an INIT chunk without flags, 20 bytes long. */
const INIT = Buffer.from('0000000001000014000000010000ffff0001000100000001', 'hex');
const sockets = new Map<string, Promise<Socket>>();

async function bound(source: string): Promise<Socket> {
  const socket = createSocket(isIPv4(source) ? 'udp4' : 'udp6');
  socket.bind(0, source);
  await once(socket, 'listening');
  socket.setBroadcast(true);
  return socket.on('error', () => {});
}

async function datagram(source: string, address: string, port: number, content: Buffer): Promise<void> {
  const opened = sockets.get(source) ?? bound(source);
  sockets.set(source, opened);
  const socket = await opened;
  await new Promise<void>((done) => socket.send(content, port, address, () => done()));
}

/** The kernel sends SYN during the call, so it does not wait for a reply. */
function syn(localAddress: string, host: string, port: number): Promise<void> {
  return new Promise((done) => {
    const socket = connect({ host, port, localAddress }).on('error', () => {});
    setImmediate(() => {
      socket.destroy();
      done();
    });
  });
}

function send([source, address, port, protocol]: Probe): Promise<void> {
  if (protocol === 'TCP') return syn(source, address, port);
  return protocol === 'UDP'
    ? datagram(source, address, port, Buffer.from('probe'))
    : datagram(source, address, port + SCTP_OFFSET, INIT);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { probes } = JSON.parse(line) as { readonly probes: readonly Probe[] };
  for (const probe of probes) await send(probe);
  console.log('sent');
}
process.exit();
