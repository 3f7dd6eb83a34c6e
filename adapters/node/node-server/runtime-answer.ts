import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Time-out in ms for the runtime to respond. */
const TIMEOUT = 30_000;
/** Maximum bytes of the head of the runtime's response. */
const MAX_HEAD = 16 * 1024;

/** Reads the head of the runtime's response, and leaves the bytes after it unread. Throws Error if no head arrives. */
export async function headOf(runtime: Readable): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT);
  let bytes = Buffer.alloc(0);
  for (;;) {
    const chunk: unknown = runtime.read();
    if (chunk instanceof Uint8Array) {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf('\r\n\r\n') + 4;
      if (end < 4 && bytes.length <= MAX_HEAD) continue;
      if (end < 4) throw new Error('the answer of the runtime is too long');
      if (end < bytes.length) runtime.unshift(bytes.subarray(end));
      return bytes.subarray(0, end).toString('latin1');
    }
    if (runtime.readableEnded || runtime.destroyed) throw new Error('the runtime did not answer');
    await hasNews(runtime, signal);
  }
}

/** Waits for bytes or the end. Removes the listeners of the event that did not occur. */
async function hasNews(runtime: Readable, signal: AbortSignal): Promise<void> {
  const came = new AbortController();
  const options = { signal: AbortSignal.any([signal, came.signal]) };
  await Promise.race([once(runtime, 'readable', options), once(runtime, 'close', options)]).finally(() => came.abort());
}
