import { hasNoField, isObject, type Json } from '#lib/machinery/json-value.ts';
import type { TypedSchema } from './schema.ts';

/** The form in which a value is handled under a type; `none` where the type allows nothing. */
export type Form = 'map' | 'scalar' | 'list' | 'none';

/**
 * Upstream's deduceAtom and handleAtom: a value's own form where the type allows it, else the type's first of map, scalar
 * and list. Null and absent values take that first form too.
 */
export function formOf(schema: TypedSchema, value: Json | undefined): Form {
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      if (schema.list !== undefined) return 'list';
    } else if (isObject(value)) {
      if (schema.map !== undefined) return 'map';
    } else if (schema.scalar !== undefined) return 'scalar';
  }
  if (schema.map !== undefined) return 'map';
  if (schema.scalar !== undefined) return 'scalar';
  return schema.list === undefined ? 'none' : 'list';
}

/** Whether a map or list has nothing in it, or is none: owned as a leaf, so that null and empty stay apart. */
export function isHollow(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return !isObject(value) || hasNoField(value);
}

/** Something that keeps a value from having its type; `path` is written as in conflicts. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Upstream's text of several validation errors. */
export function problemText(problems: readonly Problem[]): string {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return lines.length === 1 ? (lines[0] as string) : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Upstream's error for a value whose form the type does not allow. */
export const INVALID_ATOM = 'schema error: invalid atom: inlined';
