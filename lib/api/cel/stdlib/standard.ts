import type { Constant, Library } from '../functions/library.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  paramType,
  stringType,
  type Type,
  timestampType,
  typeOfType,
  typeType,
  uintType,
} from '../types/type.ts';
import { arithmetic } from './arithmetic.ts';
import { comparison } from './comparison.ts';
import { conversion } from './conversion.ts';
import { logic } from './logic.ts';
import { standardMacros } from './macros.ts';
import { strings } from './strings.ts';
import { time } from './time.ts';

/** Returns the constant that represents a type by its name. */
export function typeConstant(type: Type): Constant {
  return { name: type.name, type: typeOfType(type), value: type };
}

const types: readonly Type[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType(paramType('A')),
  mapType(paramType('A'), paramType('B')),
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
];

/** The functions, macros and types of the language itself. */
export const standard: Library = {
  name: 'standard',
  functions: [...logic, ...comparison, ...arithmetic, ...conversion, ...strings, ...time],
  macros: standardMacros,
  constants: types.map(typeConstant),
};
