import type { Expr } from '../ast/expr.ts';
import type { ExprFactory } from '../ast/factory.ts';
import { declare, type FunctionDeclaration, global } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { type Macro, MacroError } from '../parser/macro.ts';
import { operators } from '../parser/operators.ts';
import { mapType, paramType } from '../types/type.ts';
import { MapAccumulator } from '../values/accumulator.ts';
import { CelError, type MapValue, type Result, type Value } from '../values/value.ts';
import { collect, comprehension, type Fold, quantifiers, variableName } from './macros.ts';

const mapInsert = 'cel.@mapInsert';
const paramK = paramType('K');
const paramV = paramType('V');
const mapKV = mapType(paramK, paramV);

function accumulatorOf(map: MapValue): Result {
  if (map instanceof MapAccumulator && !map.frozen) return map;
  return insertAll(new MapAccumulator(), map);
}

function insertAll(into: MapAccumulator, entries: MapValue): Result {
  for (const key of entries.keys()) {
    const result = into.insert(key, entries.get(key) ?? null);
    if (result instanceof CelError) return result;
  }
  return into;
}

function insertEntry(map: MapValue, key: Value, value: Value): Result {
  const into = accumulatorOf(map);
  return into instanceof MapAccumulator ? into.insert(key, value) : into;
}

function insertMap(map: MapValue, entries: MapValue): Result {
  const into = accumulatorOf(map);
  return into instanceof MapAccumulator ? insertAll(into, entries) : into;
}

const functions: readonly FunctionDeclaration[] = [
  declare(
    mapInsert,
    global('@mapInsert_map_key_value', [mapKV, paramK, paramV], mapKV, insertEntry),
    global('@mapInsert_map_map', [mapKV, mapKV], mapKV, insertMap),
  ),
];

type FoldOf = (factory: ExprFactory, key: string, args: readonly Expr[]) => Fold;

function overEntries(name: string, argCount: number, fold: FoldOf): Macro {
  return {
    name,
    receiver: true,
    argCount,
    expand: (factory, target, [first, second, ...rest]) => {
      const iterVar = variableName(first, 'argument must be a simple name');
      if (iterVar instanceof MacroError) return iterVar;
      const iterVar2 = variableName(second, 'argument must be a simple name');
      if (iterVar2 instanceof MacroError) return iterVar2;
      if (iterVar === iterVar2) return new MacroError(`duplicate variable name: ${iterVar}`, second);
      return target && comprehension(factory, target, { iterVar, iterVar2 }, fold(factory, iterVar, rest));
    },
  };
}

function quantified(kind: keyof typeof quantifiers): FoldOf {
  return (f, _key, [predicate]) => quantifiers[kind](f, predicate ?? f.literal(null));
}

/** Builds a map. The last argument is the entry to insert; an optional argument before it is a filter. */
function insert(step: (f: ExprFactory, key: string, transform: Expr) => Expr): FoldOf {
  return (f, key, args) => {
    const inserted = step(f, key, args.at(-1) ?? f.literal(null));
    const filter = args.length === 2 ? args[0] : undefined;
    return {
      init: f.map(),
      condition: f.literal(true),
      step: filter ? f.call(operators.conditional, filter, inserted, f.accumulator()) : inserted,
      result: f.accumulator(),
    };
  };
}

const list: FoldOf = (f, _key, args) =>
  collect(f, args.length === 2 ? args[0] : undefined, args.at(-1) ?? f.literal(null));
const map = insert((f, key, transform) => f.call(mapInsert, f.accumulator(), f.ident(key), transform));
const mapEntry = insert((f, _key, entry) => f.call(mapInsert, f.accumulator(), entry));

/** Comprehensions over index and element, or key and value. */
export const twoVariables: Library = {
  name: 'two-variables',
  functions,
  macros: [
    overEntries('all', 3, quantified('all')),
    overEntries('exists', 3, quantified('exists')),
    overEntries('existsOne', 3, quantified('existsOne')),
    overEntries('exists_one', 3, quantified('existsOne')),
    overEntries('transformList', 3, list),
    overEntries('transformList', 4, list),
    overEntries('transformMap', 3, map),
    overEntries('transformMap', 4, map),
    overEntries('transformMapEntry', 3, mapEntry),
    overEntries('transformMapEntry', 4, mapEntry),
  ],
};
