import { goType } from '#lib/machinery/go-values.ts';
import { isObject, type Json, ownField } from '#lib/machinery/json-value.ts';
import { type Node, PathError, type Range } from './parse.ts';

/** Called with the number of values that an evaluation is about to visit. Throws if there are too many. */
export type Spend = (steps: number) => void;

/** Returns the values at a path and omits missing fields. Throws PathError if upstream's evaluator fails. */
export function evaluate(node: Node, value: Json, spend: Spend): Json[] {
  return new Evaluation(spend).walk([value], node);
}

/** Wildcards and recursion multiply, so every value is counted before it is collected. */
class Evaluation {
  readonly #spend: Spend;

  constructor(spend: Spend) {
    this.#spend = spend;
  }

  walk(input: readonly Json[], node: Node): Json[] {
    this.#spend(input.length);
    switch (node.type) {
      case 'list':
        return node.nodes.reduce<Json[]>((current, step) => this.walk(current, step), [...input]);
      case 'text':
        return [node.text];
      case 'literal':
        return input.map(() => node.value);
      case 'field':
        return input.flatMap((value) => fieldOf(value, node.name));
      case 'wildcard':
        return input.flatMap((value) => this.#childrenOf(value));
      case 'recursive':
        return this.#descendants(input);
      case 'array':
        return input.flatMap((value) => this.#counted(slice(value, node.range)));
      case 'union':
        return node.nodes.flatMap((item) => this.walk(input, item));
      case 'filter':
        return input.flatMap((value) => this.#filter(value, node));
      default:
        return node satisfies never;
    }
  }

  /** Returns a map's values sorted by name. Go returns them in random order. */
  #childrenOf(value: Json): Json[] {
    if (Array.isArray(value)) return this.#counted(value);
    if (!isObject(value)) return [];
    return this.#counted(Object.keys(value))
      .sort()
      .map((name) => value[name] as Json);
  }

  /** Returns the values and all nested values that contain others. Each precedes its contents. */
  #descendants(input: readonly Json[]): Json[] {
    const found: Json[] = [];
    const waiting = input.toReversed();
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      const children = this.#childrenOf(value);
      if (children.length === 0) continue;
      found.push(value);
      for (const child of children.toReversed()) waiting.push(child);
    }
    return found;
  }

  #filter(value: Json, { left, right, operator }: Extract<Node, { type: 'filter' }>): Json[] {
    return this.#counted(listOf(value, ' and cannot be filtered')).filter((item) => {
      const lefts = this.walk([item], left);
      if (operator === 'exists') return lefts.length > 0;
      const rights = this.walk([item], right);
      if (lefts.length === 0 || rights.length === 0) return false;
      if (lefts.length > 1 || rights.length > 1) throw new PathError('can only compare one element at a time');
      return compare(lefts[0] as Json, rights[0] as Json, operator);
    });
  }

  #counted<T>(found: T[]): T[] {
    this.#spend(found.length);
    return found;
  }
}

function fieldOf(value: Json, name: string): Json[] {
  const found = isObject(value) ? ownField(value, name) : undefined;
  return found === undefined ? [] : [found];
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

/** Compares basic kinds like Go. Values of different kinds are not comparable, except integers with floats. */
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
