import type { Value } from '../values/value.ts';
import type { Call, Comprehension, Expr, Ident, List, Literal, MapEntry, MapLiteral, Select } from './expr.ts';

/** The accumulator of the standard macros, which expressions cannot name. */
export const accumulator = '@result';

/** Creates nodes with fresh ids. Macros build their expansions with it. */
export class ExprFactory {
  readonly #nextId: () => number;
  readonly #mayCopy: () => boolean;

  constructor(nextId: () => number, mayCopy: () => boolean = () => true) {
    this.#nextId = nextId;
    this.#mayCopy = mayCopy;
  }

  literal(value: Value): Literal {
    return { kind: 'literal', id: this.#nextId(), value };
  }

  ident(name: string): Ident {
    return { kind: 'ident', id: this.#nextId(), name };
  }

  select(operand: Expr, field: string, testOnly = false): Select {
    return { kind: 'select', id: this.#nextId(), operand, field, testOnly };
  }

  call(name: string, ...args: Expr[]): Call {
    return { kind: 'call', id: this.#nextId(), name, target: undefined, args };
  }

  memberCall(name: string, target: Expr, ...args: Expr[]): Call {
    return { kind: 'call', id: this.#nextId(), name, target, args };
  }

  list(...elements: Expr[]): List {
    return { kind: 'list', id: this.#nextId(), elements, optional: [] };
  }

  map(...entries: MapEntry[]): MapLiteral {
    return { kind: 'map', id: this.#nextId(), entries };
  }

  mapEntry(key: Expr, value: Expr): MapEntry {
    return { id: this.#nextId(), key, value, optional: false };
  }

  comprehension(parts: Omit<Comprehension, 'kind' | 'id'>): Comprehension {
    return { kind: 'comprehension', id: this.#nextId(), ...parts };
  }

  /**
   * Returns a copy of the expression with new ids. Returns the original if the whole expression is too large, which is reported elsewhere.
   */
  copy(expr: Expr): Expr {
    return this.#mayCopy() ? copyWith(expr, this.#nextId) : expr;
  }

  accumulator(): Ident {
    return this.ident(accumulator);
  }
}

function copyWith(expr: Expr, nextId: () => number): Expr {
  const copy = (part: Expr) => copyWith(part, nextId);
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return { ...expr, id: nextId() };
    case 'select':
      return { ...expr, id: nextId(), operand: copy(expr.operand) };
    case 'call':
      return { ...expr, id: nextId(), target: expr.target && copy(expr.target), args: expr.args.map(copy) };
    case 'list':
      return { ...expr, id: nextId(), elements: expr.elements.map(copy) };
    case 'map':
      return { ...expr, id: nextId(), entries: expr.entries.map((entry) => copyEntry(entry, nextId, copy)) };
    case 'struct':
      return { ...expr, id: nextId(), fields: expr.fields.map((f) => ({ ...f, id: nextId(), value: copy(f.value) })) };
    case 'comprehension':
      return {
        ...expr,
        id: nextId(),
        iterRange: copy(expr.iterRange),
        accuInit: copy(expr.accuInit),
        loopCondition: copy(expr.loopCondition),
        loopStep: copy(expr.loopStep),
        result: copy(expr.result),
      };
  }
}

function copyEntry(entry: MapEntry, nextId: () => number, copy: (part: Expr) => Expr): MapEntry {
  return { ...entry, id: nextId(), key: copy(entry.key), value: copy(entry.value) };
}
