import type { Expr } from '../ast/expr.ts';
import type { ExprFactory } from '../ast/factory.ts';
import { declare, type FunctionDeclaration, global, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { type Macro, MacroError } from '../parser/macro.ts';
import { operators } from '../parser/operators.ts';
import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  paramType,
  stringType,
  typeOfType,
} from '../types/type.ts';
import { noSuchOverload } from '../values/compare.ts';
import { isZero } from '../values/is-zero.ts';
import { listOf } from '../values/list.ts';
import { CelError, type ListValue, Optional, type Result, type Value } from '../values/value.ts';

const paramK = paramType('K');
const paramV = paramType('V');
const optionalV = optionalType(paramV);
const listV = listType(paramV);
const mapKV = mapType(paramK, paramV);
const listOptionalV = listType(optionalV);
const noValue = new CelError('optional.none() dereference');
/** Evaluated by the interpreter. */
const special = () => noSuchOverload;

function unwrap(list: ListValue): Result {
  const values: Value[] = [];
  for (let i = 0; i < list.size; i++) {
    const element = list.get(i);
    if (!(element instanceof Optional)) return new CelError('value is not optional');
    if (element.value !== undefined) values.push(element.value);
  }
  return listOf(values);
}

function elementAt(list: ListValue, index: number): Result {
  return list.size === 0 ? Optional.none : Optional.of(list.get(index));
}

const functions: readonly FunctionDeclaration[] = [
  declare(
    'optional.of',
    global('optional_of', [paramV], optionalV, (value: Value) => Optional.of(value)),
  ),
  declare(
    'optional.ofNonZeroValue',
    global('optional_ofNonZeroValue', [paramV], optionalV, (value: Value) =>
      isZero(value) ? Optional.none : Optional.of(value),
    ),
  ),
  declare(
    'optional.none',
    global('optional_none', [], optionalV, () => Optional.none),
  ),
  declare('value', member('optional_value', [optionalV], paramV, valueOf)),
  declare(
    'hasValue',
    member('optional_hasValue', [optionalV], boolType, (optional: Optional) => optional.value !== undefined),
  ),
  declare('or', member('optional_or_optional', [optionalV, optionalV], optionalV, special)),
  declare('orValue', member('optional_orValue_value', [optionalV, paramV], paramV, special)),
  declare(operators.optSelect, global('select_optional_field', [dynType, stringType], optionalV, special)),
  declare(
    operators.optIndex,
    global('list_optindex_optional_int', [listV, intType], optionalV, special),
    global('optional_list_optindex_optional_int', [optionalType(listV), intType], optionalV, special),
    global('map_optindex_optional_value', [mapKV, paramK], optionalV, special),
    global('optional_map_optindex_optional_value', [optionalType(mapKV), paramK], optionalV, special),
  ),
  declare(
    operators.index,
    global('optional_list_index_int', [optionalType(listV), intType], optionalV, special),
    global('optional_map_index_value', [optionalType(mapKV), paramK], optionalV, special),
  ),
  declare(
    'last',
    member('list_last', [listV], optionalV, (list: ListValue) => elementAt(list, list.size - 1)),
  ),
  declare(
    'first',
    member('list_first', [listV], optionalV, (list: ListValue) => elementAt(list, 0)),
  ),
  declare('optional.unwrap', global('optional_unwrap', [listOptionalV], listV, unwrap)),
  declare('unwrapOpt', member('optional_unwrapOpt', [listOptionalV], listV, unwrap)),
];

/** Returns the value, which may be null. An absent value is none. */
function valueOf(optional: Optional): Result {
  return optional.value === undefined ? noValue : optional.value;
}

function optMacro(name: string, wrap: (factory: ExprFactory, mapped: Expr) => Expr): Macro {
  return {
    name,
    receiver: true,
    argCount: 2,
    expand: (factory, target, [variable, body]) => {
      if (variable?.kind !== 'ident')
        return new MacroError(`${name}() variable name must be a simple identifier`, variable);
      if (!target || !body) return undefined;
      const hasValue = factory.memberCall('hasValue', target);
      const mapped = bind(factory, variable.name, factory.memberCall('value', factory.copy(target)), body);
      return factory.call(operators.conditional, hasValue, wrap(factory, mapped), factory.call('optional.none'));
    },
  };
}

/** Binds a value to a name within an expression, with a fold over an empty list whose accumulator is the value. */
export function bind(factory: ExprFactory, name: string, value: Expr, body: Expr): Expr {
  return factory.comprehension({
    iterRange: factory.list(),
    iterVar: '#unused',
    iterVar2: undefined,
    accuVar: name,
    accuInit: value,
    loopCondition: factory.literal(false),
    loopStep: factory.ident(name),
    result: body,
  });
}

/** Optional values: `optional.of`, `.?field`, `[?index]`, `orValue`, `optMap` … */
export const optional: Library = {
  name: 'optional',
  functions,
  macros: [
    optMacro('optMap', (factory, mapped) => factory.call('optional.of', mapped)),
    optMacro('optFlatMap', (_, mapped) => mapped),
  ],
  constants: [{ name: 'optional_type', type: typeOfType(optionalV), value: optionalV }],
};
