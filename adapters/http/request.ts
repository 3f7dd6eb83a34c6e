import type { Http2ServerRequest } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest } from '#lib/endpoints/api.ts';
import { badRequest, requestEntityTooLarge, StatusError } from '#lib/machinery/errors.ts';

export type Incoming = IncomingMessage | Http2ServerRequest;

/** Upstream's limit on a request's body, in bytes: 3 MiB. */
const MAX_BODY = 3 * 1024 * 1024;

/** The core's view of a request of node:http or node:http2. `signal` makes the one that aborts when the client goes away. */
export function apiRequest(incoming: Incoming, signal: () => AbortSignal): ApiRequest {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  const certificate = clientCertificate(incoming);
  let made: AbortSignal | undefined;
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers: incoming.headers as Record<string, string | undefined>,
    body: () => readBody(incoming),
    get signal() {
      made ??= signal();
      return made;
    },
    ...(certificate === undefined ? {} : { clientCertificate: certificate }),
  };
}

async function readBody(incoming: Incoming): Promise<Uint8Array> {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > MAX_BODY) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAX_BODY) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof StatusError ? error : endedEarly(error);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** The client went away in the middle of its body: nobody reads this answer, and it is no fault of ours. */
function endedEarly(cause: unknown): StatusError {
  const error = badRequest('unexpected EOF');
  error.cause = cause;
  return error;
}

const tooLarge = () => requestEntityTooLarge(`limit is ${MAX_BODY}`);

type Certificate = NonNullable<ApiRequest['clientCertificate']>;
const certificates = new WeakMap<object, Certificate | null>();

/** The subject of the certificate that the client proved, read once a connection. */
function clientCertificate(incoming: Incoming): Certificate | undefined {
  const socket = ('stream' in incoming ? incoming.stream.session?.socket : incoming.socket) as TLSSocket | undefined;
  if (socket === undefined) return undefined;
  const key = 'stream' in incoming ? (incoming.stream.session as object) : socket;
  const known = certificates.get(key);
  if (known !== undefined) return known ?? undefined;
  const read = readCertificate(socket);
  certificates.set(key, read ?? null);
  return read;
}

function readCertificate(socket: TLSSocket): Certificate | undefined {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  if (subject === undefined) return undefined;
  return { commonName: text(subject.CN)[0] ?? '', organizations: text(subject.O) };
}

function text(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
