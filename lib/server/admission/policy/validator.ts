import { type Evaluated, Evaluation, type Inputs, OutOfBudget } from '#lib/api/admission-cel/evaluation.ts';
import { admissionEnvironment, compileExpression, type Expression } from '#lib/api/admission-cel/expression.ts';
import { MatchConditions } from '#lib/api/admission-cel/match-conditions.ts';
import { mostOfAll } from '#lib/api/admission-cel/most-cost.ts';
import { compileVariables, type Variables } from '#lib/api/admission-cel/variables.ts';
import { MAX_MESSAGE_SIZE, RUNTIME_BUDGET } from '#lib/api/cel/library/limits.ts';
import { boolType, nullType, stringType } from '#lib/api/cel/types/type.ts';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation as ValidationRule,
} from '#lib/api/types/admissionregistration.v1.ts';
import type { MaybePromise } from '#lib/machinery/soon.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';

/** The failure of one expression of a policy. `index` is its position among the validations. */
export interface Failure {
  readonly index: number;
  readonly message: string;
  /** '' if the expression itself failed to evaluate. */
  readonly reason: string;
}

/** The result of a policy for one request. */
export interface Verdict {
  readonly failures: readonly Failure[];
  /** Annotations of the audit log. */
  readonly annotations: readonly (readonly [string, string])[];
  /** Why annotations could not be evaluated. These errors reject the request regardless of the binding's actions. */
  readonly annotationErrors: readonly string[];
}

const NOTHING: Verdict = { failures: [], annotations: [], annotationErrors: [] };

interface Validation {
  readonly given: ValidationRule;
  readonly expression: Expression;
  readonly message: Expression | undefined;
}

interface Annotation {
  readonly key: string;
  readonly expression: Expression;
}

interface Compiled {
  readonly variables: Variables;
  readonly conditions: MatchConditions;
  readonly validations: readonly Validation[];
  readonly annotations: readonly Annotation[];
  /** The maximum total cost of the messages. */
  readonly mostOfMessages: number;
}

interface Rest {
  readonly inputs: Inputs;
  /** The CEL cost budget that remains for messages after the validations. */
  readonly budget: number;
}

/** The expressions of a ValidatingAdmissionPolicy, compiled on the first request. */
export class Validator {
  readonly #spec: ValidatingAdmissionPolicySpec;
  readonly #ignoresFailure: boolean;
  #made: Compiled | undefined;

  constructor({ spec }: ValidatingAdmissionPolicy) {
    this.#spec = spec;
    this.#ignoresFailure = spec.failurePolicy === 'Ignore';
  }

  async validate(inputs: Inputs): Promise<Verdict> {
    const compiled = this.#compiled();
    const { conditions, variables, validations, annotations } = compiled;
    const met = conditions.isEmpty || (await conditions.hold(inputs));
    if (typeof met === 'string') return this.#failed(met);
    if (!met) return NOTHING;
    const evaluation = new Evaluation(inputs, RUNTIME_BUDGET, variables.expressions);
    const judged = evaluateAll(evaluation, validations);
    const results = judged instanceof Promise ? await judged : judged;
    if (typeof results === 'string') return this.#failed(results);
    const budget = evaluation.remaining;
    const isQuiet = budget >= compiled.mostOfMessages && results.every(isMet);
    const failures = isQuiet ? [] : await this.#failures(compiled, results, { inputs, budget });
    if (annotations.length === 0) return failures.length === 0 ? NOTHING : { ...NOTHING, failures };
    const annotated = await this.#annotate(annotations, inputs, variables);
    return typeof annotated === 'string' ? this.#failed(annotated) : { failures, ...annotated };
  }

