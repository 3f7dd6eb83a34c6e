import { tooManyRequests } from '#lib/machinery/errors.ts';
import type { Filter } from './filter.ts';

/** Bounds the requests of one identity over all processes, where each serves one request: there flow control bounds nothing. */
export const identityRate: Filter = (next, { identityRate: rate }) => {
  if (rate === undefined) return next;
  return async (request, state) => {
    const retryAfter = await rate.admit(state.user);
    if (retryAfter === undefined) return next(request, state);
    state.terminated = true;
    const limit = `${rate.requestsPerSecond} requests a second`;
    throw tooManyRequests(`more than ${limit} of one user, please try again later`, retryAfter);
  };
};
