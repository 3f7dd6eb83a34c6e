import type { Activation } from '#lib/api/cel/interpreter/frame.ts';
import { PER_CALL_LIMIT } from '#lib/api/cel/library/limits.ts';
import { CelError, type Result, type Value } from '#lib/api/cel/values/value.ts';
import { internalError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { MaybePromise } from '#lib/machinery/soon.ts';
import { Composition } from './composition.ts';
import { dynamicValue } from './dynamic-value.ts';
import type { Expression } from './expression.ts';

/** The maximum number of times that an expression may request a new authorization. */
const MAX_ROUNDS = 100;
const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Thrown if a policy's budget is spent. No further expression is evaluated. */
export class OutOfBudget extends Error {
  constructor() {
    super(OUT_OF_BUDGET);
    this.name = 'OutOfBudget';
  }
}

/** The request's own variables, and the decisions for its user. */
export interface RequestValues {
  /** Returns a variable of the request. Undefined for any other name. */
  resolve(name: string): Value | undefined;
  readonly decisions: {
    /** Whether an expression requested a decision that is still pending. */
    readonly arePending: boolean;
    /** Makes the requested decisions. */
    settle(): Promise<void>;
  };
}

/** The values of the variables that a policy's expressions can use. */
export interface Inputs {
  readonly request: RequestValues;
  readonly namespace: JsonObject | undefined;
  readonly params: JsonObject | undefined;
}

type Runnable = Exclude<Expression, { error: string }>;

/** The value of an expression, or its error with upstream's message. */
export type Evaluated = { readonly value: Value; readonly error?: undefined } | { readonly error: string };

/** The expressions of one policy for one request. They share a budget and the composed variables, which are evaluated on first use. */
export class Evaluation {
  readonly #inputs: Inputs;
  readonly #variables: ReadonlyMap<string, Expression>;
  readonly #activation: Activation = { resolve: (name) => this.#resolve(name) };
  #composed: Composition;
  #namespace: Value | undefined;
  #params: Value | undefined;
  #budget: number;

  constructor(inputs: Inputs, budget: number, variables: ReadonlyMap<string, Expression> = new Map()) {
    this.#inputs = inputs;
    this.#variables = variables;
    this.#budget = budget;
    this.#composed = this.#composition();
  }

  /** The remaining budget. */
  get remaining(): number {
    return this.#budget;
  }

  /** Runs one expression, synchronously if it requests no authorization. Throws OutOfBudget. */
  evaluate(expression: Expression): MaybePromise<Evaluated> {
    if (expression.error !== undefined) return { error: `compilation error: ${expression.error}` };
    return this.#attempt(expression) ?? this.#settled(expression);
  }

  async #settled(expression: Runnable): Promise<Evaluated> {
    for (let i = 0; i < MAX_ROUNDS; i++) {
      await this.#inputs.request.decisions.settle();
      this.#composed = this.#composition();
      const done = this.#attempt(expression);
      if (done !== undefined) return done;
    }
    throw internalError('an expression asks for too many authorizations');
  }

  /** Runs an expression. Undefined if it requested a decision that is still pending. */
  #attempt(expression: Runnable): Evaluated | undefined {
    const { value, cost } = this.#run(expression);
    if (this.#inputs.request.decisions.arePending) return undefined;
    this.#charge(cost);
    if (!(value instanceof CelError)) return { value };
    return { error: `expression '${expression.text}' resulted in error: ${value.message}` };
  }

  #run({ program }: Runnable): { value: Result; cost: number } {
    const before = this.#composed.cost;
    const { value, cost } = program.evaluate(this.#activation, PER_CALL_LIMIT);
    return { value, cost: cost + this.#composed.cost - before };
  }

  #charge(cost: number): void {
    if (cost > this.#budget) throw new OutOfBudget();
    this.#budget -= cost;
  }

  #composition(): Composition {
    return new Composition(this.#variables, (program) => program.evaluate(this.#activation, PER_CALL_LIMIT));
  }

  #resolve(name: string): Value | undefined {
    switch (name) {
      case 'params':
        return (this.#params ??= dynamicValue(this.#inputs.params));
      case 'namespaceObject':
        return (this.#namespace ??= dynamicValue(this.#inputs.namespace));
      case 'variables':
        return this.#composed;
      default:
        return this.#inputs.request.resolve(name);
    }
  }
}
