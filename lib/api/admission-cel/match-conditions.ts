import { MATCH_CONDITIONS_BUDGET } from '#lib/api/cel/library/limits.ts';
import { boolType } from '#lib/api/cel/types/type.ts';
import type { MatchCondition } from '#lib/api/types/admissionregistration.v1.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { Evaluation, type Inputs, OutOfBudget } from './evaluation.ts';
import { admissionEnvironment, compileExpression, type Declarations, type Expression } from './expression.ts';

/** The conditions that a request must meet in addition to the rules. They are compiled on the first request. */
export class MatchConditions {
  readonly #given: readonly MatchCondition[];
  readonly #declared: Declarations;
  readonly #variables: ReadonlyMap<string, Expression>;
  #compiled: readonly Expression[] | undefined;

  constructor(
    given: readonly MatchCondition[] | undefined,
    declared: Declarations,
    variables: ReadonlyMap<string, Expression> = new Map(),
  ) {
    this.#given = given ?? [];
    this.#declared = declared;
    this.#variables = variables;
  }

  get isEmpty(): boolean {
    return this.#given.length === 0;
  }

  /**
   * Whether all conditions hold. A false condition takes precedence over errors. A string result is the error that prevented the
   * evaluation.
   */
  async hold(inputs: Inputs): Promise<boolean | string> {
    const evaluation = new Evaluation(inputs, MATCH_CONDITIONS_BUDGET, this.#variables);
    const errors: string[] = [];
    try {
      for (const expression of this.#expressions()) {
        const { error, ...result } = await evaluation.evaluate(expression);
        if (error !== undefined) errors.push(error);
        else if ('value' in result && result.value === false) return false;
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      return error.message;
    }
    if (errors.length === 0) return true;
    return aggregateText(errors);
  }

  #expressions(): readonly Expression[] {
    if (this.#compiled !== undefined) return this.#compiled;
    const env = admissionEnvironment(this.#declared);
    this.#compiled = this.#given.map((one) => compileExpression(one.expression, env, [boolType]));
    return this.#compiled;
  }
}
