import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import { badRequest } from '#lib/machinery/errors.ts';
import type { VouchedBy } from '#lib/server/authentication/authenticator.ts';
import { bodyTooLarge, MAX_BODY } from '#lib/server/endpoints/body-bound.ts';
import { parseQuery } from '#lib/server/endpoints/parse-query.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { Connection } from './connection.ts';
import { Stretch } from './stretch.ts';

/** The fields that are derived here from the rest of a request. */
type Derived = 'path' | 'uri' | 'query' | 'body' | 'stream' | 'turn' | 'signal' | 'upgrade';

/** The fields of the core's request that are the same in HTTP/1.1 and HTTP/2. */
type Head = Omit<ApiRequest, Derived | 'connection'> & { readonly connection: Connection };

/** A request in the form that HTTP/1.1 and HTTP/2 share. */
export interface Incoming {
  readonly head: Head;
  readonly url: string;
  readonly body: IncomingMessage | ServerHttp2Stream;
  /** Called with the length of each part of the body. */
  readonly received?: (bytes: number) => void;
}

/** The properties of a request that only the server knows. */
export interface RequestPorts {
  /** Creates the signal that aborts when the client disconnects. */
  signal(): AbortSignal;
  /** Set if another server terminates TLS. */
  readonly vouched?: VouchedBy | undefined;
}

/** Converts a request to the core's type. */
export function apiRequest(incoming: Incoming, { signal, vouched }: RequestPorts): ApiRequest {
  const { head, url } = incoming;
  const mark = url.indexOf('?');
  let made: AbortSignal | undefined;
  const stretch = new Stretch();
  return {
    ...head,
    path: mark < 0 ? url : url.slice(0, mark),
    uri: url,
    connection: vouchedConnection(head, vouched),
    query: parseQuery(mark < 0 ? '' : url.slice(mark + 1)),
    body: () => readBody(incoming),
    stream: () => (hasBody(incoming) ? chunksOf(incoming) : undefined),
    turn: () => stretch.next(),
    signal: () => (made ??= signal()),
  };
}

/** The connection with the certificate that the server in front of this one vouches for. */
function vouchedConnection({ connection, headers }: Head, vouched: VouchedBy | undefined): Connection {
  if (connection.clientCertificate !== undefined) return connection;
  const clientCertificate = vouched?.(headers);
  return clientCertificate === undefined ? connection : { ...connection, clientCertificate };
}

const hasBody = ({ head: { headers }, body }: Incoming): boolean =>
  'endAfterHeaders' in body
    ? !body.endAfterHeaders
    : headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Iterates over the body. Ending the iteration early keeps the connection open, because the response must still be sent. */
async function* chunksOf({ body, received }: Incoming): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    received?.(chunk.length);
    yield chunk;
  }
}

function readBody({ head: { headers }, body, received }: Incoming): Promise<Uint8Array> {
  const declared = Number(headers['content-length'] ?? 0);
  if (declared > MAX_BODY) return Promise.reject(bodyTooLarge());
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    let isWhole = false;
    const gone = (): void => {
      if (!isWhole) reject(badRequest('unexpected EOF')); // no client reads this response, and the server is not at fault
    };
    body.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      received?.(chunk.length);
      if (size <= MAX_BODY) return void chunks.push(chunk);
      body.pause();
      reject(bodyTooLarge());
    });
    body.on('end', () => {
      isWhole = true;
      resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks));
    });
    body.on('aborted', gone).on('close', gone);
    if (body.destroyed) gone();
  });
}
