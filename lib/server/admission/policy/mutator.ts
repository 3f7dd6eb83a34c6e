import { type Evaluated, Evaluation, type Inputs, OutOfBudget } from '#lib/api/admission-cel/evaluation.ts';
import { admissionEnvironment, compileExpression, type Expression } from '#lib/api/admission-cel/expression.ts';
import { MatchConditions } from '#lib/api/admission-cel/match-conditions.ts';
import { appliedType, jsonPatchType } from '#lib/api/admission-cel/mutation-types.ts';
import { NotJson } from '#lib/api/admission-cel/to-json.ts';
import { compileVariables, type Variables } from '#lib/api/admission-cel/variables.ts';
import { RUNTIME_BUDGET } from '#lib/api/cel/library/limits.ts';
import { listType, type Type } from '#lib/api/cel/types/type.ts';
import type { Value } from '#lib/api/cel/values/value.ts';
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicySpec } from '#lib/api/types/admissionregistration.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { caught, type MaybePromise, soon } from '#lib/machinery/soon.ts';
import { type AppliedConfiguration, applyConfiguration, type Live } from './apply-configuration.ts';
import { patchByExpression } from './json-patch.ts';
import { MutationFault } from './mutation-fault.ts';

/** The forms of a mutation: its `patchType`. */
export type PatchType = 'ApplyConfiguration' | 'JSONPatch';

/** The required type of a mutation's expression. */
export const PATCH_RESULTS: Readonly<Record<PatchType, Type>> = {
  ApplyConfiguration: appliedType,
  JSONPatch: listType(jsonPatchType),
};

/** One change that a policy makes. */
export interface Mutation {
  readonly type: PatchType;
  readonly expression: Expression;
}

/** The result of a mutation: the patched object, or the object with a merged configuration. */
export type MutatedObject = { readonly replaced: JsonObject } | AppliedConfiguration;

interface Compiled {
  readonly variables: Variables;
  readonly conditions: MatchConditions;
  readonly mutations: readonly Mutation[];
}

/** The expressions of a MutatingAdmissionPolicy, compiled on the first request. */
export class Mutator {
  readonly #spec: MutatingAdmissionPolicySpec;
  #made: Compiled | undefined;

  constructor({ spec }: MutatingAdmissionPolicy) {
    this.#spec = spec;
  }

  get isReinvocable(): boolean {
    return this.#spec.reinvocationPolicy === 'IfNeeded';
  }

  get mutations(): readonly Mutation[] {
    return this.#compiled().mutations;
  }

  get isConditional(): boolean {
    return !this.#compiled().conditions.isEmpty;
  }

  /** Whether the policy's match conditions are met. Returns a string if their evaluation failed, with the error. */
  meets(inputs: Inputs): Promise<boolean | string> {
    return this.#compiled().conditions.hold(inputs);
  }

  /** Returns the object after one mutation. Throws MutationFault. */
  mutate({ type, expression }: Mutation, live: Live, inputs: Inputs): MaybePromise<MutatedObject> {
    if (expression.error !== undefined) throw new MutationFault(expression.error);
    const evaluation = new Evaluation(inputs, RUNTIME_BUDGET, this.#compiled().variables.expressions);
    return soon(evaluated(evaluation, expression), (value) => mutated(type, live, value));
  }

  #compiled(): Compiled {
    return (this.#made ??= compileAll(this.#spec));
  }
}

function mutated(type: PatchType, live: Live, value: Value): MutatedObject {
  if (type === 'JSONPatch') return { replaced: patchByExpression(live.object, value) };
  try {
    return applyConfiguration(live, value);
  } catch (error) {
    if (error instanceof NotJson) throw new MutationFault(error.message, { cause: error });
    throw error;
  }
}

function evaluated(evaluation: Evaluation, expression: Expression): MaybePromise<Value> {
  const valueOf = (result: Evaluated): Value => {
    if (result.error !== undefined) throw new MutationFault(result.error);
    return result.value;
  };
  return caught(
    () => soon(evaluation.evaluate(expression), valueOf),
    (error) => {
      throw error instanceof OutOfBudget ? new MutationFault(error.message, { cause: error }) : error;
    },
  );
}

function compileAll(spec: MutatingAdmissionPolicySpec): Compiled {
  const declared = { params: spec.paramKind !== undefined, authorizer: true };
  const variables = compileVariables(spec.variables, declared);
  const composed = { ...declared, variables: variables.types };
  const env = admissionEnvironment({ ...composed, mutates: true });
  return {
    variables,
    conditions: new MatchConditions(spec.matchConditions, composed, variables.expressions),
    mutations: (spec.mutations ?? []).map(({ patchType, jsonPatch, applyConfiguration: configuration }) => {
      const type: PatchType = patchType === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
      const given = type === 'JSONPatch' ? jsonPatch : configuration;
      return { type, expression: compileExpression(given?.expression ?? '', env, [PATCH_RESULTS[type]]) };
    }),
  };
}
