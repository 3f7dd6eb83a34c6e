import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { KeptChunks } from './kept-chunks.ts';

const MIB = 1024 * 1024;

/** Chunks of a mebibyte, whose beginnings cannot be compressed. */
function filled(count: number, random: number): { kept: KeptChunks; chunks: Buffer[] } {
  const kept = new KeptChunks();
  const chunks = Array.from({ length: count }, () => Buffer.concat([randomBytes(random), Buffer.alloc(MIB - random)]));
  for (const chunk of chunks) kept.add(chunk);
  return { kept, chunks };
}

test.each([3, 16, 40])('%d MiB that can be compressed are kept in their order', (count) => {
  const { kept, chunks } = filled(count, 1000);
  expect(kept.isWhole).toBe(true);
  expect(Buffer.concat([...kept]).equals(Buffer.concat(chunks))).toBe(true);
});

test('chunks that take too much memory are dropped', () => {
  const { kept } = filled(50, MIB);
  expect([kept.isWhole, [...kept].length]).toEqual([false, 0]);
});
