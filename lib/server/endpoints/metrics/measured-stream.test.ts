import { expect, test } from 'vitest';
import { measuredStream } from './measured-stream.ts';

async function* chunks(fails = false): AsyncGenerator<Uint8Array> {
  yield Buffer.from('ab');
  if (fails) throw new Error('broken');
  yield Buffer.from('cde');
}

test('tells its size at the end, once', async () => {
  const sizes: number[] = [];
  const read: string[] = [];
  for await (const chunk of measuredStream(chunks(), (size) => sizes.push(size))) read.push(String(chunk));
  expect([read, sizes]).toEqual([['ab', 'cde'], [5]]);
});

test('tells it when the reader leaves', async () => {
  const sizes: number[] = [];
  for await (const chunk of measuredStream(chunks(), (size) => sizes.push(size))) {
    expect(chunk).toHaveLength(2);
    break;
  }
  expect(sizes).toEqual([2]);
});

test('tells it when the stream fails, which fails the reader', async () => {
  const sizes: number[] = [];
  const read = async (): Promise<void> => {
    for await (const chunk of measuredStream(chunks(true), (size) => sizes.push(size))) expect(chunk).toHaveLength(2);
  };
  await expect(read()).rejects.toThrow('broken');
  expect(sizes).toEqual([2]);
});
