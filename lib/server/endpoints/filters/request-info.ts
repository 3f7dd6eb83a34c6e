import { withFacts } from '#lib/server/request/request-context.ts';
import { requestInfo } from '#lib/server/request/request-info.ts';
import { brokenPath } from '../non-resource.ts';
import type { Filter } from './filter.ts';

/** Parses the verb and the resource of a request, so that it can be authorized before any lookup. */
export const withRequestInfo: Filter = (next) => async (context) => {
  const { request } = context;
  const info = requestInfo(request.method, request.path, request.query);
  if (info === undefined) return brokenPath();
  return next(withFacts(context, { info }));
};
