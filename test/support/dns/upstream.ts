import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { freePort } from '#test/support/free-port.ts';

const HEADER = 12;
/** The record for 192.0.2.9, with the name of the question and a TTL of 9 seconds. */
const ADDRESS = Buffer.from('c00c00010001000000090004c0000209', 'hex');

/** A server for names outside the cluster, with both transports. */
export interface Outside extends AsyncDisposable {
  readonly port: number;
}

/** Starts a DNS server. It resolves each name that contains `example` to 192.0.2.9, and no other name. */
export async function outside(): Promise<Outside> {
  const port = await freePort();
  const datagrams = createSocket('udp4');
  datagrams.on('message', (asked, from) => datagrams.send(answerTo(asked), from.port, from.address));
  datagrams.bind(port, '127.0.0.1');
  const open = new Set<Socket>();
  const listener = createServer((socket) => {
    open.add(socket);
    let held = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
        const answer = answerTo(held.subarray(2, 2 + held.readUInt16BE(0)));
        held = held.subarray(2 + held.readUInt16BE(0));
        socket.write(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 255]), answer]));
      }
    });
  });
  listener.listen(port, '127.0.0.1');
  await Promise.all([once(datagrams, 'listening'), once(listener, 'listening')]);
  const end = async (): Promise<void> => {
    datagrams.close();
    for (const socket of open) socket.destroy();
    await new Promise<void>((resolve) => void listener.close(() => resolve()));
  };
  return { port, [Symbol.asyncDispose]: end };
}

/** The response to a message. It echoes the question byte by byte, and has an OPT record if the message had one, like any modern server. */
export function answerTo(asked: Buffer): Buffer {
  let end = HEADER;
  while ((asked[end] ?? 0) > 0) end += 1 + (asked[end] ?? 0);
  const question = asked.subarray(HEADER, end + 5);
  const isThere = asked.toString('latin1', HEADER, end).toLowerCase().includes('example');
  const isAddress = isThere && question.at(-3) === 1; // the type A
  const opt =
    asked.length > end + 5 && asked.readUInt16BE(10) > 0 ? asked.subarray(end + 5, end + 16) : Buffer.alloc(0);
  const header = Buffer.alloc(HEADER);
  header.writeUInt16BE(asked.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8080 | (asked.readUInt16BE(2) & 0x0110) | (isThere ? 0 : 3), 2);
  for (const [at, count] of [1, isAddress ? 1 : 0, 0, opt.length > 0 ? 1 : 0].entries())
    header.writeUInt16BE(count, 4 + 2 * at);
  return Buffer.concat([header, question, isAddress ? ADDRESS : Buffer.alloc(0), opt]);
}
