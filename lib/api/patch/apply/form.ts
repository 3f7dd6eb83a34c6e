import { hasNoField, isObject, type Json } from '#lib/machinery/json-value.ts';
import type { TypedSchema } from './schema.ts';

/** The form in which a type handles a value; `none` if the type allows no form. */
export type Form = 'map' | 'scalar' | 'list' | 'none';

/**
 * Upstream's deduceAtom and handleAtom. Returns the value's own form if the type allows it, otherwise the type's first of map, scalar and
 * list. Null and absent values also use that first form.
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

/** Whether the value is an empty map or list, or neither. Such a value is owned as a leaf, so that null and empty stay distinct. */
export function isHollow(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return !isObject(value) || hasNoField(value);
}

/** The reason why a value does not match its type. `path` has the format of conflict messages. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Returns upstream's text for several validation errors. */
export function problemText(problems: readonly Problem[]): string {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return lines.length === 1 ? (lines[0] as string) : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Upstream's error for a value with a form that the type does not allow. */
export const INVALID_ATOM = 'schema error: invalid atom: inlined';
