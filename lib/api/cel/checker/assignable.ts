import { isDyn, sameType, type Type } from '../types/type.ts';
import type { Substitution } from './substitution.ts';

/** Whether a value of the first type may be used as the second. Binds type parameters. */
export function isAssignable(bindings: Substitution, from: Type, to: Type): boolean {
  return bindings.attempt(() => assign(bindings, from, to));
}

/** Whether each type is assignable to its counterpart; binds type parameters only if all are. */
export function areAssignable(bindings: Substitution, from: readonly Type[], to: readonly Type[]): boolean {
  return bindings.attempt(() => assignAll(bindings, from, to));
}

/** Returns the more general of two types that are known to agree. */
export function mostGeneral(a: Type, b: Type): Type {
  return isLessSpecific(a, b) ? a : b;
}

function assign(bindings: Substitution, from: Type, to: Type): boolean {
  if (to.kind === 'param') {
    const { valid, bound } = bind(bindings, from, to);
    if (valid || bound) return valid;
  }
  if (from.kind === 'param') return bind(bindings, to, from).valid;
  if (isWild(from) || isWild(to)) return true;
  if (from.kind === 'null') return isNullable(to);
  if (to.kind === 'null') return isNullable(from);
  switch (from.kind) {
    case 'type':
      return to.kind === 'type';
    case 'opaque':
    case 'list':
    case 'map':
      return from.kind === to.kind && from.name === to.name && assignAll(bindings, from.params, to.params);
    default:
      return from.kind === to.kind && from.name === to.name;
  }
}

function assignAll(bindings: Substitution, from: readonly Type[], to: readonly Type[]): boolean {
  if (from.length !== to.length) return false;
  return from.every((type, i) => {
    const target = to[i];
    return target !== undefined && assign(bindings, type, target);
  });
}

/** Whether the type may replace the parameter, and whether the parameter was already bound. */
function bind(bindings: Substitution, type: Type, param: Type): { valid: boolean; bound: boolean } {
  if (sameType(type, param)) return { valid: true, bound: true };
  const known = bindings.find(param);
  if (!known) {
    const valid = bindings.absentFrom(param, type);
    if (valid) bindings.set(param, type);
    return { valid, bound: false };
  }
  if (sameType(type, known)) return { valid: true, bound: true };
  if (!assign(bindings, type, known)) return { valid: false, bound: true };
  const general = mostGeneral(type, known);
  if (bindings.absentFrom(param, general)) bindings.set(param, general);
  return { valid: true, bound: true };
}

function isWild(type: Type): boolean {
  return isDyn(type) || type.kind === 'error';
}

function isNullable(type: Type): boolean {
  return type.nullable || ['null', 'opaque', 'struct', 'any', 'duration', 'timestamp'].includes(type.kind);
}

function isLessSpecific(a: Type, b: Type): boolean {
  if (a === b || isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'type':
      return true;
    case 'opaque':
    case 'list':
    case 'map':
      return (
        a.name === b.name && a.params.length === b.params.length && a.params.every((param, i) => lessAt(param, b, i))
      );
    default:
      return sameType(a, b);
  }
}

function lessAt(param: Type, other: Type, index: number): boolean {
  const counterpart = other.params[index];
  return counterpart !== undefined && isLessSpecific(param, counterpart);
}
