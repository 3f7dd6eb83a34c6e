import { kindOf } from '#lib/api/schema/kinds.ts';
import { goType, goValue } from '#lib/machinery/go-values.ts';
import { isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';
import { isFloatAt } from '#lib/machinery/number-literals.ts';

/** A value at a path, or the reason why it does not have the requested type: upstream's `unstructured.Nested…`. */
export type Nested<T> = { readonly value: T | undefined } | { readonly problem: string };

/** `.spec.replicas` as field names. */
export const pathOf = (path: string): string[] => path.replace(/^\./, '').split('.');

/** Upstream's NestedInt64. The value is undefined if the path does not exist. */
export function nestedInteger(object: JsonObject, path: readonly string[]): Nested<number | bigint> {
  const found = nested(object, path);
  if ('problem' in found || found.value === undefined) return found as Nested<never>;
  const { value } = found;
  if (found.isFloat === true) return wrongType(path, value, 'int64', 'float64');
  if (kindOf(value) !== 'integer') return wrongType(path, value, 'int64');
  return { value: value as number | bigint };
}

/** Upstream's NestedString. The value is undefined if the path does not exist. */
export function nestedText(object: JsonObject, path: readonly string[]): Nested<string> {
  const found = nested(object, path);
  if ('problem' in found || found.value === undefined) return found as Nested<never>;
  return typeof found.value === 'string' ? { value: found.value } : wrongType(path, found.value, 'string');
}

type Found = { readonly value: Json | undefined; readonly isFloat?: boolean } | { readonly problem: string };

function nested(object: JsonObject, path: readonly string[]): Found {
  let value: Json = object;
  let isFloat = false;
  for (const [i, name] of path.entries()) {
    if (value === null) return { value: undefined };
    if (!isObject(value)) return wrongType(path.slice(0, i + 1), value, 'map[string]interface{}');
    const next: Json | undefined = ownField(value, name);
    if (next === undefined) return { value: undefined };
    isFloat = isFloatAt(value, name);
    value = next;
  }
  return { value, isFloat };
}

function wrongType(
  path: readonly string[],
  value: Json,
  expected: string,
  type = value === null ? '<nil>' : goType(value),
): { readonly problem: string } {
  return {
    problem: `.${path.join('.')} accessor error: ${goValue(value)} is of the type ${type}, expected ${expected}`,
  };
}

/** Upstream's `SetNestedField`: creates missing objects on the path. Returns a string if one of them is not an object. */
export function setNested(object: JsonObject, path: readonly string[], value: Json): string | undefined {
  let target = object;
  for (const [i, name] of path.slice(0, -1).entries()) {
    const next = ownField(target, name);
    if (next !== undefined && !isObject(next)) {
      return `value cannot be set because .${path.slice(0, i + 1).join('.')} is not a map[string]interface{}`;
    }
    if (next === undefined) setField(target, name, {});
    target = ownField(target, name) as JsonObject;
  }
  setField(target, path.at(-1) as string, value);
  return undefined;
}
