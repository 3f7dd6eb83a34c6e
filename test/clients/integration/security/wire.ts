import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'vitest';
import type { RunningApiserver } from '#local/start-apiserver.ts';
import { framesOf, statusOf, TYPE } from './frames.ts';

/** Opens a connection with the protocol. */
async function connected(
  { port, certificateAuthority: ca }: RunningApiserver,
  protocol: 'http/1.1' | 'h2',
): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: [protocol] });
  await once(socket, 'secureConnect');
  socket.on('error', () => undefined); // the server may cut the connection off
  return socket;
}

/** How long to keep reading after the expected response, in milliseconds, because the server may send more. */
const SILENCE = 400;
/** How long the expected response may take on a busy machine. */
const PATIENCE = 15_000;

interface Read {
  readonly bytes: Buffer;
  readonly isClosed: boolean;
}

interface Wanted {
  readonly told: (read: Read) => string;
  readonly expected: string | RegExp;
}

const matches = (told: string, expected: string | RegExp): boolean =>
  typeof expected === 'string' ? told === expected : expected.test(told);

/** All bytes received until the server closes the connection, or until it has sent the expected response and is silent. */
async function answered(
  server: RunningApiserver,
  protocol: 'http/1.1' | 'h2',
  sent: string | Uint8Array,
  { told, expected }: Wanted,
): Promise<string> {
  const socket = await connected(server, protocol);
  const chunks: Buffer[] = [];
  const read = (isClosed: boolean): string => told({ bytes: Buffer.concat(chunks), isClosed });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let timer = setTimeout(() => resolve(false), PATIENCE);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    clearTimeout(timer);
    timer = setTimeout(() => resolve(false), matches(read(false), expected) ? SILENCE : PATIENCE);
  });
  socket.once('close', () => resolve(true));
  socket.write(sent);
  const isClosed = await promise;
  clearTimeout(timer);
  socket.destroy();
  return read(isClosed);
}

/** Expects the status of each HTTP/1.1 response, and whether the connection ended: `400 closed`. */
export async function expectHttp1(
  server: RunningApiserver,
  sent: string | Uint8Array,
  expected: string | RegExp,
): Promise<void> {
  const told = ({ bytes, isClosed }: Read): string => {
    const statuses = [...bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    return [...statuses, ...(isClosed ? ['closed'] : [])].join(' ');
  };
  expectTold(await answered(server, 'http/1.1', sent, { told, expected }), expected);
}

/** Expects the HTTP/2 responses: `status 403`, `reset 1`, `go away 1`, `closed`. */
export async function expectHttp2(
  server: RunningApiserver,
  sent: Uint8Array,
  expected: string | RegExp,
): Promise<void> {
  const told = ({ bytes, isClosed }: Read): string => {
    const frames = framesOf(bytes).flatMap(({ type, payload }) => {
      if (type === TYPE.headers) return `status ${statusOf(payload)}`;
      if (type === TYPE.reset) return `reset ${payload.readUInt32BE(0)}`;
      if (type === TYPE.goAway) return `go away ${payload.readUInt32BE(4)}`;
      return [];
    });
    return [...frames, ...(isClosed ? ['closed'] : [])].join(', ');
  };
  expectTold(await answered(server, 'h2', sent, { told, expected }), expected);
}

function expectTold(told: string, expected: string | RegExp): void {
  if (typeof expected === 'string') expect(told).toBe(expected);
  else expect(told).toMatch(expected);
}
