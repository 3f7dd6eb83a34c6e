import type { Overload } from '../functions/function.ts';
import { operators } from '../parser/operators.ts';
import { formatArguments, formatType } from '../types/format.ts';
import { boolType, dynType, isDyn, paramType, sameType, type Type } from '../types/type.ts';
import { areAssignable, isAssignable } from './assignable.ts';
import { Substitution } from './substitution.ts';

/** A call with a resolved function name. */
export interface Candidate {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly member: boolean;
  readonly namespaced: boolean;
  /** The arguments' types, the target's first. */
  readonly args: readonly Type[];
}

/** The result type of a call and its matching overloads, or the reason why no overload matches. */
export type Resolution =
  | { readonly type: Type; readonly overloads: readonly Overload[] }
  | { readonly message: string; readonly argument?: number };

/** Returns all matching overloads and their result type: dyn if they differ. */
export function resolveOverloads(call: Candidate, bindings: Substitution, fresh: () => Type): Resolution {
  if (call.name === operators.and || call.name === operators.or) return resolveLogic(call, bindings);
  const fitting: Overload[] = [];
  let type: Type | undefined;
  for (const overload of call.overloads) {
    if (overload.member !== call.member || overload.params.length !== call.args.length) continue;
    const { params, result } = instantiate(overload, fresh);
    if (!areAssignable(bindings, call.args, params)) continue;
    fitting.push(overload);
    const yields = bindings.apply(result, false);
    type = type === undefined || isDyn(type) || sameType(type, yields) ? (type ?? yields) : dynType;
  }
  return type ? { type, overloads: fitting } : noMatch(call, bindings);
}

function noMatch(call: Candidate, bindings: Substitution): Resolution {
  const shown = formatArguments(
    call.args.map((arg) => bindings.apply(arg, true)),
    call.member,
  );
  return { message: `found no matching overload for '${call.name}' applied to '${shown}'` };
}

function resolveLogic(call: Candidate, bindings: Substitution): Resolution {
  const argument = call.args.findIndex((arg) => !isAssignable(bindings, arg, boolType));
  if (argument < 0) return { type: boolType, overloads: call.overloads.slice(0, 1) };
  const found = formatType(call.args[argument] ?? dynType);
  return { message: `expected type 'bool' but found '${found}'`, argument };
}

/** Returns the overload's types with fresh type parameters. */
function instantiate(overload: Overload, fresh: () => Type): { params: readonly Type[]; result: Type } {
  if (overload.result.closed && overload.params.every((param) => param.closed)) return overload;
  const renaming = new Substitution();
  const names = new Set<string>();
  for (const type of [...overload.params, overload.result]) collectNames(type, names);
  for (const name of names) renaming.set(paramType(name), fresh());
  return {
    params: overload.params.map((param) => renaming.apply(param, false)),
    result: renaming.apply(overload.result, false),
  };
}

function collectNames(type: Type, into: Set<string>): void {
  if (type.kind === 'param') into.add(type.name);
  for (const param of type.params) collectNames(param, into);
}
