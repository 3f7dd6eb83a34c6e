import { type CheckedExpr, qualifiedName, type Reference } from '../ast/checked.ts';
import type { Call, Expr } from '../ast/expr.ts';
import { childrenOf } from '../ast/visit.ts';
import type { Environment } from '../environment.ts';
import { dynType } from '../types/type.ts';
import { Scope } from './scope.ts';

/** Resolves names without checking types. Overloads are chosen at run time. */
export function resolveNames(expr: Expr, environment: Environment): CheckedExpr {
  const references = new Map<number, Reference>();
  new Resolver(references).visit(expr, new Scope(environment));
  return { expr, types: [], references };
}

class Resolver {
  readonly #references: Map<number, Reference>;

  constructor(references: Map<number, Reference>) {
    this.#references = references;
  }

  visit(expr: Expr, scope: Scope): void {
    const name = qualifiedName(expr);
    const found = name === undefined ? undefined : scope.identifier(name);
    if (found) this.#references.set(expr.id, found.reference);
    else if (expr.kind === 'comprehension') this.#comprehension(expr, scope);
    else if (expr.kind === 'call') this.#call(expr, scope);
    else for (const child of childrenOf(expr)) this.visit(child, scope);
  }

  #comprehension(expr: Expr & { kind: 'comprehension' }, scope: Scope): void {
    this.visit(expr.iterRange, scope);
    this.visit(expr.accuInit, scope);
    const outer = scope.with([expr.accuVar, dynType]);
    const inner = outer.with([expr.iterVar, dynType], [expr.iterVar2 ?? expr.iterVar, dynType]);
    this.visit(expr.loopCondition, inner);
    this.visit(expr.loopStep, inner);
    this.visit(expr.result, outer);
  }

  #call(expr: Call, scope: Scope): void {
    const prefix = expr.target && qualifiedName(expr.target);
    const qualified = prefix === undefined ? undefined : scope.functionNamed(`${prefix}.${expr.name}`);
    const found = qualified ?? scope.functionNamed(expr.name);
    const member = expr.target !== undefined && !qualified;
    const count = expr.args.length + (member ? 1 : 0);
    const overloads = (found?.overloads ?? []).filter((o) => o.member === member && o.params.length === count);
    const name = found?.name ?? expr.name;
    this.#references.set(expr.id, { kind: 'function', name, overloads, namespaced: qualified !== undefined });
    for (const child of qualified ? expr.args : childrenOf(expr)) this.visit(child, scope);
  }
}
