import { type CheckedExpr } from '../ast/checked.ts';
import type { Expr } from '../ast/expr.ts';
import { dynType, isOptional, type Type } from '../types/type.ts';
import { sizeOf } from '../values/size.ts';
import { type CostEstimator, fixed, type Range, union } from './estimate.ts';

/** The sizes of the contents of a list or map. */
export interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** A variable of a comprehension: the origin of its value and its maximum size. */
interface Local {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entry: EntrySize | undefined;
}

/** Sizes and origins of nodes, collected while costs are summed: upstream's `coster` without the costs. */
export class TrackedSizes {
  readonly #checked: CheckedExpr;
  readonly #estimator: CostEstimator;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySize>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: CheckedExpr, estimator: CostEstimator) {
    this.#checked = checked;
    this.#estimator = estimator;
  }

  typeOf(expr: Expr): Type {
    return this.#checked.types[expr.id] ?? dynType;
  }

  local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  push(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack) stack.push(local);
    else this.#locals.set(name, [local]);
  }

  pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  setPath(expr: Expr, path: readonly string[]): void {
    this.#paths.set(expr.id, path);
  }

  pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? [];
  }

  setSize(expr: Expr, size: Range | undefined): void {
    if (size) this.#sizes.set(expr.id, size);
  }

  /** Returns the size of a node's value, if known. */
  sizeOf(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known) return known;
    const type = this.typeOf(expr);
    const estimated = this.#estimator.estimateSize?.({ path: this.pathOf(expr), type, expr, computedSize: undefined });
    if (estimated) {
      this.#sizes.set(expr.id, estimated);
      return estimated;
    }
    if (isScalar(type)) return fixed(1);
    return expr.kind === 'ident' ? this.local(expr.name)?.size : undefined;
  }

  setEntry(expr: Expr, entry: EntrySize | undefined): void {
    if (entry) this.#entries.set(expr.id, entry);
  }

  entryOf(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr.id) ?? (expr.kind === 'ident' ? this.local(expr.name)?.entry : undefined);
  }

  copy(to: Expr, from: Expr): void {
    this.setSize(to, this.sizeOf(from));
    this.setEntry(to, this.entryOf(from));
  }
}

/** Returns the entry sizes of either map or list; undefined if one is unknown. */
export function unionEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  return a && b && { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function literalSize(expr: Expr): Range | undefined {
  switch (expr.kind) {
    case 'literal':
      return fixed(sizeOf(expr.value) ?? 1);
    case 'list':
      return fixed(expr.elements.length);
    case 'map':
      return fixed(expr.entries.length);
    default:
      return undefined;
  }
}

/** Whether all values of the type have one fixed size. */
function isScalar(type: Type): boolean {
  if (isOptional(type)) return type.params[0] !== undefined && isScalar(type.params[0]);
  return ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}
