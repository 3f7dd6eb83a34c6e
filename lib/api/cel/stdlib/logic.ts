import { declare, type FunctionDeclaration, global, member } from '../functions/function.ts';
import { operators } from '../parser/operators.ts';
import { boolType, bytesType, intType, listType, mapType, paramType, stringType, type Type } from '../types/type.ts';
import { noSuchOverload } from '../values/compare.ts';
import { equal } from '../values/equal.ts';
import { intOf } from '../values/int.ts';
import { sizeOf } from '../values/size.ts';
import { ListValue, type MapValue, type Value } from '../values/value.ts';

const paramA = paramType('A');
const paramB = paramType('B');
const listOfA = listType(paramA);
const mapOfAB = mapType(paramA, paramB);

/** The implementation of operators that the interpreter itself evaluates. It is never called. */
const special = () => noSuchOverload;
const size = (value: Value) => intOf(sizeOf(value) ?? 0);

function contains(value: Value, list: ListValue): boolean {
  for (let i = 0; i < list.size; i++) {
    if (equal(value, list.get(i))) return true;
  }
  return false;
}

function sizes(name: string, type: Type) {
  return [global(`size_${name}`, [type], intType, size), member(`${name}_size`, [type], intType, size)];
}

/** Logic, indexing, membership and size. */
export const logic: readonly FunctionDeclaration[] = [
  declare(operators.conditional, global('conditional', [boolType, paramA, paramA], paramA, special)),
  declare(operators.and, global('logical_and', [boolType, boolType], boolType, special)),
  declare(operators.or, global('logical_or', [boolType, boolType], boolType, special)),
  declare(
    operators.not,
    global('logical_not', [boolType], boolType, (value: boolean) => !value),
  ),
  declare(operators.notStrictlyFalse, global('not_strictly_false', [boolType], boolType, special)),
  declare(
    operators.index,
    global('index_list', [listOfA, intType], paramA, special),
    global('index_map', [mapOfAB, paramA], paramB, special),
  ),
  declare(
    operators.in,
    global('in_list', [paramA, listOfA], boolType, contains),
    global('in_map', [paramA, mapOfAB], boolType, (key: Value, map: MapValue) =>
      map.contains === undefined ? map.get(key) !== undefined : map.contains(key),
    ),
  ),
  declare(
    'size',
    ...sizes('bytes', bytesType),
    ...sizes('list', listOfA),
    ...sizes('map', mapOfAB),
    ...sizes('string', stringType),
  ),
];
