import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { compressResponse } from '#lib/server/endpoints/gzip.ts';
import { Turns } from './turns.ts';

/**
 * The stream to which a response is written. For HTTP/2 it bypasses node's compatibility layer, which sends the end of each response in a
 * separate record and turn of the event loop.
 */
export type Outgoing = ServerResponse | ServerHttp2Stream;

/** How a response is written. */
export interface WriteOptions {
  readonly gzip: boolean;
  /** Maximum time in ms that a reader may accept no data. After that the response is cut off. */
  readonly readTimeout: number;
}

/**
 * Writes the core's response. A slow reader slows down a stream. For a stream of events, the headers are flushed at once, and each chunk as
 * it is written.
 */
export async function writeResponse(outgoing: Outgoing, response: ApiResponse, options: WriteOptions): Promise<void> {
  const { status, headers, body, ends } = options.gzip ? await compressResponse(response) : response;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    head(outgoing, status, headers);
    return writeStream(outgoing, body, ends === true ? undefined : turns, options);
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  head(outgoing, status, { ...headers, 'content-length': String(bytes.length) });
  if (outgoing.writableEnded) return;
  if (bytes.length > PIECE && !asksForHead(outgoing)) return writeStream(outgoing, pieces(bytes), undefined, options);
  outgoing.end(bytes);
}

/** Maximum bytes that are left to the connection's buffers. A longer response waits for its reader. */
const PIECE = 256 * 1024;

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** The number of streams that write in one turn of the event loop. The first ones need not wait for a turn. */
const SLICE = 8;
/** Schedules the writes of event streams over turns of the event loop. */
export const turns = new Turns({ slice: SLICE, atOnce: SLICE });

/**
 * Writes and ends at the pace of the reader, or until the reader disconnects. A reader that accepts no data within its time-out is cut off.
 */
export async function writeStream(
  outgoing: Outgoing | Socket,
  body: AsyncIterable<Uint8Array>,
  pace: Turns | undefined,
  { readTimeout }: { readonly readTimeout: number | undefined },
): Promise<void> {
  if ('flushHeaders' in outgoing) outgoing.flushHeaders();
  for await (const chunk of body) {
    if (pace !== undefined) await pace.next();
    if (isOver(outgoing) || outgoing.writableEnded) return;
    if (!outgoing.write(chunk) && !(await comes('drain', outgoing, readTimeout))) return breakOff(outgoing);
  }
  outgoing.end();
}

/** Waits for the event or the close of the stream. Returns false if neither happens within this many ms. */
export function comes(
  event: 'drain' | 'finish',
  stream: Outgoing | Socket,
  milliseconds: number | undefined,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isThere: boolean): void => {
      clearTimeout(timer);
      stream.off(event, done).off('close', done);
      resolve(isThere);
    };
    const done = (): void => end(true);
    const timer = milliseconds === undefined ? undefined : setTimeout(() => end(false), milliseconds);
    stream.on(event, done).on('close', done);
  });
}

/** Cuts off a response so that its reader cannot consider it complete. Closing the stream would send its end first. */
export function breakOff(outgoing: Outgoing | Socket): void {
  if ('respond' in outgoing) outgoing.destroy(new Error('the answer was broken off'));
  else outgoing.destroy();
}

/** Writes the head. If the response has no body, also ends the response. */
function head(outgoing: Outgoing, status: number, given: ApiResponse['headers']): void {
  const headers = inBytes(given);
  if (!('respond' in outgoing)) outgoing.writeHead(status, headers);
  else if (!isOver(outgoing)) outgoing.respond({ ':status': status, ...headers });
}

/**
 * Encodes headers. Only warnings may contain text in any language. Like upstream's, they are UTF-8 on the wire, while node writes one byte
 * per character.
 */
function inBytes(headers: ApiResponse['headers']): ApiResponse['headers'] {
  const { warning } = headers;
  if (warning === undefined) return headers;
  return { ...headers, warning: [warning].flat().map((text) => Buffer.from(text).toString('latin1')) };
}

/** Whether the reader has disconnected. */
const isOver = (outgoing: Outgoing | Socket): boolean => outgoing.destroyed || outgoing.closed;

const asksForHead = (outgoing: Outgoing): boolean => 'req' in outgoing && outgoing.req.method === 'HEAD';
