import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The address that clients connect to. */
export interface Target {
  readonly port: number;
  readonly certificateAuthority: string;
}

/** The outcome of a slow client: the number of bytes received, the first of them, and the milliseconds until it was disconnected. */
export interface Ending {
  readonly bytes: number;
  readonly told: string;
  readonly milliseconds: number;
}

interface Opened {
  readonly protocol: 'tcp' | 'http/1.1' | 'h2';
  /** The only bytes that it sends. */
  readonly sent: string | Uint8Array;
  /** Does not read the response until this resolves. */
  readonly readsAfter?: Promise<unknown>;
}

const TOLD = 4096;

/** Connects and sends. Then resolves with a promise of the outcome. */
export async function slowClient(
  target: Target,
  { protocol, sent, readsAfter }: Opened,
): Promise<{ readonly ending: Promise<Ending> }> {
  const { port, certificateAuthority: ca } = target;
  const at = { host: '127.0.0.1', port };
  const socket: Socket = protocol === 'tcp' ? connectPlain(at) : connectTls({ ...at, ca, ALPNProtocols: [protocol] });
  socket.on('error', () => undefined); // the server may cut the connection off
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const isThere = new Promise((resolve) => socket.once(protocol === 'tcp' ? 'connect' : 'secureConnect', resolve));
  await Promise.race([isThere, closed]);
  const begun = performance.now();
  socket.write(sent);
  return { ending: ended(socket, { closed, begun, readsAfter }) };
}

async function ended(
  socket: Socket,
  { closed, begun, readsAfter }: { closed: Promise<void>; begun: number; readsAfter: Promise<unknown> | undefined },
): Promise<Ending> {
  await readsAfter;
  let bytes = 0;
  let told = '';
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (told.length < TOLD) told += chunk.toString('latin1', 0, TOLD);
  });
  await closed;
  return { bytes, told, milliseconds: performance.now() - begun };
}
