import { compare } from '../values/compare.ts';
import { equal } from '../values/equal.ts';
import { elementsOf, listOf } from '../values/list.ts';
import { typeOf } from '../values/type-of.ts';
import { CelError, error, ListValue, type Result, type Value } from '../values/value.ts';

/** The maximum number of elements that one call may create. Upstream's only limit is its memory. */
const MAX_SIZE = 2n ** 20n;

/** `list.slice(start, end)`: the elements from `start` to before `end`. */
export function slice(list: ListValue, start: bigint, end: bigint): Result {
  const wrong = (why: string): CelError => error(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0n || end < 0n) return wrong('negative indexes not supported');
  if (start > end) return wrong('start index must be less than or equal to end index');
  if (end > list.size) return wrong(`list is length ${list.size}`);
  return listOf(elementsOf(list).slice(Number(start), Number(end)));
}

/** `list.flatten(depth)`: replaces lists among the elements by their elements, `depth` levels deep. */
export function flatten(list: ListValue, depth = 1n): Result {
  if (depth < 0n) return error('level must be non-negative');
  const out: Value[] = [];
  return collect(list, depth, out, { left: Number(MAX_SIZE) }) ? listOf(out) : error('result too large');
}

/** Returns false if it would visit too many elements. Lists share parts, so a small list may contain very many elements. */
function collect(list: ListValue, depth: bigint, out: Value[], room: { left: number }): boolean {
  for (let i = 0; i < list.size; i++) {
    if (--room.left < 0) return false;
    const element = list.get(i);
    if (!(element instanceof ListValue && depth > 0n)) out.push(element);
    else if (!collect(element, depth - 1n, out, room)) return false;
  }
  return true;
}

/** `lists.range(count)`: the integers from 0 to before `count`. */
export function range(count: bigint): Result {
  if (count > MAX_SIZE) return error('result too large');
  return listOf(Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i)));
}

/** `list.reverse()`. */
export const reverse = (list: ListValue): Result => listOf([...elementsOf(list)].reverse());

/** `list.distinct()`: the elements without repetitions, in order of their first occurrence. */
export function distinct(list: ListValue): Result {
  const out: Value[] = [];
  const strings = new Set<Value>();
  for (const element of elementsOf(list)) {
    if (typeof element === 'string') {
      if (strings.has(element)) continue;
      strings.add(element);
    } else if (out.some((other) => equal(element, other))) continue;
    out.push(element);
  }
  return listOf(out);
}

/** Sorts the elements by their keys, which have one comparable type. */
export function sortByKeys(list: ListValue, keys: ListValue): Result {
  if (list.size !== keys.size) {
    return error(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  const first = keys.get(0);
  if (compare(first, first) instanceof CelError) return error('list elements must be comparable');
  const type = typeOf(first);
  const pairs = elementsOf(list).map((element, i) => [keys.get(i), element] as const);
  if (pairs.some(([key]) => typeOf(key) !== type)) return error('list elements must have the same type');
  pairs.sort(([a], [b]) => {
    const order = compare(a, b);
    return order instanceof CelError ? 0 : order;
  });
  return listOf(pairs.map(([, element]) => element));
}
