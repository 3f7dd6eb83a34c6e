import { aggregateText } from '#lib/machinery/aggregate.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { FieldRequirement } from '#lib/machinery/fields/selector.ts';
import type { LabelSelector } from '#lib/machinery/labels/selector.ts';
import type { User } from '#lib/server/authentication/user.ts';

/** The action that a user asks for: upstream's authorizer.Attributes. */
export interface Attributes {
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** A Kubernetes verb for resources, the method in lower case otherwise. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The limits of a list, watch or collection delete, as far as they are known. Authorizers may ignore them (RBAC does). */
  readonly fieldSelector?: readonly FieldRequirement[];
  readonly labelSelector?: LabelSelector['requirements'];
}

/** The answer of an authorizer. With `noOpinion`, the reason is why there is none. */
export interface Decision {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason: string;
  /** The fault on the way to the decision. A request that is not allowed fails with it, as no refusal is known to be right. */
  readonly error?: string;
}

/** Decides about an action of a user. */
export type Authorizer = (user: User, attributes: Attributes) => Promise<Decision>;

/** Allows, without a reason. */
export const ALLOW: Decision = { decision: 'allow', reason: '' };
/** Leaves the decision to others, with the reason, and the error where there was one. */
export const noOpinion = (reason = '', error?: string): Decision => ({
  decision: 'noOpinion',
  reason,
  ...defined({ error }),
});

/** Asks authorizers in order until one has an opinion; without any it has none either, for the reasons of all. */
export function unionAuthorizer(chain: readonly Authorizer[]): Authorizer {
  return async (user, attributes) => {
    const reasons: string[] = [];
    const errors: string[] = [];
    for (const authorize of chain) {
      const decision = await authorize(user, attributes);
      if (decision.decision !== 'noOpinion') return decision;
      if (decision.reason !== '') reasons.push(decision.reason);
      if (decision.error !== undefined) errors.push(decision.error);
    }
    return noOpinion(reasons.join('\n'), ...(errors.length === 0 ? [] : [aggregateText(errors)]));
  };
}
