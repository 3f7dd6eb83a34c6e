import type { Clock } from '#lib/machinery/clock.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { within } from '#lib/machinery/wait/within.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { BackendResponse } from '#lib/server/channel/round-tripper.ts';
import type { Location } from '#lib/server/endpoints/special/forward.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { clientTimeout } from './client-timeout.ts';
import { identityHeaders } from './identity-headers.ts';
import { type AggregatedBackends, locate } from './location.ts';
import type { RemoteService } from './remote-services.ts';

/** The ports for this server's own requests to aggregated servers. */
export interface AskPorts {
  readonly clock: Clock;
  readonly backends: AggregatedBackends;
}

/** A request that this server sends on its own behalf. */
export interface Question {
  readonly path: string;
  readonly user: User;
  readonly accept?: string;
  /** The ETag of the known response. */
  readonly etag?: string;
  /** The time limit in ms for the whole request. */
  readonly timeout: number;
}

/** A complete response. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  /** '' if the response has none. */
  readonly etag: string;
  readonly body: Uint8Array;
}

/** The maximum size of a response in bytes. Discovery of a thousand kinds takes a fifth of it. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Sends a GET to a server and returns redirects as responses. Throws TransportError if the response is incomplete, and StatusError if the
 * Service cannot be resolved.
 */
export const ask = async (ports: AskPorts, remote: RemoteService, question: Question): Promise<Reply> =>
  askAt(ports, await locate(ports.backends, remote, question.path), question);

/** Returns the URL of a location for error messages. */
export const urlOf = ({ target: { host, port }, path }: Location): string =>
  `https://${joinHostPort(host, port)}${path}`;

/** Sends the request to one location. */
export async function askAt(
  { clock, backends }: AskPorts,
  to: Location,
  { user, accept = '*/*', etag = '', timeout }: Question,
): Promise<Reply> {
  const headers = {
    host: joinHostPort(to.target.host, to.target.port),
    connection: 'close',
    accept,
    'user-agent': 'davit',
    ...(etag === '' ? {} : { 'if-none-match': etag }),
    ...identityHeaders(user),
  };
  const sent = async (signal: AbortSignal): Promise<Reply> => {
    const request = { ...to, method: 'GET', headers, body: new Uint8Array(), signal };
    const answer = await backends.roundTripper.send(request);
    const body = await whole(answer);
    return { status: answer.status, contentType: first(answer, 'content-type'), etag: first(answer, 'etag'), body };
  };
  return within(timeout, sent, { clock, error: clientTimeout });
}

const first = ({ headers }: BackendResponse, name: string): string => [headers[name] ?? ''].flat()[0] ?? '';

async function whole({ body }: BackendResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new TransportError(`the answer has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
