import type { Overload } from '../functions/function.ts';
import type { Type } from '../types/type.ts';
import type { Value } from '../values/value.ts';
import type { Call, Expr } from './expr.ts';

/** The declaration that a name or call refers to. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'constant'; readonly name: string; readonly value: Value }
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly overloads: readonly Overload[];
      /** Whether the target is part of the function's name: `math.greatest(x)`. */
      readonly namespaced: boolean;
    };

/** An expression with the types of its nodes and the references of its names, by id. */
export interface CheckedExpr {
  readonly expr: Expr;
  readonly types: readonly (Type | undefined)[];
  readonly references: ReadonlyMap<number, Reference>;
}

/** Returns the target of a call unless it is part of the function's name. */
export function targetOf(checked: CheckedExpr, call: Call): Expr | undefined {
  const reference = checked.references.get(call.id);
  return reference?.kind === 'function' && reference.namespaced ? undefined : call.target;
}

/** Returns `a.b.c` for idents and selects. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** Returns the candidates for a name within a container, innermost first. A leading dot means the name itself. */
export function candidateNames(container: string, name: string): string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  const names: string[] = [];
  for (let prefix = container; prefix !== ''; prefix = prefix.slice(0, Math.max(prefix.lastIndexOf('.'), 0))) {
    names.push(`${prefix}.${name}`);
  }
  return [...names, name];
}
