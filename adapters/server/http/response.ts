import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { compressResponse } from '#lib/server/endpoints/gzip.ts';
import { Turns } from './turns.ts';

/**
 * The stream that an answer is written to. For HTTP/2 it bypasses node's compatibility layer, which sends the end of each answer in a
 * separate record and turn.
 */
export type Outgoing = ServerResponse | ServerHttp2Stream;

/** How an answer is written. */
export interface WriteOptions {
  readonly gzip: boolean;
  /** Time in ms for which a reader may accept no data. After it the answer is cut off. */
  readonly readTimeout: number;
}

/** Writes the core's answer. A slow reader slows down a stream. A stream of events is flushed chunk by chunk, and its headers at once. */
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

/** How many bytes are left to the connection's buffers. A longer answer waits for its reader. */
const PIECE = 256 * 1024;

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** How many streams write in one turn of the event loop, the first of them at once. */
const SLICE = 8;
/** The turns in which streams of events write. */
export const turns = new Turns({ slice: SLICE, atOnce: SLICE });

/** Writes and ends at the pace of the reader, or until the reader is gone. A reader that accepts no data within its time-out is cut off. */
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

/** Cuts off an answer so that its reader cannot take it as complete. Closing the stream would send its end first. */
export function breakOff(outgoing: Outgoing | Socket): void {
  if ('respond' in outgoing) outgoing.destroy(new Error('the answer was broken off'));
  else outgoing.destroy();
}

/** Writes the head. For an answer without a body, it also ends the answer. */
function head(outgoing: Outgoing, status: number, given: ApiResponse['headers']): void {
  const headers = inBytes(given);
  if (!('respond' in outgoing)) outgoing.writeHead(status, headers);
  else if (!isOver(outgoing)) outgoing.respond({ ':status': status, ...headers });
}

/**
 * Only warnings may contain foreign text in any language. They are UTF-8 on the wire, as upstream's, while node writes one byte per
 * character.
 */
function inBytes(headers: ApiResponse['headers']): ApiResponse['headers'] {
  const { warning } = headers;
  if (warning === undefined) return headers;
  return { ...headers, warning: [warning].flat().map((text) => Buffer.from(text).toString('latin1')) };
}

/** Whether no reader is left. */
const isOver = (outgoing: Outgoing | Socket): boolean => outgoing.destroyed || outgoing.closed;

const asksForHead = (outgoing: Outgoing): boolean => 'req' in outgoing && outgoing.req.method === 'HEAD';
