import { unclassified } from '#lib/machinery/errors.ts';
import { goType, goValue } from '#lib/machinery/go-values.ts';
import { isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { ELEMENT_ORDER, PATCH } from './directives.ts';
import { listOfLists, noMergeKey, wrongType } from './refusals.ts';

/** Items by identity: the value of their merge key, or the scalar itself if the key is empty. */
export interface Index {
  /** Returns the first item with that value. Throws if a non-object precedes it, like upstream's scan. */
  find(value: Json | undefined): number | undefined;
}

/** Indexes a list by merge key; an empty key means scalars. */
export function indexOf(list: readonly Json[], mergeKey: string): Index {
  const places = new Map<Json | undefined, number>();
  let misfit = -1;
  list.forEach((item, i) => {
    if (mergeKey !== '' && !isObject(item) && misfit < 0) misfit = i;
    const value = identity(item, mergeKey);
    if (!places.has(value)) places.set(value, i);
  });
  return {
    find(value) {
      const place = places.get(value);
      if (misfit < 0 || (place !== undefined && place < misfit)) return place;
      throw unclassified(`value for key ${misfit} is not a map`);
    },
  };
}

/** Returns the value of the item's merge key, or the scalar itself; undefined if it has none. */
export function identity(item: Json, mergeKey: string): Json | undefined {
  if (mergeKey === '') return item;
  return isObject(item) ? ownField(item, mergeKey) : undefined;
}

/** Returns the common type of all items: 'map', or a scalar type. Throws if they differ or there are none. */
export function itemKind(...lists: (readonly Json[])[]): string {
  const [first, ...rest] = lists.flat().map(goType);
  if (first === undefined) throw unclassified('no elements in any of the given slices');
  if (first === '[]interface {}') throw listOfLists();
  if (rest.some((type) => type !== first)) {
    throw unclassified(`list element types are not identical: ${goValue(lists as Json[])}`);
  }
  return first === 'map[string]interface {}' ? 'map' : first;
}

/** Splits the items into those whose key occurs in `by` and the others. Throws if an item has no merge key. */
export function partition(list: readonly Json[], by: readonly Json[], mergeKey: string): [Json[], Json[]] {
  const index = indexOf(by, mergeKey);
  const [there, others]: [Json[], Json[]] = [[], []];
  for (const item of list) {
    const found = index.find(mergeKey === '' ? item : requireKey(item, mergeKey));
    (found === undefined ? others : there).push(item);
  }
  return [there, others];
}

/** Returns the value of the item's merge key. Throws if the item is not a map or has no such key. */
export function requireKey(item: Json, mergeKey: string): Json {
  if (!isObject(item)) throw wrongType('map[string]interface {}', item);
  const value = ownField(item, mergeKey);
  if (value === undefined) throw noMergeKey(item, mergeKey);
  return value;
}

interface Parts {
  readonly patched: readonly Json[];
  readonly patchOrder: readonly Json[];
  readonly serverOnly: readonly Json[];
  readonly serverOrder: readonly Json[];
  readonly mergeKey: string;
  /** The result of `itemKind`. */
  readonly kind: string;
}

/**
 * Merges both parts into one list. The patch's items keep the patch's order, and the server's items keep the server's order. A server item
 * comes before the first patch item that followed it in the live list.
 */
export function interleave({ patched, patchOrder, serverOnly, serverOrder, mergeKey, kind }: Parts): Json[] {
  if (kind === 'map') {
    for (const item of [...patched, ...patchOrder, ...serverOnly, ...serverOrder]) requireKey(item, mergeKey);
  }
  const left = sortedBy(serverOnly, serverOrder, mergeKey);
  const right = sortedBy(patched, patchOrder, mergeKey);
  const live = indexOf(serverOrder, mergeKey);
  const merged: Json[] = [];
  let i = 0;
  for (const item of right) {
    const place = live.find(identity(item, mergeKey));
    while (i < left.length && isBefore(live.find(identity(left[i] as Json, mergeKey)), place)) {
      merged.push(left[i++] as Json);
    }
    merged.push(item);
  }
  return merged.concat(left.slice(i));
}

const isBefore = (a: number | undefined, b: number | undefined): boolean => a !== undefined && b !== undefined && a < b;

/** Sorts items in the given order. Like upstream, items with a delete directive come last. */
function sortedBy(list: readonly Json[], order: readonly Json[], mergeKey: string): Json[] {
  const index = indexOf(order, mergeKey);
  const place = (item: Json): number | undefined => index.find(identity(item, mergeKey));
  const deletions = list.filter(isDeletion);
  const items = list.filter((item) => !isDeletion(item)).map((item) => [place(item), item] as const);
  items.sort(([a], [b]) => (a === undefined || b === undefined ? 0 : a - b));
  return [...items.map(([, item]) => item), ...deletions];
}

const isDeletion = (item: Json): boolean => isObject(item) && ownField(item, PATCH) === 'delete';

/** Throws if the patch's items are in another order than `$setElementOrder`, or are missing from it. */
export function checkElementOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const items = mergeKey === '' ? patch : patch.filter((item) => !isDeletion(mapOrThrow(item)));
  let [p, o] = [0, 0];
  while (p < items.length && o < order.length) {
    const item = items[p] as Json;
    if (isObject(item) && Object.hasOwn(item, PATCH)) p++;
    else if (isSameItem(item, order[o++] as Json, mergeKey)) p++;
  }
  if (p >= items.length) return;
  const [patchText, orderText] = [goValue([...patch]), goValue([...order])];
  throw unclassified(`The order in patch list:\n${patchText}\n doesn't match ${ELEMENT_ORDER} list:\n${orderText}\n`);
}

function isSameItem(left: Json, right: Json, mergeKey: string): boolean {
  return mergeKey === '' ? left === right : requireKey(left, mergeKey) === requireKey(right, mergeKey);
}

function mapOrThrow(item: Json): JsonObject {
  if (!isObject(item)) throw wrongType('map[string]interface {}', item);
  return item;
}

/** Returns the value as a list. Throws for any other value. */
export function listOrThrow(value: Json): Json[] {
  if (!Array.isArray(value)) throw wrongType('[]interface {}', value);
  return value;
}
