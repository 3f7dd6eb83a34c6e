import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { gzipped, gzippedAtMost } from '../gzip.ts';
import { type Chunks, listBody } from '../serialize/chunks.ts';
import { fitting, measure } from './list-measure.ts';

const MEBIBYTE = 1024 * 1024;

/** Returns a body of `count` chunks of a mebibyte, the number of chunks built, and the number of complete reads. */
function aBody(count: number, chunk: Uint8Array = Buffer.alloc(MEBIBYTE, 'x')) {
  const made = { chunks: 0, ends: 0 };
  async function* chunks(): Chunks {
    try {
      for (let i = 0; i < count; i++) {
        made.chunks += 1;
        yield chunk;
      }
    } finally {
      made.ends += 1;
    }
  }
  return { made, chunks };
}

/** Returns the outcome of a body: the mebibytes sent, the mebibytes built for it, and the number of calls for its size. */
async function sent(
  count: number,
  allowed: number,
  { isGzipped = false, most }: { isGzipped?: boolean; most?: number },
) {
  const { made, chunks } = aBody(count);
  let asked = 0;
  let length = 0;
  const repeatable = {
    most: async () => {
      asked += 1;
      return most;
    },
    again: async () => chunks(),
  };
  const allowance = { bytes: allowed, isGzipped };
  const error: unknown = await (async () => {
    for await (const part of fitting(chunks(), allowance, repeatable)) length += part.length;
  })().catch((thrown: unknown) => thrown);
  return { sent: length / MEBIBYTE, made: made.chunks, asked, ...(error === undefined ? {} : { error }) };
}

const TOO_LONG = expect.objectContaining({ reason: 'RequestEntityTooLarge', code: 413 });

test.each<[string, number, number, Parameters<typeof sent>[2], object]>([
  ['sends a short one without querying its size', 4, 100, {}, { sent: 4, made: 4, asked: 0 }],
  ['produces one that is known to fit only once', 20, 100, { most: 30 * MEBIBYTE }, { sent: 20, made: 20, asked: 1 }],
  ['first counts one that may be longer', 20, 20, { most: 21 * MEBIBYTE }, { sent: 20, made: 40, asked: 1 }],
  ['first counts one of unknown size', 20, 100, {}, { sent: 20, made: 40, asked: 1 }],
  ['counts one that is too long up to the limit', 40, 20, {}, { sent: 0, made: 26, asked: 1, error: TOO_LONG }],
  [
    'also counts a short one with a lower limit',
    3,
    2,
    { most: MEBIBYTE * 9 },
    { sent: 0, made: 6, asked: 1, error: TOO_LONG },
  ],
  [
    'produces a compressed one that fits uncompressed only once',
    20,
    30,
    { isGzipped: true, most: 21 * MEBIBYTE },
    { made: 20 },
  ],
  ['sends one that fits after compression', 40, 20, { isGzipped: true, most: 41 * MEBIBYTE }, { sent: 40, made: 80 }],
])('limits a response: %s', async (_, mebibytes, allowed, more, expected) => {
  expect(await sent(mebibytes, allowed * MEBIBYTE, more)).toMatchObject(expected);
});

test('rejects an incompressible response that is too long after compression', async () => {
  const noise = randomBytes(MEBIBYTE);
  const { chunks, made } = aBody(40, noise);
  await expect(measure(chunks(), { bytes: 20 * MEBIBYTE, isGzipped: true })).rejects.toEqual(TOO_LONG);
  expect(made.chunks).toBeLessThan(30);
  expect(made.ends).toBe(1);
  await measure(aBody(40, Buffer.alloc(MEBIBYTE)).chunks(), { bytes: 20 * MEBIBYTE, isGzipped: true });
});

test('bounds the size of a compressed body', async () => {
  for (const size of [0, 1, 100_000, MEBIBYTE]) {
    let length = 0;
    for await (const chunk of gzipped(aBody(3, randomBytes(size)).chunks())) length += chunk.length;
    expect(length).toBeLessThanOrEqual(gzippedAtMost(3 * size));
  }
});

test('ends the body when the reader stops', async () => {
  const { chunks, made } = aBody(20);
  const allowance = { bytes: 100 * MEBIBYTE, isGzipped: false };
  for await (const _ of fitting(chunks(), allowance, { most: async () => 1, again: async () => chunks() })) break;
  expect(made).toEqual({ chunks: 5, ends: 1 });
});

test('ends the body when the reader stops during the buffered part', async () => {
  const { chunks, made } = aBody(20);
  for await (const _ of await listBody(chunks())) break;
  expect(made).toEqual({ chunks: 2, ends: 1 });
});

test('ends a body that exceeds the limit before any more of it is produced', async () => {
  const { chunks, made } = aBody(20, randomBytes(MEBIBYTE));
  await expect(measure(chunks(), { bytes: 1, isGzipped: true })).rejects.toEqual(TOO_LONG);
  expect(made.ends).toBe(1);
});
