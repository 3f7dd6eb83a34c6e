import { declare, type FunctionDeclaration, global } from '../functions/function.ts';
import { operators } from '../parser/operators.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  paramType,
  stringType,
  type Type,
  timestampType,
  uintType,
} from '../types/type.ts';
import { compare } from '../values/compare.ts';
import { equal } from '../values/equal.ts';
import { CelError, type Result, type Value } from '../values/value.ts';

const paramA = paramType('A');
const notOrdered = new CelError('NaN values cannot be ordered');

/** The pairs of ordered types, in cel-go's declaration order. */
const pairs: readonly (readonly [string, Type, Type])[] = [
  ['bool', boolType, boolType],
  ['int64', intType, intType],
  ['int64_double', intType, doubleType],
  ['int64_uint64', intType, uintType],
  ['uint64', uintType, uintType],
  ['uint64_double', uintType, doubleType],
  ['uint64_int64', uintType, intType],
  ['double', doubleType, doubleType],
  ['double_int64', doubleType, intType],
  ['double_uint64', doubleType, uintType],
  ['string', stringType, stringType],
  ['bytes', bytesType, bytesType],
  ['timestamp', timestampType, timestampType],
  ['duration', durationType, durationType],
];

function ordering(name: string, id: string, holds: (order: number) => boolean): FunctionDeclaration {
  const call = (a: Value, b: Value): Result => {
    const order = compare(a, b);
    if (order instanceof CelError) return order;
    return Number.isNaN(order) ? notOrdered : holds(order);
  };
  return declare(name, ...pairs.map(([types, a, b]) => global(`${id}_${types}`, [a, b], boolType, call)));
}

/** The operators `< <= > >= == !=`. */
export const comparison: readonly FunctionDeclaration[] = [
  ordering(operators.less, 'less', (order) => order < 0),
  ordering(operators.lessEquals, 'less_equals', (order) => order <= 0),
  ordering(operators.greater, 'greater', (order) => order > 0),
  ordering(operators.greaterEquals, 'greater_equals', (order) => order >= 0),
  declare(
    operators.equals,
    global('equals', [paramA, paramA], boolType, (a: Value, b: Value) => equal(a, b)),
  ),
  declare(
    operators.notEquals,
    global('not_equals', [paramA, paramA], boolType, (a: Value, b: Value) => !equal(a, b)),
  ),
];
