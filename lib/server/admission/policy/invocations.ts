import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { caught, type MaybePromise, soon } from '#lib/machinery/soon.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { Match, Matcher } from '../matching/matcher.ts';
import { namespaceOfRequest } from '../matching/rule.ts';
import type { PolicyMetrics } from './metrics.ts';
import { ConfigurationError, type Params } from './params.ts';
import type { Binding, BoundPolicy } from './policy.ts';

/** One evaluation of a policy, for one of its bindings and one of that binding's parameters. */
export interface Invocation<E> {
  readonly policy: BoundPolicy<E>;
  readonly binding: Binding;
  readonly match: Match;
  readonly params: JsonObject | undefined;
}

/** A misconfigured policy or binding. Its failure policy decides whether to reject the request. */
export interface Misconfigured<E> {
  readonly policy: BoundPolicy<E>;
  readonly binding: Binding | undefined;
  readonly message: string;
}

/** The ports of policies. */
export interface PolicyPorts {
  readonly authorizer: Authorizer;
  readonly matcher: Matcher;
  readonly params: Params;
  readonly metrics: PolicyMetrics;
}

/** An evaluation to run, or the fault that replaces it. */
export type Planned<E> = Invocation<E> | Misconfigured<E>;

/** Whether a fault replaces the evaluation. */
export const isMisconfigured = <E>(planned: Planned<E>): planned is Misconfigured<E> => 'message' in planned;

/** Returns the evaluations of policies for a request, in order. */
export async function planInvocations<E>(
  policies: readonly BoundPolicy<E>[],
  attributes: Attributes,
  ports: PolicyPorts,
): Promise<readonly Planned<E>[]> {
  const plan: Planned<E>[] = [];
  for (const policy of policies) {
    const planning = planPolicy(policy, attributes, ports, plan);
    if (planning !== undefined) await planning;
  }
  return plan;
}

/** Adds the policy's evaluations to the plan. */
function planPolicy<E>(
  policy: BoundPolicy<E>,
  attributes: Attributes,
  ports: PolicyPorts,
  plan: Planned<E>[],
): MaybePromise<void> {
  const failed = (error: unknown): void =>
    void plan.push({ policy, binding: undefined, message: `failed to configure policy: ${faultOf(error)}` });
  return caught(
    () =>
      soon(ports.matcher.match(policy.criteria, attributes), (match) =>
        match === undefined
          ? undefined
          : soon(ports.params.resource(policy.paramKind), (resource) =>
              planBindings({ policy, match, resource }, attributes, ports, plan),
            ),
      ),
    failed,
  );
}

interface Matched<E> {
  readonly policy: BoundPolicy<E>;
  readonly match: Match;
  readonly resource: ResourceDefinition | undefined;
}

function planBindings<E>(
  { policy, match, resource }: Matched<E>,
  attributes: Attributes,
  { matcher, params }: PolicyPorts,
  plan: Planned<E>[],
): MaybePromise<void> {
  const planBinding = (binding: Binding): MaybePromise<void> => {
    const failed = (error: unknown): void =>
      void plan.push({ policy, binding, message: `failed to configure binding: ${faultOf(error)}` });
    const { criteria, paramRef } = binding;
    const add = (matched: unknown): MaybePromise<void> =>
      matched === undefined
        ? undefined
        : soon(params.collect(resource, paramRef, namespaceOfRequest(attributes)), (found) => {
            for (const one of found) plan.push({ policy, binding, match, params: one });
          });
    return caught(() => soon(criteria === undefined ? match : matcher.match(criteria, attributes), add), failed);
  };
  return policy.bindings.reduce<MaybePromise<void>>(
    (before, binding) => soon(before, () => planBinding(binding)),
    undefined,
  );
}

/** Returns the message of a configuration fault. Rethrows any other error. */
function faultOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof StatusError) return error.message;
  throw error;
}
