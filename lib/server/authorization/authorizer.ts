import { aggregateText } from '#lib/machinery/aggregate.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { FieldRequirement } from '#lib/machinery/fields/selector.ts';
import type { LabelSelector } from '#lib/machinery/labels/selector.ts';
import type { User } from '#lib/server/authentication/user.ts';

/** The action to authorize: upstream's authorizer.Attributes. */
export interface Attributes {
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** A Kubernetes verb for resources. Otherwise the HTTP method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The selectors of a list, watch or collection delete, if known. Authorizers may ignore them (RBAC does). */
  readonly fieldSelector?: readonly FieldRequirement[];
  readonly labelSelector?: LabelSelector['requirements'];
}

/** The result of an authorizer. With `noOpinion`, `reason` explains why it has no opinion. */
export interface Decision {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason: string;
  /**
   * The error that occurred during the decision. If the request is not allowed, it fails with this error, because the denial may be wrong.
   */
  readonly error?: string;
}

/** Decides whether a user may perform an action. */
export type Authorizer = (user: User, attributes: Attributes) => Promise<Decision>;

/** Allows the request without a reason. */
export const ALLOW: Decision = { decision: 'allow', reason: '' };
/** Leaves the decision to the next authorizer, with the reason and any error. */
export const noOpinion = (reason = '', error?: string): Decision => ({
  decision: 'noOpinion',
  reason,
  ...defined({ error }),
});

/** Calls authorizers in order until one has an opinion. If none has one, returns no opinion with the combined reasons. */
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
