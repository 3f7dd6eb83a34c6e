import { tooManyRequests } from '#lib/machinery/errors.ts';
import type { Filter } from './filter.ts';

/** Limits the requests of one identity across all processes. Flow control has no effect if each process serves one request at a time. */
export const identityRate: Filter = (next, { identityRate: rate }) => {
  if (rate === undefined) return next;
  return async (context) => {
    const retryAfter = await rate.admit(context.user);
    if (retryAfter === undefined) return next(context);
    context.outcome.terminated = true;
    const limit = `${rate.requestsPerSecond} requests a second`;
    throw tooManyRequests(`more than ${limit} of one user, please try again later`, retryAfter);
  };
};
