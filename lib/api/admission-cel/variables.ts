import type { Environment } from '#lib/api/cel/environment.ts';
import { dynType, listType, mapType, type Type } from '#lib/api/cel/types/type.ts';
import type { Variable } from '#lib/api/types/admissionregistration.v1.ts';
import { admissionEnvironment, compileExpression, type Declarations, type Expression } from './expression.ts';

/** The composed variables of a policy. Each may use the previous ones. */
export class Variables {
  readonly expressions: Map<string, Expression> = new Map();
  /** Their types, for the expressions that use them. */
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

/** Compiles the variables of a policy in order. A variable that does not compile keeps its error. */
export function compileVariables(
  given: readonly Variable[] | undefined,
  declared: Omit<Declarations, 'variables'>,
): Variables {
  const variables = new Variables(declared);
  for (const { name, expression } of given ?? []) variables.add(name, expression);
  return variables;
}

const KEPT = new Set(['any', 'bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'uint']);

/** The declared type. Upstream keeps simple types and lists and maps of them. All other types are checked at run time. */
export function declaredType(type: Type): Type {
  const [first = dynType, second = dynType] = type.params;
  if (type.kind === 'list') return listType(declaredType(first));
  if (type.kind === 'map') return mapType(declaredType(first), declaredType(second));
  return KEPT.has(type.kind) && !type.nullable ? type : dynType;
}