  #failed(message: string): Verdict {
    return this.#ignoresFailure ? NOTHING : { ...NOTHING, failures: [{ index: 0, message, reason: '' }] };
  }

  async #failures(
    { validations, variables, mostOfMessages }: Compiled,
    results: readonly Evaluated[],
    { inputs, budget }: Rest,
  ): Promise<Failure[]> {
    const everyOne = budget < mostOfMessages;
    const evaluation = new Evaluation(inputs, budget, variables.expressions);
    const told = await messagesOf(validations, (i) => everyOne || !isMet(results[i]), evaluation);
    return validations.flatMap((validation, index) => {
      const failure = this.#failure(
        validation,
        results[index],
        told instanceof OutOfBudget ? told : (told[index] ?? ''),
      );
      return failure === undefined ? [] : [{ index, ...failure }];
    });
  }

  #failure(
    { given }: Validation,
    result: Evaluated | undefined,
    told: string | OutOfBudget,
  ): Omit<Failure, 'index'> | undefined {
    if (result?.error !== undefined) return this.#ignoresFailure ? undefined : { message: result.error, reason: '' };
    if (told instanceof OutOfBudget)
      return this.#ignoresFailure ? undefined : { message: `failed messageExpression: ${told.message}`, reason: '' };
    if (isMet(result)) return undefined;
    return {
      message: told || given.message?.trim() || `failed expression: ${given.expression.trim()}`,
      reason: given.reason ?? 'Invalid',
    };
  }

  async #annotate(
    annotations: readonly Annotation[],
    inputs: Inputs,
    { expressions }: Variables,
  ): Promise<Pick<Verdict, 'annotations' | 'annotationErrors'> | string> {
    const made: [string, string][] = [];
    const errors: string[] = [];
    const evaluation = new Evaluation(inputs, RUNTIME_BUDGET, expressions);
    const results = await evaluateAll(evaluation, annotations);
    if (typeof results === 'string') return results;
    for (const [i, { key }] of annotations.entries()) {
      const result = results[i];
      if (result?.error !== undefined) {
        if (!this.#ignoresFailure) errors.push(result.error);
      } else if (typeof result?.value === 'string' && result.value.trim() !== '') made.push([key, result.value.trim()]);
    }
    return { annotations: made, annotationErrors: errors };
  }

  #compiled(): Compiled {
    return (this.#made ??= compileAll(this.#spec));
  }
}

function compileAll(spec: ValidatingAdmissionPolicySpec): Compiled {
  const params = spec.paramKind !== undefined;
  const variables = compileVariables(spec.variables, { params, authorizer: true });
  const declared = { params, authorizer: true, variables: variables.types };
  const env = admissionEnvironment(declared);
  const messageEnv = admissionEnvironment({ ...declared, authorizer: false });
  const validations = (spec.validations ?? []).map((given) => ({
    given,
    expression: compileExpression(given.expression, env, [boolType]),
    message: given.messageExpression ? compileExpression(given.messageExpression, messageEnv, [stringType]) : undefined,
  }));
  return {
    variables,
    conditions: new MatchConditions(spec.matchConditions, declared, variables.expressions),
    validations,
    mostOfMessages: mostOfAll(
      validations.flatMap(({ message }) => message ?? []),
      variables.expressions.values(),
    ),
    annotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      key,
      expression: compileExpression(valueExpression, env, [stringType, nullType]),
    })),
  };
}

/** A returned string reports that the budget is exhausted. */
function evaluateAll(
  evaluation: Evaluation,
  all: readonly { readonly expression: Expression }[],
): MaybePromise<Evaluated[] | string> {
  const results: Evaluated[] = [];
  try {
    for (const { expression } of all) {
      const result = evaluation.evaluate(expression);
      if (result instanceof Promise) return restOf(evaluation, all, results, result);
      results.push(result);
    }
  } catch (error) {
    return overspent(error);
  }
  return results;
}

/** Like `evaluateAll`, but starts at the first expression that needs an authorization check. */
async function restOf(
  evaluation: Evaluation,
  all: readonly { readonly expression: Expression }[],
  results: Evaluated[],
  pending: Promise<Evaluated>,
): Promise<Evaluated[] | string> {
  try {
    results.push(await pending);
    for (const { expression } of all.slice(results.length)) results.push(await evaluation.evaluate(expression));
  } catch (error) {
    return overspent(error);
  }
  return results;
}

function overspent(error: unknown): string {
  if (error instanceof OutOfBudget) return error.message;
  throw error;
}

const isMet = (result: Evaluated | undefined): boolean => result?.error === undefined && result?.value === true;

/**
 * Evaluates the messages of the given validations, '' if there is none. Like upstream, exceeding the budget fails every validation,
 * including those that passed. If the budget might be exceeded, all messages are evaluated.
 */
async function messagesOf(
  validations: readonly Validation[],
  isAsked: (index: number) => boolean,
  evaluation: Evaluation,
): Promise<string[] | OutOfBudget> {
  const told: string[] = [];
  try {
    for (const [i, { message }] of validations.entries())
      told.push(message === undefined || !isAsked(i) ? '' : shown(await evaluation.evaluate(message)));
  } catch (error) {
    if (error instanceof OutOfBudget) return error;
    throw error;
  }
  return told;
}

/** Returns '' if the expression fails or its result cannot be shown on one line. */
function shown(result: Evaluated): string {
  const message = result.error === undefined && typeof result.value === 'string' ? result.value.trim() : '';
  return byteLength(message) > MAX_MESSAGE_SIZE || message.includes('\n') ? '' : message;
}
