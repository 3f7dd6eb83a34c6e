import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { settled } from '#test/support/settled.ts';
import { headOf } from './runtime-answer.ts';

const HEAD = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\n\r\n';

/** The number of listeners for each event. */
const listenersOf = (runtime: PassThrough): Record<string, number> =>
  Object.fromEntries(['readable', 'close', 'error'].map((event) => [event, runtime.listenerCount(event)]));

test('reads a head of many pieces without a listener for each, and leaves the bytes after it', async () => {
  const runtime = new PassThrough();
  const before = listenersOf(runtime);
  const head = headOf(runtime);
  for (const byte of HEAD) {
    expect(runtime.listenerCount('close')).toBe((before['close'] ?? 0) + 1);
    runtime.write(byte);
    await settled(3);
  }
  expect(await head).toBe(HEAD);
  await settled();
  expect(listenersOf(runtime)).toEqual(before);
  runtime.write('session');
  await settled();
  expect(String(runtime.read())).toBe('session');
});

test('rejects if the runtime ends without a head', async () => {
  const runtime = new PassThrough();
  const head = headOf(runtime);
  runtime.end('HTTP/1.1');
  await expect(head).rejects.toThrow('the runtime did not answer');
});
