import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { ApiResponse } from '#lib/endpoints/api.ts';

export type Outgoing = ServerResponse | Http2ServerResponse;

/** Upstream compresses bodies above this, in bytes. */
const COMPRESS_ABOVE = 128 * 1024;
const compress = promisify(gzip);

/** Writes the core's answer. Streams are flushed chunk by chunk, their headers at once; a slow reader slows them down. */
export async function writeResponse(
  outgoing: Outgoing,
  response: ApiResponse,
  options: { readonly gzip: boolean },
): Promise<void> {
  const { body, headers } = response;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return writeStream(outgoing, response, body);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const packed = options.gzip && bytes.length > COMPRESS_ABOVE;
  const sent = packed ? await compress(bytes, { level: constants.Z_BEST_SPEED }) : bytes;
  const extra = packed ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {};
  head(outgoing, response.status, { ...headers, ...extra, 'content-length': String(sent.length) });
  (outgoing as ServerResponse).end(sent);
}

async function writeStream(
  outgoing: Outgoing,
  { status, headers }: ApiResponse,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  head(outgoing, status, headers);
  if ('flushHeaders' in outgoing) outgoing.flushHeaders();
  const stream = outgoing as ServerResponse;
  for await (const chunk of body) {
    if (stream.destroyed || stream.closed) return;
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  }
  stream.end();
}

function head(outgoing: Outgoing, status: number, headers: ApiResponse['headers']): void {
  (outgoing as ServerResponse).writeHead(status, headers);
}
