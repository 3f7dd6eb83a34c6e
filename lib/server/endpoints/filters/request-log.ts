import { messageOfError } from '#lib/machinery/error-message.ts';
import { latestOf, type RequestContext } from '#lib/server/request/request-context.ts';
import type { ApiResponse } from '../api.ts';
import { withoutAccessToken } from '../audit/confidential.ts';
import { bounded, uriOf, userAgentOf } from '../audit/request-parts.ts';
import { sourceIPs } from '../audit/source-ips.ts';
import { measuredStream } from '../metrics/measured-stream.ts';
import type { Filter } from './filter.ts';
import { isLongRunning } from './request-deadline.ts';
import type { RequestLine } from './request-line.ts';

/** The duration in ms above which a request counts as slow. */
const SLOW = 1000;
const FAILED = 500;
/** The maximum number of characters of a URI. Any client may send a megabyte. */
const MAX_URI = 8192;
const MAX_ERROR = 2048;

/** Logs requests when their response ends, like upstream's WithHTTPLogging. A watch is never slow. */
export const requestLog: Filter = (next, { requestLog: log, clock }) => {
  if (log === undefined) return next;
  return async (context) => {
    const { request } = context;
    const begun = clock.monotonic();
    const isNeverSlow = log.ownNeverSlow === true && request.connection === undefined;
    const run = (): Promise<ApiResponse> => next(context);
    const [response, writes] = log.collect === undefined ? [await run(), []] : await log.collect(run);
    const { status, body } = response;
    const isSure = log.every || status >= FAILED || writes.length > 0;
    if (!isSure && (isNeverSlow || isLongRunning(latestOf(context).info))) return response;
    const ended = (): void => {
      const durationMs = clock.monotonic() - begun;
      if (isSure || durationMs > SLOW) log.write(lineOf(context, { status, body, durationMs, writes }));
    };
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      return { ...response, body: measuredStream(body, ended) };
    ended();
    return response;
  };
};

/** A response, with its duration and the log positions that it committed. */
type Answered = Pick<ApiResponse, 'status' | 'body'> & Required<Pick<RequestLine, 'durationMs' | 'writes'>>;

/** Returns the error, or otherwise the plain text that the server itself returned. The body of another server's response is a stream. */
function causeOf(error: unknown, body: ApiResponse['body']): string | undefined {
  if (error !== undefined) return messageOfError(error);
  return typeof body === 'string' && body !== '' ? body.trim() : undefined;
}

function lineOf(context: RequestContext, { status, body, durationMs, writes }: Answered): RequestLine {
  const { request, auditId, outcome } = context;
  const { user, impersonator } = latestOf(context);
  const cause = status >= FAILED ? causeOf(outcome.error, body) : undefined;
  return {
    level: status >= FAILED ? 'error' : 'info',
    message: 'request',
    auditId,
    method: request.method,
    uri: bounded(withoutAccessToken(uriOf(request)), MAX_URI),
    status,
    durationMs: Math.round(durationMs),
    ...(cause === undefined ? {} : { error: bounded(cause, MAX_ERROR) }),
    user: user.name,
    ...(impersonator === undefined ? {} : { impersonator: impersonator.name }),
    userAgent: userAgentOf(request),
    sourceIPs: sourceIPs(request),
    ...(writes.length === 0 ? {} : { writes }),
  };
}
