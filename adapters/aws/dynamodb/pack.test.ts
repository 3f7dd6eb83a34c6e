import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { pack, unpack } from './pack.ts';

test.each([
  ['few, compressed', Buffer.from('a'.repeat(900))],
  ['few that do not compress', randomBytes(900)],
  ['many, compressed', Buffer.from(randomBytes(2_500).toString('hex'))],
  ['many that do not compress', randomBytes(5_000)],
])('unpacked bytes keep no larger buffer in memory: %s', (_, bytes) => {
  const slab = Buffer.alloc(64 * 1024);
  const packed = pack(bytes);
  slab.set(packed, 1_000);
  const unpacked = unpack(slab.subarray(1_000, 1_000 + packed.length));
  expect(Buffer.compare(unpacked, bytes)).toBe(0);
  expect(unpacked.buffer.byteLength).toBeLessThanOrEqual(bytes.length + 64);
});
