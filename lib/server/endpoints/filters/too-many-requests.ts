import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { ApiResponse } from '../api.ts';

/** Returns upstream's response to a client that sends too many requests: plain text and a Retry-After in seconds. */
export function tooManyRequests(retryAfter: number, { outcome }: RequestContext): ApiResponse {
  outcome.terminated = true;
  return {
    status: 429,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'retry-after': String(retryAfter),
    },
    body: 'Too many requests, please try again later.\n',
  };
}
