import { defined } from '#lib/machinery/defined.ts';
import { serviceUnavailable, unclassified } from '#lib/machinery/errors.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import type { Target } from '#lib/server/channel/dialer.ts';
import type { BackendResponse, BackendTls } from '#lib/server/channel/round-tripper.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { ApiResponse } from '../api.ts';
import { forwardedHeaders, passedBack } from './forwarded-headers.ts';

/** The target of a request. */
export interface Location {
  readonly target: Target;
  readonly tls: BackendTls;
  /** Path and query. */
  readonly path: string;
}

/** Additions to the client's request. */
export interface Added {
  /** Headers that replace the client's, by lower-case name. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Defaults to the request's signal. */
  readonly signal?: AbortSignal;
}

/** Forwards a request with additional headers, like upstream's reverse proxy. Throws 503 if the backend does not respond. */
export async function forward(
  { roundTripper }: Pick<Backends, 'roundTripper'>,
  request: ApiRequest,
  to: Location,
  { headers: more = {}, signal = request.signal() }: Added = {},
): Promise<BackendResponse> {
  const { method } = request;
  const body = request.stream === undefined ? await request.body() : (request.stream() ?? new Uint8Array());
  const length = body instanceof Uint8Array ? undefined : request.headers['content-length'];
  const headers = {
    ...headersFor(request, to),
    ...more,
    connection: 'close',
    ...defined({ 'content-length': length }),
  };
  return roundTripper.send({ ...to, method, headers, body, signal }).catch((error: unknown) => {
    if (error instanceof TransportError) throw serviceUnavailable(`error trying to reach service: ${error.message}`);
    throw error;
  });
}

/**
 * Forwards a switch of protocols as raw bytes. If the backend refuses the switch, returns its response. Throws 500 if it does not respond.
 */
export async function forwardUpgrade(
  { roundTripper }: Pick<Backends, 'roundTripper'>,
  request: ApiRequest,
  to: Location,
  { headers: more = {}, signal = request.signal() }: Added = {},
): Promise<ApiResponse> {
  const { method, upgrade = '' } = request;
  const headers = { ...headersFor(request, to), ...more, connection: 'Upgrade', upgrade };
  const answer = await roundTripper
    .send({ ...to, method, headers, body: new Uint8Array(), signal })
    .catch((error: unknown) => {
      if (error instanceof TransportError) throw unclassified(`error dialing backend: ${error.message}`);
      throw error;
    });
  const { status, body } = answer;
  if (status === 101 && answer.upgrade !== undefined)
    return { status, headers: { ...answer.headers }, body, upgrade: answer.upgrade };
  if (status >= 400) return { status, headers: passedBack(answer), body };
  await body[Symbol.asyncIterator]().return?.();
  throw unclassified(`invalid upgrade response: status code ${status}`);
}

const headersFor = (request: ApiRequest, { target }: Location) =>
  forwardedHeaders(request, joinHostPort(target.host, target.port));
