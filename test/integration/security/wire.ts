import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { RunningApiserver } from '#local/start-apiserver.ts';
import { framesOf, statusOf, TYPE } from './frames.ts';

/** A connection that speaks the protocol, or none of them. */
async function connected(
  { port, certificateAuthority: ca }: RunningApiserver,
  protocol: 'http/1.1' | 'h2',
): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: [protocol] });
  await once(socket, 'secureConnect');
  socket.on('error', () => undefined); // who is cut off may learn it so
  return socket;
}

/** How long a server that says nothing is listened to, in milliseconds. */
const SILENCE = 400;

/** All that comes back until the server closes or is silent. */
async function answered(
  server: RunningApiserver,
  protocol: 'http/1.1' | 'h2',
  sent: string | Uint8Array,
): Promise<{ readonly read: Buffer; readonly isClosed: boolean }> {
  const socket = await connected(server, protocol);
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let timer = setTimeout(() => resolve(false), 4 * SILENCE);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    clearTimeout(timer);
    timer = setTimeout(() => resolve(false), SILENCE);
  });
  socket.once('close', () => resolve(true));
  socket.write(sent);
  const isClosed = await promise;
  clearTimeout(timer);
  socket.destroy();
  return { read: Buffer.concat(chunks), isClosed };
}

/** The status of each answer of HTTP/1.1, and whether the connection ended: `400 closed`. */
export async function toldOverHttp1(server: RunningApiserver, sent: string | Uint8Array): Promise<string> {
  const { read, isClosed } = await answered(server, 'http/1.1', sent);
  const statuses = [...read.toString('latin1').matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
  return [...statuses, ...(isClosed ? ['closed'] : [])].join(' ');
}

/** What HTTP/2 says: `status 403`, `reset 1`, `go away 1`, `closed`. */
export async function toldOverHttp2(server: RunningApiserver, sent: Uint8Array): Promise<string> {
  const { read, isClosed } = await answered(server, 'h2', sent);
  const told = framesOf(read).flatMap(({ type, payload }) => {
    if (type === TYPE.headers) return `status ${statusOf(payload)}`;
    if (type === TYPE.reset) return `reset ${payload.readUInt32BE(0)}`;
    if (type === TYPE.goAway) return `go away ${payload.readUInt32BE(4)}`;
    return [];
  });
  return [...told, ...(isClosed ? ['closed'] : [])].join(', ');
}
