import { MAX_INT64, MAX_UINT64, MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import { declare, member, type Overload } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  paramType,
  stringType,
  type Type,
  timestampType,
  uintType,
} from '../types/type.ts';
import { compare, noSuchOverload } from '../values/compare.ts';
import { equal } from '../values/equal.ts';
import { CelError, Duration, error, type ListValue, type Result, Uint, type Value } from '../values/value.ts';

/** The ordered types, by their names in overload IDs. */
const COMPARABLE: readonly (readonly [string, Type])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
];

const ZEROS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['int', 0n],
  ['uint', new Uint(0n)],
  ['double', 0],
  ['duration', new Duration(0n)],
]);

/** Kubernetes' list functions. */
export const lists: Library = {
  name: 'kubernetes.lists',
  functions: [
    declare(
      'isSorted',
      ...COMPARABLE.map(([name, type]) => member(`list_${name}_is_sorted_bool`, [listType(type)], boolType, isSorted)),
    ),
    declare('sum', ...COMPARABLE.flatMap(([name, type]) => sumOf(name, type))),
    declare('max', ...COMPARABLE.map(([name, type]) => extreme('max', name, type))),
    declare('min', ...COMPARABLE.map(([name, type]) => extreme('min', name, type))),
    declare('indexOf', member('list_a_index_of_int', [listType(paramType('A')), paramType('A')], intType, indexOf)),
    declare(
      'lastIndexOf',
      member('list_a_last_index_of_int', [listType(paramType('A')), paramType('A')], intType, lastIndexOf),
    ),
  ],
};

function sumOf(name: string, type: Type): Overload[] {
  const zero = ZEROS.get(name);
  return zero === undefined
    ? []
    : [member(`list_${name}_sum_${name}`, [listType(type)], type, (list: ListValue) => sum(list, zero))];
}

function extreme(which: 'min' | 'max', name: string, type: Type): Overload {
  const sign = which === 'max' ? 1 : -1;
  return member(`list_${name}_${which}_${name}`, [listType(type)], type, (list: ListValue) => pick(list, which, sign));
}

/** Like upstream, incomparable items count as sorted, because neither is less than the other. */
function isSorted(list: ListValue): Result {
  for (let i = 1; i < list.size; i++) {
    const order = compare(list.get(i - 1), list.get(i));
    if (!(order instanceof CelError) && order > 0) return false;
  }
  return true;
}

function pick(list: ListValue, which: string, sign: number): Result {
  if (list.size === 0) return error(`${which} called on empty list`);
  let best = list.get(0);
  for (let i = 1; i < list.size; i++) {
    const next = list.get(i);
    const order = compare(next, best);
    if (!(order instanceof CelError) && order * sign > 0) best = next;
  }
  return best;
}

function sum(list: ListValue, zero: Value): Result {
  let total = zero;
  for (let i = 0; i < list.size; i++) {
    const next = add(total, list.get(i));
    if (next instanceof CelError) return next;
    total = next;
  }
  return total;
}

function add(a: Value, b: Value): Value | CelError {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'bigint' && typeof b === 'bigint') return bounded(a + b, MIN_INT64, MAX_INT64) ?? overflow('int');
  if (a instanceof Uint && b instanceof Uint) {
    const value = bounded(a.value + b.value, 0n, MAX_UINT64);
    return value === undefined ? overflow('uint') : new Uint(value);
  }
  if (a instanceof Duration && b instanceof Duration) {
    const nanos = bounded(a.nanos + b.nanos, MIN_INT64, MAX_INT64);
    return nanos === undefined ? overflow('duration') : new Duration(nanos);
  }
  return noSuchOverload;
}

const bounded = (value: bigint, low: bigint, high: bigint): bigint | undefined =>
  value < low || value > high ? undefined : value;

const overflow = (kind: string): CelError =>
  error(kind === 'uint' ? 'unsigned integer overflow' : kind === 'int' ? 'integer overflow' : 'duration overflow');

function indexOf(list: ListValue, item: Value): Result {
  for (let i = 0; i < list.size; i++) {
    if (equal(list.get(i), item)) return BigInt(i);
  }
  return -1n;
}

function lastIndexOf(list: ListValue, item: Value): Result {
  for (let i = list.size - 1; i >= 0; i--) {
    if (equal(list.get(i), item)) return BigInt(i);
  }
  return -1n;
}
