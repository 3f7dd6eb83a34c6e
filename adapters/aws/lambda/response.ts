import type { Writable } from 'node:stream';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { compressResponse } from '#lib/server/endpoints/gzip.ts';
import { MAX_STREAMED } from './limits.ts';

/** The used part of a response stream. The runtime's stream is not a complete Writable. */
export type ResponseStream = Pick<Writable, 'write' | 'end' | 'on' | 'once' | 'off' | 'destroyed'>;

/** Wraps the stream so that status and headers precede the first byte, as `awslambda.HttpResponseStream.from` does. */
export type WithHead<Stream> = (
  stream: Stream,
  head: { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> },
) => ResponseStream;

/** The stream to write a response to, and how to write it. */
export interface Answer<Stream> {
  readonly stream: Stream;
  readonly withHead: WithHead<Stream>;
  /** The method of the request. HEAD has no body. */
  readonly method: string;
  readonly gzip: boolean;
}

/**
 * Writes the core's response: headers at once, then each chunk as fast as it is read. Rejects if the body rejects, or if a document exceeds
 * the streaming limit. The runtime then cuts off the response, so that no client considers it complete. Event streams end before the limit.
 */
export async function writeAnswer<Stream>(response: ApiResponse, answer: Answer<Stream>): Promise<void> {
  const { status, headers, body } = answer.gzip ? await compressResponse(response) : response;
  const stream = answer.withHead(answer.stream, { statusCode: status, headers: joined(headers) });
  let isGone = stream.destroyed;
  stream.on('error', () => (isGone = true)).on('close', () => (isGone = true));
  stream.write(''); // a first write sends the head, even if it is empty
  if (typeof body === 'string' || body instanceof Uint8Array) {
    if (answer.method !== 'HEAD' && body.length > 0) stream.write(body);
    return finished(stream);
  }
  let size = 0;
  for await (const chunk of body) {
    if (isGone || answer.method === 'HEAD') break;
    size += chunk.length;
    if (size > MAX_STREAMED && response.ends !== true) break;
    if (size > MAX_STREAMED) throw new Error(`the answer is longer than the ${MAX_STREAMED} bytes that Lambda streams`);
    if (!stream.write(chunk) && !isGone) await drained(stream);
  }
  if (!isGone) await finished(stream);
}

function finished(stream: ResponseStream): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once('close', resolve).once('error', () => resolve());
  stream.end(() => resolve());
  return promise;
}

function drained(stream: ResponseStream): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => resolve();
  stream.on('drain', done).on('close', done).on('error', done);
  return promise.finally(() => stream.off('drain', done).off('close', done).off('error', done));
}

/** Joins the values of a header, because the platform accepts one value per header. */
const joined = (headers: ApiResponse['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
