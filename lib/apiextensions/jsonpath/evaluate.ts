import { isObject, ownField, type Json } from '#lib/machinery/json-value.ts';
import { goType } from '#lib/patch/go-values.ts';
import { PathError, type Node, type Range } from './parse.ts';

/** More results than this are an error: wildcards and recursion multiply. */
const MAX_RESULTS = 100_000;

/** What a path finds in a value, missing fields left out. Throws PathError where upstream's evaluator fails. */
export function evaluate(node: Node, value: Json): Json[] {
  return walk([value], node);
}

function walk(input: readonly Json[], node: Node): Json[] {
  if (input.length > MAX_RESULTS) throw new PathError('too many results');
  switch (node.type) {
    case 'list':
      return node.nodes.reduce<Json[]>((current, step) => walk(current, step), [...input]);
    case 'text':
      return [node.text];
    case 'literal':
      return input.map(() => node.value);
    case 'field':
      return input.flatMap((value) => fieldOf(value, node.name));
    case 'wildcard':
      return input.flatMap(childrenOf);
    case 'recursive':
      return input.flatMap(descendants);
    case 'array':
      return input.flatMap((value) => slice(value, node.range));
    case 'union':
      return node.nodes.flatMap((item) => walk(input, item));
    case 'filter':
      return input.flatMap((value) => filter(value, node));
    default:
      return node satisfies never;
  }
}

function fieldOf(value: Json, name: string): Json[] {
  const found = isObject(value) ? ownField(value, name) : undefined;
  return found === undefined ? [] : [found];
}

/** A map's values by name: Go takes them in any order. */
function childrenOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((name) => value[name] as Json);
}

/** The value and everything inside it that itself has something inside. */
function descendants(value: Json): Json[] {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendants)];
}

function listOf(value: Json, problem: string): Json[] {
  if (!Array.isArray(value)) throw new PathError(`${goType(value)} is not array or slice${problem}`);
  return value;
}

function slice(value: Json, { start = 0, end, step = 1, derivedEnd }: Range): Json[] {
  if (value === null) return [];
  const list = listOf(value, '');
  const from = start < 0 ? start + list.length : start;
  const given = end ?? list.length;
  const to = given < 0 || (given === 0 && derivedEnd) ? given + list.length : given;
  if (from === to) return [];
  if (from >= list.length || from < 0) throw outOfBounds(from, list.length);
  if (to > list.length || to < 0) throw outOfBounds(to - 1, list.length);
  if (from > to) throw new PathError(`starting index ${from} is greater than ending index ${to}`);
  if (step <= 0) throw new PathError('step must be > 0');
  return list.slice(from, to).filter((_, i) => i % step === 0);
}

const outOfBounds = (index: number, length: number): PathError =>
  new PathError(`array index out of bounds: index ${index}, length ${length}`);

function filter(value: Json, { left, right, operator }: Extract<Node, { type: 'filter' }>): Json[] {
  return listOf(value, ' and cannot be filtered').filter((item) => {
    const lefts = walk([item], left);
    if (operator === 'exists') return lefts.length > 0;
    const rights = walk([item], right);
    if (lefts.length === 0 || rights.length === 0) return false;
    if (lefts.length > 1 || rights.length > 1) throw new PathError('can only compare one element at a time');
    return compare(lefts[0] as Json, rights[0] as Json, operator);
  });
}

/** Go's comparison of basic kinds: two kinds do not compare, except integers with floats. */
function compare(a: Json, b: Json, operator: string): boolean {
  const kind = (value: Json): string => (typeof value === 'bigint' ? 'number' : typeof value);
  if (kind(a) !== kind(b) || typeof a === 'object' || typeof b === 'object') {
    throw new PathError('incompatible types for comparison');
  }
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    default:
      throw new PathError(`unrecognized filter operator ${operator}`);
  }
}
