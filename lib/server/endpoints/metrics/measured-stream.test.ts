import { expect, test } from 'vitest';
import { measuredStream } from './measured-stream.ts';

async function* chunks(fails = false): AsyncGenerator<Uint8Array> {
  yield Buffer.from('ab');
  if (fails) throw new Error('broken');
  yield Buffer.from('cde');
}

test('reports the size once at the end', async () => {
  const sizes: number[] = [];
  const read: string[] = [];
  for await (const chunk of measuredStream(chunks(), (size) => sizes.push(size))) read.push(String(chunk));
  expect([read, sizes]).toEqual([['ab', 'cde'], [5]]);
});

test('reports the size when the reader stops', async () => {
  const sizes: number[] = [];
  for await (const chunk of measuredStream(chunks(), (size) => sizes.push(size))) {
    expect(chunk).toHaveLength(2);
    break;
  }
  expect(sizes).toEqual([2]);
});

test('reports the size when the stream fails, and passes the error to the reader', async () => {
  const sizes: number[] = [];
  const read = async (): Promise<void> => {
    for await (const chunk of measuredStream(chunks(true), (size) => sizes.push(size))) expect(chunk).toHaveLength(2);
  };
  await expect(read()).rejects.toThrow('broken');
  expect(sizes).toEqual([2]);
});
