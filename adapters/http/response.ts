import type { ServerResponse } from 'node:http';
import { constants as http2, type Http2ServerResponse } from 'node:http2';
import type { ApiResponse } from '#lib/endpoints/api.ts';
import { gzipped } from '#lib/endpoints/gzip.ts';
import { Turns } from './turns.ts';

export type Outgoing = ServerResponse | Http2ServerResponse;

export interface WriteOptions {
  readonly gzip: boolean;
  /** Milliseconds that a reader may take nothing; then the answer is broken off. */
  readonly readTimeout: number;
}

/** Writes the core's answer. A slow reader slows a stream down; one of events is flushed chunk by chunk, its headers at once. */
export async function writeResponse(outgoing: Outgoing, response: ApiResponse, options: WriteOptions): Promise<void> {
  const { status, headers, body, ends } = options.gzip ? await gzipped(response) : response;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    head(outgoing, status, headers);
    return writeStream(outgoing, body, ends === true ? undefined : turns, options);
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  head(outgoing, status, { ...headers, 'content-length': String(bytes.length) });
  if (bytes.length > PIECE && outgoing.req.method !== 'HEAD')
    return writeStream(outgoing, pieces(bytes), undefined, options);
  (outgoing as ServerResponse).end(bytes);
}

/** Bytes that are left to the connection's buffers; what is longer waits for its reader. */
const PIECE = 256 * 1024;

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** Streams that write in one turn of the event loop. */
const SLICE = 8;
const turns = new Turns(SLICE);

async function writeStream(
  outgoing: Outgoing,
  body: AsyncIterable<Uint8Array>,
  turns: Turns | undefined,
  { readTimeout }: WriteOptions,
): Promise<void> {
  if ('flushHeaders' in outgoing) outgoing.flushHeaders();
  const stream = outgoing as ServerResponse;
  for await (const chunk of body) {
    if (turns !== undefined) await turns.next();
    if (stream.destroyed || stream.closed) return;
    if (!stream.write(chunk) && !(await drained(stream, readTimeout))) return breakOff(outgoing);
  }
  stream.end();
}

/** False where nothing was taken for so many milliseconds. */
function drained(stream: ServerResponse, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDrained: boolean): void => {
      clearTimeout(timer);
      stream.off('drain', done).off('close', done);
      resolve(isDrained);
    };
    const done = (): void => end(true);
    const timer = setTimeout(() => end(false), milliseconds);
    stream.on('drain', done).on('close', done);
  });
}

/** Breaks an answer off, so that its reader cannot take it for whole. */
export function breakOff(outgoing: Outgoing): void {
  if ('stream' in outgoing) outgoing.stream.close(http2.NGHTTP2_INTERNAL_ERROR);
  else outgoing.destroy();
}

function head(outgoing: Outgoing, status: number, headers: ApiResponse['headers']): void {
  (outgoing as ServerResponse).writeHead(status, headers);
}
