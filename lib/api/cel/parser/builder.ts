import type { Expr } from '../ast/expr.ts';
import { ExprFactory } from '../ast/factory.ts';
import { type Macro, MacroError } from './macro.ts';
import type { Issue } from './source.ts';

/** The key of a macro: its name, number of arguments and whether it has a target; upstream's macro key. */
export function macroKey(macro: Pick<Macro, 'name' | 'receiver' | 'argCount'>): string {
  return `${macro.name}:${macro.argCount ?? '*'}:${macro.receiver}`;
}

const maxNodes = 100_000;

/** Creates nodes with ids and positions, and expands macros. */
export class Builder {
  /** Offsets by id. */
  readonly positions: number[] = [0];
  readonly #issues: Issue[];
  readonly #macros: ReadonlyMap<string, Macro>;
  #full = false;

  constructor(macros: ReadonlyMap<string, Macro>, issues: Issue[]) {
    this.#macros = macros;
    this.#issues = issues;
  }

  id(offset: number): number {
    this.positions.push(offset);
    return this.positions.length - 1;
  }

  report(offset: number, message: string): Expr {
    this.#issues.push({ offset, message });
    return this.nothing(offset);
  }

  /** Returns a placeholder for an expression with a syntax error. It never reaches the checker. */
  nothing(offset: number): Expr {
    return { kind: 'literal', id: this.id(offset), value: null };
  }

  call(offset: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const macro =
      this.#macros.get(macroKey({ name, receiver: target !== undefined, argCount: args.length })) ??
      this.#macros.get(macroKey({ name, receiver: target !== undefined, argCount: undefined }));
    const factory = new ExprFactory(
      () => this.id(offset),
      () => this.#mayCopy(),
    );
    const expanded = macro?.expand(factory, target, args);
    if (expanded instanceof MacroError) {
      return this.report(expanded.at ? (this.positions[expanded.at.id] ?? offset) : offset, expanded.message);
    }
    return expanded ?? { kind: 'call', id: this.id(offset), name, target, args };
  }

  /** Whether a macro may still copy its target. Each such macro doubles the expression. Upstream has no limit here. */
  #mayCopy(): boolean {
    if (this.positions.length <= maxNodes) return true;
    if (!this.#full) this.#issues.push({ offset: -1, message: `expression node limit exceeded: ${maxNodes}` });
    this.#full = true;
    return false;
  }

  /** Returns a chain of `&&` or `||` as a balanced tree, whose depth is the logarithm of its length. */
  balanced(name: string, terms: readonly Expr[], ops: readonly number[]): Expr {
    const build = (low: number, high: number): Expr => {
      const middle = (low + high + 1) >> 1;
      const left = middle === low ? terms[middle] : build(low, middle - 1);
      const right = middle === high ? terms[middle + 1] : build(middle + 1, high);
      const offset = ops[middle] ?? 0;
      const args = [left ?? this.nothing(offset), right ?? this.nothing(offset)];
      return { kind: 'call', id: this.id(offset), name, target: undefined, args };
    };
    return terms.length === 1 && terms[0] ? terms[0] : build(0, ops.length - 1);
  }
}
