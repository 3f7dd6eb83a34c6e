import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import type { ApiResponse } from './api.ts';
import { acceptsGzip, compressResponse } from './gzip.ts';

const LIMIT = 128 * 1024;

async function* chunks(count: number, fails = false): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.alloc(64 * 1024, 'x');
  if (fails) throw new Error('the store is gone');
}

async function bytesOf({ body }: ApiResponse): Promise<Buffer> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body);
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

const answer = (body: ApiResponse['body'], ends?: true): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body,
  ...defined({ ends }),
});

describe('compressed streams', () => {
  test.each<[string, ApiResponse, boolean, number]>([
    ['a short body', answer('x'.repeat(LIMIT)), false, LIMIT],
    ['a long text', answer('x'.repeat(LIMIT + 1)), true, LIMIT + 1],
    ['long bytes', answer(Buffer.alloc(LIMIT + 1)), true, LIMIT + 1],
    ['a large document', answer(chunks(40), true), true, 40 * 64 * 1024],
    ['events', answer(chunks(4)), false, 4 * 64 * 1024],
  ])('compresses only large bodies: %s', async (_, response, isPacked, length) => {
    const sent = await compressResponse(response);
    const bytes = await bytesOf(sent);
    expect(sent.headers['content-type']).toBe('text/plain');
    expect(sent.headers['content-encoding']).toBe(isPacked ? 'gzip' : undefined);
    expect((isPacked ? gunzipSync(bytes) : bytes).length).toBe(length);
  });
});

test('break off if the document fails midway', async () => {
  await expect(bytesOf(await compressResponse(answer(chunks(40, true), true)))).rejects.toThrow('the store is gone');
});

test('end when a reader stops early', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(64 * 1024);
    } finally {
      ended = true;
    }
  }
  const { body } = await compressResponse(answer(endless(), true));
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  expect(ended).toBe(true);
});

test.each([
  ['gzip, deflate', true],
  ['br,gzip', true],
  ['br', false],
  ['gzip;q=0', false],
  ['x-gzip', false],
  [undefined, false],
])('reads accept-encoding %s', (value, accepts) => {
  expect(acceptsGzip({ headers: { 'accept-encoding': value } })).toBe(accepts);
});
