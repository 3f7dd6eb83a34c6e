import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Attributes } from '../admission.ts';
import type { Match, Matcher } from '../matching/matcher.ts';
import { namespaceOfRequest } from '../matching/rule.ts';
import { ConfigurationError, type Params } from './params.ts';
import type { Binding, BoundPolicy } from './policy.ts';

/** One evaluation of a policy: by one of its bindings, with one of that binding's parameters. */
export interface Invocation<E> {
  readonly policy: BoundPolicy<E>;
  readonly binding: Binding;
  readonly match: Match;
  readonly params: JsonObject | undefined;
}

/** A policy, or one of its bindings, that is not in order: its failure policy says what becomes of the request. */
export interface Misconfigured<E> {
  readonly policy: BoundPolicy<E>;
  readonly binding: Binding | undefined;
  readonly message: string;
}

export interface PolicyPorts {
  readonly matcher: Matcher;
  readonly params: Params;
}

export type Planned<E> = Invocation<E> | Misconfigured<E>;

export const isMisconfigured = <E>(planned: Planned<E>): planned is Misconfigured<E> => 'message' in planned;

/** By which policies, in order, a request is to be judged. */
export async function planInvocations<E>(
  policies: readonly BoundPolicy<E>[],
  attributes: Attributes,
  ports: PolicyPorts,
): Promise<readonly Planned<E>[]> {
  const plan: Planned<E>[] = [];
  for (const policy of policies) plan.push(...(await planPolicy(policy, attributes, ports)));
  return plan;
}

async function planPolicy<E>(
  policy: BoundPolicy<E>,
  attributes: Attributes,
  { matcher, params }: PolicyPorts,
): Promise<readonly Planned<E>[]> {
  const prepare = async () => {
    const match = await matcher.match(policy.criteria, attributes);
    return match === undefined ? undefined : { match, resource: await params.resource(policy.paramKind) };
  };
  const prepared = await prepare().catch((error: unknown) => `failed to configure policy: ${faultOf(error)}`);
  if (prepared === undefined) return [];
  if (typeof prepared === 'string') return [{ policy, binding: undefined, message: prepared }];
  const { match, resource } = prepared;
  const plan: Planned<E>[] = [];
  for (const binding of policy.bindings) {
    const { criteria, paramRef } = binding;
    try {
      if (criteria !== undefined && (await matcher.match(criteria, attributes)) === undefined) continue;
      const found = await params.collect(resource, paramRef, namespaceOfRequest(attributes));
      plan.push(...found.map((one) => ({ policy, binding, match, params: one })));
    } catch (error) {
      plan.push({ policy, binding, message: `failed to configure binding: ${faultOf(error)}` });
    }
  }
  return plan;
}

/** Throws what is no fault of a configuration. */
function faultOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof StatusError) return error.message;
  throw error;
}
