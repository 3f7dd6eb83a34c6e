import { MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import { declare, type FunctionDeclaration, global, type Overload } from '../functions/function.ts';
import { operators } from '../parser/operators.ts';
import {
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
import { ConcatList, ListAccumulator } from '../values/accumulator.ts';
import { int, intOverflow, uint } from '../values/int.ts';
import { isInt64, isTimestamp } from '../values/time.ts';
import { CelError, Duration, type ListValue, type Result, Timestamp, type Uint } from '../values/value.ts';

const listOfA = listType(paramType('A'));
const durationOverflow = new CelError('duration overflow');
const timestampOverflow = new CelError('timestamp overflow');
const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

function same(id: string, type: Type, call: Overload['call']): Overload {
  return global(id, [type, type], type, call);
}

function duration(nanos: bigint): Result {
  return isInt64(nanos) ? new Duration(nanos) : durationOverflow;
}

function timestamp(nanos: bigint, offset: number): Result {
  return isTimestamp(nanos) ? new Timestamp(nanos, offset) : timestampOverflow;
}

function addBytes(a: Uint8Array, b: Uint8Array): Result {
  const sum = new Uint8Array(a.length + b.length);
  sum.set(a);
  sum.set(b, a.length);
  return sum;
}

function addLists(a: ListValue, b: ListValue): Result {
  if (a instanceof ListAccumulator && !a.frozen) return a.add(b);
  if (a.concat) return a.concat(b);
  if (a.size === 0) return b;
  return b.size === 0 ? a : new ConcatList(a, b);
}

/** Go's division rounds toward zero, like BigInt's. The only overflow is the minimum int divided by -1. */
function divide(a: bigint, b: bigint): Result {
  return b === 0n ? divisionByZero : int(a / b);
}

function modulo(a: bigint, b: bigint): Result {
  if (b === 0n) return modulusByZero;
  return b === -1n && a === MIN_INT64 ? intOverflow : a % b;
}

/** The operators `+ - * / %` and unary minus. */
export const arithmetic: readonly FunctionDeclaration[] = [
  declare(
    operators.add,
    same('add_bytes', bytesType, addBytes),
    same('add_double', doubleType, (a: number, b: number) => a + b),
    same('add_duration_duration', durationType, (a: Duration, b: Duration) => duration(a.nanos + b.nanos)),
    global('add_duration_timestamp', [durationType, timestampType], timestampType, (a: Duration, b: Timestamp) =>
      timestamp(a.nanos + b.nanos, b.offset),
    ),
    global('add_timestamp_duration', [timestampType, durationType], timestampType, (a: Timestamp, b: Duration) =>
      timestamp(a.nanos + b.nanos, a.offset),
    ),
    same('add_int64', intType, (a: bigint, b: bigint) => int(a + b)),
    same('add_list', listOfA, addLists),
    same('add_string', stringType, (a: string, b: string) => a + b),
    same('add_uint64', uintType, (a: Uint, b: Uint) => uint(a.value + b.value)),
  ),
  declare(
    operators.divide,
    same('divide_double', doubleType, (a: number, b: number) => a / b),
    same('divide_int64', intType, divide),
    same('divide_uint64', uintType, (a: Uint, b: Uint) => (b.value === 0n ? divisionByZero : uint(a.value / b.value))),
  ),
  declare(
    operators.modulo,
    same('modulo_int64', intType, modulo),
    same('modulo_uint64', uintType, (a: Uint, b: Uint) => (b.value === 0n ? modulusByZero : uint(a.value % b.value))),
  ),
  declare(
    operators.multiply,
    same('multiply_double', doubleType, (a: number, b: number) => a * b),
    same('multiply_int64', intType, (a: bigint, b: bigint) => int(a * b)),
    same('multiply_uint64', uintType, (a: Uint, b: Uint) => uint(a.value * b.value)),
  ),
  declare(
    operators.negate,
    global('negate_double', [doubleType], doubleType, (a: number) => -a),
    global('negate_int64', [intType], intType, (a: bigint) => int(-a)),
  ),
  declare(
    operators.subtract,
    same('subtract_double', doubleType, (a: number, b: number) => a - b),
    same('subtract_duration_duration', durationType, (a: Duration, b: Duration) => duration(a.nanos - b.nanos)),
    same('subtract_int64', intType, (a: bigint, b: bigint) => int(a - b)),
    global('subtract_timestamp_duration', [timestampType, durationType], timestampType, (a: Timestamp, b: Duration) =>
      timestamp(a.nanos - b.nanos, a.offset),
    ),
    global('subtract_timestamp_timestamp', [timestampType, timestampType], durationType, (a: Timestamp, b: Timestamp) =>
      duration(a.nanos - b.nanos),
    ),
    same('subtract_uint64', uintType, (a: Uint, b: Uint) => uint(a.value - b.value)),
  ),
];
