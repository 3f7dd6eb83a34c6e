import type { ApiRequest, ApiResponse } from '../api.ts';
import { withoutAccessToken } from '../audit/confidential.ts';
import { bounded, uriOf, userAgentOf } from '../audit/request-parts.ts';
import { sourceIPs } from '../audit/source-ips.ts';
import { measuredStream } from '../metrics/measured-stream.ts';
import type { Filter, RequestState } from './filter.ts';
import { isLongRunning } from './request-deadline.ts';
import type { RequestLine } from './request-line.ts';

/** Milliseconds after which a request counts as slow. */
const SLOW = 1000;
const FAILED = 500;
/** Characters: anybody may send a megabyte. */
const MAX_URI = 8192;

/** Logs requests when their answer ends: upstream's WithHTTPLogging. A watch is never slow. */
export const requestLog: Filter = (next, { requestLog: log, clock }) => {
  if (log === undefined) return next;
  return async (request, state) => {
    const begun = clock.monotonic();
    const run = (): Promise<ApiResponse> => next(request, state);
    const [response, writes] = log.collect === undefined ? [await run(), []] : await log.collect(run);
    const { status, body } = response;
    const isSure = log.every || status >= FAILED || writes.length > 0;
    if (!isSure && isLongRunning(state.info)) return response;
    const ended = (): void => {
      const durationMs = clock.monotonic() - begun;
      if (isSure || durationMs > SLOW) log.write(lineOf(request, state, { status, durationMs, writes }));
    };
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      return { ...response, body: measuredStream(body, ended) };
    ended();
    return response;
  };
};

function lineOf(
  request: ApiRequest,
  { auditId, user, impersonator }: RequestState,
  { status, durationMs, writes }: Pick<ApiResponse, 'status'> & Required<Pick<RequestLine, 'durationMs' | 'writes'>>,
): RequestLine {
  return {
    level: status >= FAILED ? 'error' : 'info',
    message: 'request',
    auditId,
    method: request.method,
    uri: bounded(withoutAccessToken(uriOf(request)), MAX_URI),
    status,
    durationMs: Math.round(durationMs),
    user: user.name,
    ...(impersonator === undefined ? {} : { impersonator: impersonator.name }),
    userAgent: userAgentOf(request),
    sourceIPs: sourceIPs(request),
    ...(writes.length === 0 ? {} : { writes }),
  };
}
