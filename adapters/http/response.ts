import type { ServerResponse } from 'node:http';
import { constants as http2, type Http2ServerResponse } from 'node:http2';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { ApiResponse } from '#lib/endpoints/api.ts';

import { Turns } from './turns.ts';

export type Outgoing = ServerResponse | Http2ServerResponse;

/** Upstream compresses bodies above this, in bytes. */
const COMPRESS_ABOVE = 128 * 1024;
const compress = promisify(gzip);
const LEVEL = { level: constants.Z_BEST_SPEED };
const COMPRESSED = { 'content-encoding': 'gzip', vary: 'Accept-Encoding' };

export interface WriteOptions {
  readonly gzip: boolean;
  /** Milliseconds that a reader may take nothing; then the answer is broken off. */
  readonly readTimeout: number;
}

/** Writes the core's answer. A slow reader slows a stream down; one of events is flushed chunk by chunk, its headers at once. */
export async function writeResponse(outgoing: Outgoing, response: ApiResponse, options: WriteOptions): Promise<void> {
  const { status, headers, body, ends } = response;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    const packed = options.gzip && ends === true;
    head(outgoing, status, packed ? { ...headers, ...COMPRESSED } : headers);
    return writeStream(outgoing, packed ? zipped(body) : body, ends === true ? undefined : turns, options);
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const packed = options.gzip && bytes.length > COMPRESS_ABOVE;
  const sent = packed ? await compress(bytes, LEVEL) : bytes;
  head(outgoing, status, { ...headers, ...(packed ? COMPRESSED : {}), 'content-length': String(sent.length) });
  if (sent.length > PIECE && outgoing.req.method !== 'HEAD')
    return writeStream(outgoing, pieces(sent), undefined, options);
  (outgoing as ServerResponse).end(sent);
}

/** Bytes that are left to the connection's buffers; what is longer waits for its reader. */
const PIECE = 256 * 1024;

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** The end of the returned stream is that of `body`, also where that throws. */
const zipped = (body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  pipeline(Readable.from(body), createGzip(LEVEL), () => undefined);

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
