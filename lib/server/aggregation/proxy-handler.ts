import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { within } from '#lib/machinery/wait/within.ts';
import type { BackendResponse } from '#lib/server/channel/round-tripper.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { Handler } from '#lib/server/endpoints/filters/filter.ts';
import { isLongRunning, MAX_TIMEOUT } from '#lib/server/endpoints/filters/request-deadline.ts';
import { withoutHeaders } from '#lib/server/endpoints/filters/without-headers.ts';
import { measuredStream } from '#lib/server/endpoints/metrics/measured-stream.ts';
import { forwardedUri } from '#lib/server/endpoints/special/clean-path.ts';
import { forward, forwardUpgrade, type Location } from '#lib/server/endpoints/special/forward.ts';
import { rewritten } from '#lib/server/endpoints/special/proxy-transport.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { clientTimeout } from './client-timeout.ts';
import { identityHeaders, isIdentityHeader } from './identity-headers.ts';
import { type AggregatedBackends, locate, pathAndQuery } from './location.ts';
import type { RemoteService } from './remote-services.ts';

/** The time limit in ms for discovery of an aggregated server. */
export const DISCOVERY_TIMEOUT = 5000;

/** The ports of the proxy. */
export interface ProxyPorts {
  readonly clock: Clock;
  /** Absent if this server cannot reach aggregated servers. */
  readonly backends?: AggregatedBackends;
}

/** Returns the response of net/http's Error. */
const plainError = (status: number, message: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: `${message}\n`,
});

const unavailable = (why = ''): ApiResponse => plainError(503, `service unavailable${why}`);

/**
 * Forwards a request to the server of its group version, with headers that identify the user: upstream's proxyHandler. If the server cannot
 * be reached, returns a 503 in plain text, like upstream.
 */
export const proxyHandler =
  ({ clock, backends }: ProxyPorts, remote: RemoteService): Handler =>
  async (context) => {
    const { request, info, watchStage } = context;
    if (backends === undefined) return unavailable(': this deployment does not reach aggregated API servers');
    if (!remote.isAvailable) return unavailable();
    const to = await locate(backends, remote, pathAndQuery(request)).catch((error: unknown) => {
      if (error instanceof StatusError) return undefined;
      throw error;
    });
    if (to === undefined) return unavailable();
    watchStage?.('begun'); // the other server limits the rest of a watch
    const shown = withoutHeaders(request, isIdentityHeader);
    const limit = timeLimit(request, info);
    const pass = (...ends: AbortSignal[]) => {
      const signal = AbortSignal.any([request.signal(), ...ends]);
      return passed({ context: { ...context, request: shown }, to, signal }, backends);
    };
    const answer = limit === undefined ? pass() : within(limit, pass, { clock, error: clientTimeout });
    return answer
      .then((given) => counted(given, watchStage))
      .catch((error: unknown) => {
        if (error instanceof StatusError || error instanceof TransportError) return plainError(503, reason(error));
        throw error;
      });
  };

/** Counts a watch until the other server ends it. */
function counted(answer: ApiResponse, watchStage: RequestContext['watchStage']): ApiResponse {
  const { body } = answer;
  if (watchStage === undefined || typeof body === 'string' || body instanceof Uint8Array) return answer;
  return { ...answer, body: measuredStream(body, () => watchStage('ended')) };
}

const reason = (error: StatusError | TransportError): string =>
  error instanceof StatusError ? error.message : `error trying to reach service: ${messageOfError(error)}`;

/** Returns the time limit in ms for the response headers. Undefined if there is none, or if a filter enforces it. */
function timeLimit({ method, upgrade }: ApiRequest, info: RequestInfo): number | undefined {
  if (!info.isResourceRequest && info.path.replace(/^\/+|\/+$/g, '').split('/').length === 3) return DISCOVERY_TIMEOUT;
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && upgrade === undefined && !isLongRunning(info) ? MAX_TIMEOUT : undefined;
}

interface Passed {
  readonly context: RequestContext;
  readonly to: Location;
  readonly signal: AbortSignal;
}

async function passed({ context, to, signal }: Passed, { roundTripper }: AggregatedBackends): Promise<ApiResponse> {
  const { request, auditId, user } = context;
  const { host, port } = to.target;
  const authority = joinHostPort(host, port);
  const own = { host: authority, 'audit-id': auditId, ...identityHeaders(user) };
  if (request.upgrade !== undefined) return forwardUpgrade({ roundTripper }, request, to, { headers: own, signal });
  const [path = ''] = to.path.split('?');
  const seen = { 'x-forwarded-uri': forwardedUri(path), 'x-forwarded-host': authority, 'x-forwarded-proto': 'https' };
  const answer = await forward({ roundTripper }, request, to, { headers: { ...own, ...seen }, signal });
  const shown = await rewritten(answer, request, { prefix: '', backend: authority, asked: authority });
  return isRedirect(answer) ? refused(answer) : shown;
}

const isRedirect = ({ status, headers }: BackendResponse): boolean =>
  status >= 300 && status < 400 && (headers['location'] ?? '') !== '';

/** Rejects a redirect, which could send the client to any server: upstream's RejectForwardingRedirects. */
async function refused({ body }: BackendResponse): Promise<ApiResponse> {
  await body[Symbol.asyncIterator]().return?.();
  const text = 'the backend attempted to redirect this request, which is not permitted';
  return { status: 502, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}
