import type { Writable } from 'node:stream';
import { comes } from '#lib/server/channel/comes.ts';
import type { BackendRequest } from '#lib/server/channel/round-tripper.ts';

type Body = BackendRequest['body'];

/** The headers that delimit the body. node sends none for a GET, so its body would be parsed as a second request. */
export function framingHeaders(headers: BackendRequest['headers'], body: Body): Record<string, string> {
  if (!(body instanceof Uint8Array)) return 'content-length' in headers ? {} : { 'transfer-encoding': 'chunked' };
  return body.length === 0 ? {} : { 'content-length': String(body.length) };
}

/**
 * Writes as fast as the backend reads, until the connection ends. A backend may respond before it has read the whole body. Rejects if the
 * body breaks off.
 */
export async function writeBody(body: Body, outgoing: Writable): Promise<void> {
  if (body instanceof Uint8Array) return void outgoing.end(body.length === 0 ? undefined : body);
  for await (const chunk of body) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await comes('drain', outgoing);
  }
  outgoing.end();
}
