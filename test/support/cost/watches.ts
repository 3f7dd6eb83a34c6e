import type { Apiserver } from '#functions/apiserver/wiring.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';

/** The number of event-loop rounds in which a server completes the work of one second. */
const ROUNDS = 40;

/** Lets the given number of seconds pass, one by one. */
export async function passSeconds(clock: ManualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    clock.advance(1_000);
    await settled(ROUNDS);
  }
}

/** Opens a watch as an informer does after its list. Resolves when the response starts. */
export async function openWatch(server: Apiserver, path: string, seconds: number): Promise<ApiResponse> {
  const headers = { authorization: 'Bearer admin', accept: 'application/json' };
  const request = { method: 'GET', path, headers, body: async () => Buffer.alloc(0) };
  const signal = new AbortController().signal;
  const query = new URLSearchParams({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: '0',
    timeoutSeconds: String(seconds),
  });
  return server.handle({ ...request, query, signal: () => signal });
}

/** Reads a watch to its end, and returns its size in bytes. */
export async function bytesOf({ body, status }: ApiResponse): Promise<number> {
  if (typeof body === 'string' || body instanceof Uint8Array) throw new Error(`no watch: ${status}`);
  let bytes = 0;
  for await (const part of body) bytes += part.length;
  return bytes;
}
