import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import type { Filter } from './filter.ts';
import { isLongRunning } from './request-deadline.ts';
import { tooManyRequests } from './too-many-requests.ts';

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Limits the requests in flight if priority and fairness is disabled: upstream's WithMaxInFlightLimit. */
export const maxInFlight: Filter = (next, { inFlightLimits: limits }) => {
  if (limits === undefined) return next;
  const underWay = { reading: 0, mutating: 0 };
  return async (context) => {
    const { info, user } = context;
    const kind = READING.has(info.verb) ? 'reading' : 'mutating';
    if (limits[kind] === 0 || isLongRunning(info)) return next(context);
    if (underWay[kind] >= limits[kind])
      return user.groups.includes(SYSTEM_MASTERS) ? next(context) : tooManyRequests(1, context);
    underWay[kind]++;
    return next(context).finally(() => underWay[kind]--);
  };
};
