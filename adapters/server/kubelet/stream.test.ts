import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import { settled } from '#test/support/settled.ts';
import { duplexOf, streamOf } from './stream.ts';

function streamFrom(incoming: AsyncIterable<Uint8Array>) {
  const ends: string[] = [];
  const delivered = Promise.withResolvers<void>();
  const stream: ByteStream = {
    incoming,
    write: async () => {},
    end: () => void ends.push('end'),
    delivered: delivered.promise,
    destroy: () => void ends.push('destroy'),
  };
  return { stream, ends, delivered };
}

test('destroys a stream after the other end has received all of it', async () => {
  const { stream, ends, delivered } = streamFrom((async function* () {})());
  const duplex = duplexOf(stream);
  await once(duplex.end('last').resume(), 'end');
  await settled();
  expect(ends).toEqual(['end']);
  delivered.resolve();
  await once(duplex, 'close');
  expect(ends).toEqual(['end', 'destroy']);
});

test('ends only the stream whose reader throws an error, not the connection', async () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('no TLS record');
  }
  const { stream, ends } = streamFrom(bytes());
  const duplex = duplexOf(stream);
  duplex.on('data', () => {
    throw new Error('bad record');
  });
  const [error] = (await once(duplex, 'error').catch((thrown: unknown) => [thrown])) as [Error];
  expect(error.message).toBe('bad record');
  expect(ends).toEqual(['destroy']);
});

test('breaks the connection over a stream that breaks during a read', async () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a');
    throw new Error('reset');
  }
  const duplex = duplexOf(streamFrom(bytes()).stream);
  await expect(Array.fromAsync(duplex)).rejects.toThrow('reset');
});

test('ends a waiting write when the socket is destroyed', async () => {
  const server = createServer((peer) => void peer.pause());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const stream = streamOf(socket);
  const waiting = stream.write(Buffer.alloc(64 << 20)); // more than the system's buffers can hold
  stream.destroy();
  await expect(waiting).rejects.toThrow();
  await expect(stream.write(Buffer.from('late'))).rejects.toThrow('destroyed');
  server.close();
});
