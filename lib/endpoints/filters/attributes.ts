import type { Attributes } from '#lib/authorization/authorizer.ts';
import { readSelectors } from '#lib/authorization/read-selectors.ts';
import { requiresExactMatch } from '#lib/machinery/fields/selector.ts';
import type { RequestInfo } from '../api.ts';

const SELECTING: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);
/** What no name in a path can hold: upstream's IsValidPathSegmentName. */
const NO_SEGMENT = /^\.{1,2}$|[/%]/;

/**
 * What a request asks for, as authorizers see it: with the selectors that narrow it, and with the name of the one object
 * that a selector leaves. A selector that cannot be read narrows nothing; the handler refuses it.
 */
export function requestAttributes(info: RequestInfo, query: URLSearchParams): Attributes {
  if (!SELECTING.has(info.verb)) return info;
  const selectors = readSelectors({
    fieldSelector: query.get('fieldSelector') ?? '',
    labelSelector: query.get('labelSelector') ?? '',
  });
  const named = requiresExactMatch(selectors.fieldSelector ?? [], 'metadata.name');
  const narrowed =
    info.name === '' && info.verb !== 'deletecollection' && named !== undefined && !NO_SEGMENT.test(named);
  return { ...info, ...(narrowed ? { name: named } : {}), ...selectors };
}
