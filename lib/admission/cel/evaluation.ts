import type { Activation } from '#lib/cel/interpreter/frame.ts';
import { authorizerValue, requestResourceValue } from '#lib/cel/library/authorizer.ts';
import { CelError, ObjectValue, type Result, type Value } from '#lib/cel/values/value.ts';
import { internalError } from '#lib/machinery/errors.ts';
import type { Attributes } from '../admission.ts';
import type { Decisions } from './decisions.ts';
import { dynamicValue } from './dynamic-value.ts';
import type { Expression } from './expression.ts';
import { admissionRequest } from './request.ts';
import { variablesType } from './types.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Match } from '../matching/matcher.ts';
import type { Versioned } from '../versioned.ts';

/** Upstream's bounds of cost: of one expression, of all of a policy's, of match conditions. */
const PER_CALL = 1_000_000;
export const CONDITIONS_BUDGET = 2_500_000;
/** How often an expression may come to ask a new authorization. */
const MAX_ROUNDS = 100;
const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Thrown where a policy's budget is spent: nothing further is evaluated. */
export class OutOfBudget extends Error {
  constructor() {
    super(OUT_OF_BUDGET);
    this.name = 'OutOfBudget';
  }
}

export interface Inputs {
  readonly attributes: Attributes;
  readonly match: Match;
  readonly versioned: Versioned;
  readonly namespace: JsonObject | undefined;
  readonly params: JsonObject | undefined;
  readonly decisions: Decisions;
}

/** What an expression yielded, or upstream's words for why it did not. */
export type Evaluated = { readonly value: Value; readonly error?: undefined } | { readonly error: string };

/** The expressions of one policy over one request: they share variables, which are composed when asked for, and a budget. */
export class Evaluation {
  readonly #values = new Map<string, Value>();
  readonly #inputs: Inputs;
  readonly #variables: ReadonlyMap<string, Expression>;
  #budget: number;

  constructor(inputs: Inputs, budget: number, variables: ReadonlyMap<string, Expression> = new Map()) {
    this.#inputs = inputs;
    this.#variables = variables;
    this.#budget = budget;
  }

  /** Runs one expression. Throws OutOfBudget. */
  async evaluate(expression: Expression): Promise<Evaluated> {
    if (expression.error !== undefined) return { error: `compilation error: ${expression.error}` };
    for (let i = 0; i < MAX_ROUNDS; i++) {
      const { value, cost } = this.#run(expression);
      if (await this.#inputs.decisions.settle()) {
        this.#values.delete('variables');
        continue;
      }
      this.#charge(cost);
      if (!(value instanceof CelError)) return { value };
      return { error: `expression '${expression.text}' resulted in error: ${value.message}` };
    }
    throw internalError('an expression asks for too many authorizations');
  }

  #run({ program }: Exclude<Expression, { error: string }>): { value: Result; cost: number } {
    const variables = this.#composed();
    const before = variables.cost;
    const { value, cost } = program.evaluate(this.#activation, PER_CALL);
    return { value, cost: cost + variables.cost - before };
  }

  #charge(cost: number): void {
    if (cost > this.#budget) throw new OutOfBudget();
    this.#budget -= cost;
  }

  readonly #activation: Activation = { resolve: (name) => this.#resolve(name) };

  #resolve(name: string): Value | undefined {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const made = this.#make(name);
    if (made !== undefined) this.#values.set(name, made);
    return made;
  }

  #make(name: string): Value | undefined {
    const { attributes, match, versioned, namespace, params, decisions } = this.#inputs;
    switch (name) {
      case 'object':
        return dynamicValue(versioned.object);
      case 'oldObject':
        return dynamicValue(versioned.oldObject);
      case 'params':
        return dynamicValue(params);
      case 'request':
        return dynamicValue(admissionRequest(attributes, match));
      case 'namespaceObject':
        return dynamicValue(namespace);
      case 'authorizer':
        return authorizerValue(decisions.authorize);
      case 'authorizer.requestResource': {
        const { resource, subresource, namespace: within, name: named } = attributes;
        const asked = {
          group: resource.group,
          resource: resource.resource,
          subresource,
          namespace: within,
          name: named,
        };
        return requestResourceValue(decisions.authorize, asked);
      }
      case 'variables':
        return this.#composed();
      default:
        return undefined;
    }
  }

  #composed(): Composed {
    const known = this.#values.get('variables');
    if (known instanceof Composed) return known;
    const made = new Composed(this.#variables, this.#activation);
    this.#values.set('variables', made);
    return made;
  }
}

/** The variables of a policy: each is evaluated when it is first asked for. */
class Composed extends ObjectValue {
  readonly type = variablesType;
  readonly #expressions: ReadonlyMap<string, Expression>;
  readonly #activation: Activation;
  readonly #made = new Map<string, Value>();
  cost = 0;

  constructor(expressions: ReadonlyMap<string, Expression>, activation: Activation) {
    super();
    this.#expressions = expressions;
    this.#activation = activation;
  }

  get(field: string): Value | undefined {
    const known = this.#made.get(field);
    if (known !== undefined) return known;
    const expression = this.#expressions.get(field);
    if (expression === undefined) return undefined;
    // The language passes errors that a field holds on like values.
    const made = this.#evaluate(field, expression) as Value;
    this.#made.set(field, made);
    return made;
  }

  #evaluate(name: string, expression: Expression): Result {
    if (expression.error !== undefined)
      return new CelError(`composited variable "${name}" fails to compile: ${expression.error}`);
    const { value, cost } = expression.program.evaluate(this.#activation, PER_CALL);
    this.cost += cost;
    return value instanceof CelError
      ? new CelError(`composited variable "${name}" fails to evaluate: ${value.message}`)
      : value;
  }

  equalTo(other: Value): boolean {
    return this === other;
  }
}
