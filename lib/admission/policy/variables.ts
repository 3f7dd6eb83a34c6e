import { dynType, listType, mapType, type Type } from '#lib/cel/types/type.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/registry/kinds/shared/fields.ts';
import { admissionEnvironment, compileExpression, type Declarations, type Expression } from '../cel/expression.ts';

/** The variables that a policy composes, in order: each may use those before it. */
export interface Variables {
  readonly expressions: ReadonlyMap<string, Expression>;
  readonly types: ReadonlyMap<string, Type>;
}

export function compileVariables(spec: JsonObject, declared: Omit<Declarations, 'variables'>): Variables {
  const expressions = new Map<string, Expression>();
  const types = new Map<string, Type>();
  const env = admissionEnvironment({ ...declared, variables: types });
  for (const variable of items(spec, 'variables')) {
    const expression = compileExpression(text(variable, 'expression'), env, []);
    expressions.set(text(variable, 'name'), expression);
    types.set(text(variable, 'name'), expression.error === undefined ? declaredType(expression.type) : dynType);
  }
  return { expressions, types };
}

const KEPT = new Set(['any', 'bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'uint']);

/** Upstream keeps simple types, and lists and maps of them; anything else is checked when it runs. */
function declaredType(type: Type): Type {
  const [first = dynType, second = dynType] = type.params;
  if (type.kind === 'list') return listType(declaredType(first));
  if (type.kind === 'map') return mapType(declaredType(first), declaredType(second));
  return KEPT.has(type.kind) && !type.nullable ? type : dynType;
}
