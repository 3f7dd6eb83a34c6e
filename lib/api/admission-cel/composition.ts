import type { Program, Evaluation as Run } from '#lib/api/cel/program.ts';
import { CelError, ObjectValue, type Result, type Value } from '#lib/api/cel/values/value.ts';
import type { Expression } from './expression.ts';
import { variablesType } from './types.ts';

/** The variables of a policy. Each is evaluated on first use. */
export class Composition extends ObjectValue {
  readonly type = variablesType;
  readonly #expressions: ReadonlyMap<string, Expression>;
  readonly #run: (program: Program) => Run;
  readonly #made = new Map<string, Value>();
  /** The cost of all variables evaluated so far. */
  cost = 0;

  constructor(expressions: ReadonlyMap<string, Expression>, run: (program: Program) => Run) {
    super();
    this.#expressions = expressions;
    this.#run = run;
  }

  get(field: string): Value | undefined {
    const known = this.#made.get(field);
    if (known !== undefined) return known;
    const expression = this.#expressions.get(field);
    if (expression === undefined) return undefined;
    // Like CEL, returns an error in a field as its value.
    const made = this.#evaluate(field, expression) as Value;
    this.#made.set(field, made);
    return made;
  }

  #evaluate(name: string, expression: Expression): Result {
    if (expression.error !== undefined)
      return new CelError(`composited variable "${name}" fails to compile: ${expression.error}`);
    const { value, cost } = this.#run(expression.program);
    this.cost += cost;
    return value instanceof CelError
      ? new CelError(`composited variable "${name}" fails to evaluate: ${value.message}`)
      : value;
  }

  equalTo(other: Value): boolean {
    return this === other;
  }
}
