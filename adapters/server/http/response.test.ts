import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type ClientHttp2Stream, connect, createServer as createServer2 } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { breakOff, type Outgoing, writeResponse } from './response.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');

async function* chunks(count: number, fails = false): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield CHUNK;
  if (fails) throw new Error('the store is gone');
}

const answer = async (outgoing: Outgoing, gzip: boolean, fails: boolean): Promise<void> => {
  const body = chunks(40, fails);
  await writeResponse(outgoing, { status: 200, headers: {}, body, ends: true }, { gzip, readTimeout: 60_000 }).catch(
    () => breakOff(outgoing),
  );
};

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function received(stream: IncomingMessage | ClientHttp2Stream): Promise<Buffer> {
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  await once(stream, 'end');
  return Buffer.concat(parts);
}

describe.each([
  ['plain', false],
  ['compressed', true],
])('a large document, %s', (_, gzip) => {
  test('arrives with all its bytes', async () => {
    const server = createServer((_req, res) => void answer(res, gzip, false));
    const [response] = (await once(get(await listen(server)), 'response')) as [IncomingMessage];
    const bytes = await received(response);
    expect(response.headers['content-encoding']).toBe(gzip ? 'gzip' : undefined);
    expect((gzip ? gunzipSync(bytes) : bytes).length).toBe(40 * CHUNK.length);
    server.close();
  });

  test('is cut off on an error over HTTP/1.1', async () => {
    const server = createServer((_req, res) => void answer(res, gzip, true));
    const [response] = (await once(get(await listen(server)), 'response')) as [IncomingMessage];
    await expect(received(response)).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    server.close();
  });

  test('is cut off on an error over HTTP/2', async () => {
    const server = createServer2();
    server.on(
      'stream',
      (stream) =>
        void answer(
          stream.on('error', () => undefined),
          gzip,
          true,
        ),
    );
    const session = connect(await listen(server));
    await expect(received(session.request({ ':path': '/' }))).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
    session.destroy();
    server.close();
  });
});

describe('a warning in any language', () => {
  const warning = ['299 - "größer als 5 €"', '299 - "値が大きい 🦀"'];
  const warn = (outgoing: Outgoing) =>
    writeResponse(outgoing, { status: 200, headers: { warning }, body: '' }, { gzip: false, readTimeout: 60_000 });
  const read = (told: string | string[] | undefined): string =>
    Buffer.from([told ?? []].flat().join(', '), 'latin1').toString();

  test('arrives as UTF-8 over HTTP/1.1', async () => {
    const server = createServer((_req, res) => void warn(res));
    const [response] = (await once(get(await listen(server)), 'response')) as [IncomingMessage];
    response.resume();
    expect(read(response.headers['warning'])).toBe(warning.join(', '));
    server.close();
  });

  test('arrives as UTF-8 over HTTP/2', async () => {
    const server = createServer2();
    server.on('stream', (stream) => void warn(stream));
    const session = connect(await listen(server));
    const stream = session.request({ ':path': '/' });
    const [told] = (await once(stream, 'response')) as [Record<string, string | string[] | undefined>];
    expect(read(told['warning'])).toBe(warning.join(', '));
    session.close();
    server.close();
  });
});
