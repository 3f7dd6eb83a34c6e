import type { ApiRequest } from './api-request.ts';
import { newRequestContext, type RequestContext } from './request-context.ts';
import { NO_INFO, requestInfo } from './request-info.ts';

const NEVER = new AbortController().signal;

/** Returns a GET of / without headers and body, overridden by the given fields. */
export const aRequest = (given: Partial<ApiRequest> = {}): ApiRequest => ({
  method: 'GET',
  path: '/',
  query: new URLSearchParams(),
  headers: {},
  body: async () => new Uint8Array(),
  signal: () => NEVER,
  ...given,
});

/** Returns the context of a request at the epoch, with its RequestInfo and these facts. */
export function aRequestContext(
  given: Partial<ApiRequest> = {},
  facts: Partial<Omit<RequestContext, 'request'>> = {},
): RequestContext {
  const request = aRequest(given);
  const info = requestInfo(request.method, request.path, request.query) ?? NO_INFO;
  return { ...newRequestContext(request, { now: new Date(0) }), info, ...facts };
}
