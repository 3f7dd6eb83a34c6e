import { requiresExactMatch } from '#lib/machinery/fields/selector.ts';
import type { Attributes } from '#lib/server/authorization/authorizer.ts';
import { readSelectors } from '#lib/server/authorization/read-selectors.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';

const SELECTING: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);
/** Matches values that cannot be a name in a path: upstream's IsValidPathSegmentName. */
const NO_SEGMENT = /^\.{1,2}$|[/%]/;

/**
 * Returns the attributes of a request as authorizers see them, including its selectors. If a selector matches only one name, the attributes
 * contain that name. A selector with a syntax error is left out, because the handler rejects it.
 */
export function requestAttributes({ request: { query }, info }: Pick<RequestContext, 'request' | 'info'>): Attributes {
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
