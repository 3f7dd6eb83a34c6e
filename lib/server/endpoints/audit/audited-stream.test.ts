import { expect, test } from 'vitest';
import { auditedStream } from './audited-stream.ts';

async function* chunks(...texts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

/** Reads the stream to its end, or up to `enough` chunks. Returns the chunks and the report of the end in order. */
async function passed(stream: AsyncIterable<Uint8Array>, keeps: boolean, enough = Number.POSITIVE_INFINITY) {
  const order: string[] = [];
  const audited = auditedStream(stream, keeps, async (kept) => {
    await Promise.resolve();
    order.push(`ended with ${kept === undefined ? 'nothing' : Buffer.from(kept).toString()}`);
  });
  try {
    let count = 0;
    for await (const chunk of audited) {
      order.push(Buffer.from(chunk).toString());
      if (++count === enough) break;
    }
    order.push('done');
  } catch (error) {
    order.push(error instanceof Error ? error.message : '');
  }
  return order;
}

test.each([
  ['it ends', chunks('a', 'b'), true, undefined, ['a', 'b', 'ended with ab', 'done']],
  ['nothing is kept', chunks('a'), false, undefined, ['a', 'ended with nothing', 'done']],
  ['it fails', chunks('a', new Error('torn')), true, undefined, ['a', 'ended with nothing', 'torn']],
  ['its reader stops', chunks('a', 'b'), true, 1, ['a', 'ended with nothing', 'done']],
])('reports the end of a stream if %s', async (_, stream, keeps, enough, order) => {
  expect(await passed(stream, keeps, enough)).toEqual(order);
});

test('does not keep a response beyond 32 MiB', async () => {
  const large = Buffer.alloc(16 * 1024 * 1024 + 1);
  async function* twice() {
    yield large;
    yield large;
  }
  let heard: Uint8Array | undefined = large;
  const audited = auditedStream(twice(), true, async (kept) => void (heard = kept));
  for await (const _ of audited) continue;
  expect(heard).toBeUndefined();
});
