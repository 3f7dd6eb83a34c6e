import { PassThrough } from 'node:stream';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { HEAD_END, readHead } from './answer-head.ts';
import { answerEvent, type Door } from './door.ts';
import type { FunctionUrlEvent } from './function-url.ts';
import type { RestEvent } from './rest.ts';

/** A request as a client sends it, for tests that run through every front door. */
export interface Sent {
  readonly method?: string;
  /** The path and query. */
  readonly target: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: Uint8Array;
}

/** The response as a client receives it. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The handler of a test. */
export type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** The event that a function URL creates for a request. */
export function functionUrlEvent({ method = 'GET', target, headers = [], body }: Sent): FunctionUrlEvent {
  const [path, query] = split(target);
  const cookies = headers.filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value);
  const others = headers.filter(([name]) => name.toLowerCase() !== 'cookie');
  const joined = new Map<string, string>();
  for (const [name, value] of others) {
    const before = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), before === undefined ? value : `${before},${value}`);
  }
  return {
    rawPath: path,
    rawQueryString: query,
    headers: Object.fromEntries(joined),
    ...(cookies.length === 0 ? {} : { cookies }),
    ...(body === undefined ? {} : { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined,
    requestContext: { domainName: 'abc.lambda-url.eu-west-1.on.aws', http: { method, sourceIp: '192.0.2.7' } },
  };
}

/** The event that a REST API creates for a request. */
export function restEvent({ method = 'GET', target, headers = [], body }: Sent): RestEvent {
  const [path, query] = split(target);
  return {
    httpMethod: method,
    path,
    multiValueHeaders: lists(headers),
    multiValueQueryStringParameters: query === '' ? null : lists([...new URLSearchParams(query)]),
    body: body === undefined ? null : Buffer.from(body).toString('base64'),
    isBase64Encoded: body !== undefined,
    requestContext: { domainName: 'abc.execute-api.eu-west-1.amazonaws.com', identity: { sourceIp: '192.0.2.7' } },
  };
}

const split = (target: string): [string, string] => {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
};

function lists(pairs: readonly (readonly [string, string])[]): Record<string, string[]> {
  const all = new Map<string, string[]>();
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), value]);
  return Object.fromEntries(all);
}

/** A response stream in the runtime's format: a head in JSON, eight zero bytes, the body. */
export class PlatformStream extends PassThrough {
  static withHead(stream: PlatformStream, head: object): PlatformStream {
    stream.#head = Buffer.from(JSON.stringify(head));
    return stream;
  }

  #head: Buffer | undefined;

  override write(chunk: unknown, ...more: never[]): boolean {
    if (this.#head !== undefined) super.write(Buffer.concat([this.#head, HEAD_END]));
    this.#head = undefined;
    return chunk === '' || super.write(chunk, ...more);
  }
}

/**
 * The response to an event, as a client reads it. `remaining` is the time in ms that the platform grants. Rejects if the response is cut
 * off.
 */
export async function answered<Event>(door: Door<Event>, event: Event, remaining = 900_000): Promise<Received> {
  const stream = new PlatformStream();
  const context = { getRemainingTimeInMillis: () => remaining };
  const answer = answerEvent(door, event, { stream, withHead: PlatformStream.withHead, context });
  answer.catch((error: Error) => stream.destroy(error));
  const { head, body } = await readHead(stream);
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  await answer;
  return { status: head.statusCode, headers: head.headers, body: Buffer.concat(parts) };
}
