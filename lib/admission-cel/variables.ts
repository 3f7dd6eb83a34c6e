import { dynType, listType, mapType, type Type } from '#lib/cel/types/type.ts';
import type { Environment } from '#lib/cel/environment.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { admissionEnvironment, compileExpression, type Declarations, type Expression } from './expression.ts';

/** The variables that a policy composes: each may use those before it. */
export class Variables {
  readonly expressions: Map<string, Expression> = new Map();
  /** What is known of them when an expression is compiled that uses them. */
  readonly types: Map<string, Type> = new Map();
  readonly #env: Environment;

  constructor(declared: Omit<Declarations, 'variables'>) {
    this.#env = admissionEnvironment({ ...declared, variables: this.types });
  }

  add(name: string, given: string): Expression {
    const expression = compileExpression(given, this.#env, []);
    this.expressions.set(name, expression);
    this.types.set(name, expression.error === undefined ? declaredType(expression.type) : dynType);
    return expression;
  }
}

export function compileVariables(spec: JsonObject, declared: Omit<Declarations, 'variables'>): Variables {
  const variables = new Variables(declared);
  for (const one of items(spec, 'variables')) variables.add(text(one, 'name'), text(one, 'expression'));
  return variables;
}

const KEPT = new Set(['any', 'bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'uint']);

/** Upstream keeps simple types, and lists and maps of them; anything else is checked when it runs. */
export function declaredType(type: Type): Type {
  const [first = dynType, second = dynType] = type.params;
  if (type.kind === 'list') return listType(declaredType(first));
  if (type.kind === 'map') return mapType(declaredType(first), declaredType(second));
  return KEPT.has(type.kind) && !type.nullable ? type : dynType;
}
