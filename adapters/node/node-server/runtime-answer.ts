import { once } from 'node:events';
import type { Socket } from 'node:net';

/** Time-out in ms for the runtime to answer. */
const TIMEOUT = 30_000;
/** Maximum bytes of the head of the runtime's answer. */
const MAX_HEAD = 16 * 1024;

/** The head of the runtime's answer. The bytes after it are read later. Throws Error if none comes. */
export async function headOf(runtime: Socket): Promise<string> {
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
    await Promise.race([once(runtime, 'readable', { signal }), once(runtime, 'close', { signal })]);
  }
}
