import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import type { Filter } from './filter.ts';
import { isLongRunning } from './request-deadline.ts';
import { tooManyRequests } from './too-many-requests.ts';

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Limits the requests in flight if priority and fairness is disabled: upstream's WithMaxInFlightLimit. */
export const maxInFlight: Filter = (next, { inFlightLimits: limits }) => {
  if (limits === undefined) return next;
  const underWay = { reading: 0, mutating: 0 };
  return async (request, state) => {
    const kind = READING.has(state.info.verb) ? 'reading' : 'mutating';
    if (limits[kind] === 0 || isLongRunning(state.info)) return next(request, state);
    if (underWay[kind] >= limits[kind])
      return state.user.groups.includes(SYSTEM_MASTERS) ? next(request, state) : tooManyRequests(1, state);
    underWay[kind]++;
    return next(request, state).finally(() => underWay[kind]--);
  };
};
