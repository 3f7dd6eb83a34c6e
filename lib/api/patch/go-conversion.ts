import { findKind } from '#lib/api/kinds.ts';
import { type TypeFacts, typeFacts } from '#lib/api/types.ts';
import type { ValueFacts } from '#lib/api/values.ts';
import { goType } from '#lib/machinery/go-values.ts';
import { isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';

/**
 * Returns upstream's error text if a merged document does not convert to a built-in kind. Upstream converts maps to structs directly, not
 * via JSON, so the text differs from its decoder's. For types with their own decoding, the text is the decoder's `message`.
 */
export function conversionText(kind: GroupVersionKind, document: JsonObject, message: string): string {
  const facts = findKind(kind);
  const problem = facts === undefined ? undefined : structProblem(document, facts);
  return (
    problem ??
    message.replace(/^illegal base64/, 'error decoding from json: $&').replace(/Go struct field \S+/, 'Go value')
  );
}

/** Returns Go's reflect.Kind of a decoded value. */
function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'slice';
  return isObject(value) ? 'map' : goType(value);
}

function structProblem(value: Json, { fields }: TypeFacts): string | undefined {
  if (!isObject(value)) return `cannot restore struct from: ${kindOf(value)}`;
  for (const field of fields) {
    const problem = valueProblem(ownField(value, field.name) ?? null, field.value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueProblem(value: Json, facts: ValueFacts): string | undefined {
  if (value === null) return undefined;
  switch (facts.form) {
    case 'struct':
      return structProblem(value, typeFacts(facts.type));
    case 'map':
      if (!isObject(value)) return `cannot restore map from ${kindOf(value)}`;
      return first(Object.values(value), facts.of);
    case 'list':
      return Array.isArray(value) ? first(value, facts.of) : `cannot restore slice from ${kindOf(value)}`;
    case 'bytes':
      return typeof value === 'string' || Array.isArray(value)
        ? undefined
        : `cannot restore slice from ${kindOf(value)}`;
    default:
      return scalarProblem(value, facts);
  }
}

function first(values: readonly Json[], facts: ValueFacts): string | undefined {
  for (const value of values) {
    const problem = valueProblem(value, facts);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Describes the error of a scalar: with its type if Go can convert it, otherwise as an unknown type. */
function scalarProblem(value: Json, { form, go }: ValueFacts): string | undefined {
  const kind = kindOf(value);
  switch (form) {
    case 'string':
      if (kind === 'string') return undefined;
      return kind === 'int64' ? `cannot convert int64 to ${go}` : 'unrecognized type: string';
    case 'bool':
      return kind === 'bool' ? undefined : 'unrecognized type: bool';
    case 'int32':
    case 'int64':
      if (kind === 'int64') return undefined;
      return kind === 'float64' ? `cannot convert float64 to ${go}` : `unrecognized type: ${form}`;
    case 'double':
      return kind === 'int64' || kind === 'float64' ? undefined : 'unrecognized type: float64';
    default:
      return undefined;
  }
}
