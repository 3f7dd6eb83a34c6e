import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { expired, StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ListOptions } from '#lib/server/endpoints/options.ts';
import { method, type ResourceScope } from './scope.ts';
import type { ObjectList } from './storage.ts';

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.';

/**
 * The maximum number of pages that a list without a limit reads. An endless list without I/O would block the thread forever, because the
 * abort could never run.
 */
const MAX_PAGES = 10_000;

type Page = ObjectList<KubernetesObject>;
type Asked = Pick<ListOptions, 'limit' | 'continueToken'>;

/** The page that the client requests. Without a limit, it is the whole rest of the list, even if the storage returns pages. */
export async function pageOf(scope: ResourceScope, { limit, continueToken }: Asked): Promise<Page> {
  if (limit > 0) return read(scope, { limit, continueToken });
  const { resourceVersion, ...first } = await read(scope, { limit, continueToken });
  const items = [...first.items];
  for (let next = first.continue, pages = 1; next; pages++) {
    scope.request.signal().throwIfAborted();
    if (pages >= MAX_PAGES)
      throw new Error(`the list of ${scope.resource.declaration.name} has more than ${MAX_PAGES} pages`);
    const page = await read(scope, { limit, continueToken: next });
    items.push(...page.items);
    next = page.continue;
  }
  return { items, resourceVersion };
}

/** The whole list. */
export const wholeList = (scope: ResourceScope): Promise<Page> => pageOf(scope, { limit: 0, continueToken: '' });

async function read(scope: ResourceScope, { limit, continueToken }: Asked): Promise<Page> {
  const of = { ...(limit > 0 && { limit }), ...(continueToken !== '' && { continue: continueToken }) };
  try {
    return await method(scope, 'list')({ ...scope.context, ...of });
  } catch (error) {
    const isOld = continueToken !== '' && error instanceof StatusError && error.reason === 'Expired';
    throw isOld ? expired(TOO_OLD) : error;
  }
}

/** The ListMeta of a page. With selectors, the number of remaining objects is omitted, because it is unknown. */
export function listMeta(page: Omit<Page, 'items'>, { labelSelector, fieldSelector }: SelectorTexts): JsonObject {
  const { resourceVersion, continue: next, remainingItemCount } = page;
  const isSelected = labelSelector !== '' || fieldSelector !== '';
  return {
    ...(resourceVersion !== '' && { resourceVersion }),
    ...(next && { continue: next, ...(!isSelected && remainingItemCount && { remainingItemCount }) }),
  };
}

type SelectorTexts = Pick<ListOptions, 'labelSelector' | 'fieldSelector'>;
