import type { Attributes } from '#lib/authorization/authorizer.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { parseFieldSelector, requiresExactMatch } from '#lib/machinery/fields/selector.ts';
import { parseSelector } from '#lib/machinery/labels/selector.ts';
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
  const fieldSelector = read(parseFieldSelector, query.get('fieldSelector'));
  const labelSelector = read((text) => parseSelector(text).requirements, query.get('labelSelector'));
  if (fieldSelector === undefined && labelSelector === undefined) return info;
  const named = requiresExactMatch(fieldSelector ?? [], 'metadata.name');
  const narrowed =
    info.name === '' && info.verb !== 'deletecollection' && named !== undefined && !NO_SEGMENT.test(named);
  return {
    ...info,
    ...(narrowed ? { name: named } : {}),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

function read<T>(parse: (text: string) => readonly T[], text: string | null): readonly T[] | undefined {
  if (text === null || text === '') return undefined;
  try {
    const requirements = parse(text);
    return requirements.length === 0 ? undefined : requirements;
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
