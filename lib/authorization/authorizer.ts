import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { User } from '#lib/authentication/user.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { FieldRequirement } from '#lib/machinery/fields/selector.ts';
import type { LabelSelector } from '#lib/machinery/labels/selector.ts';

/** What someone wants to do: upstream's authorizer.Attributes. */
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
  /** What a list, watch or collection delete is limited to, as far as it is known. Authorizers may ignore it (RBAC does). */
  readonly fieldSelector?: readonly FieldRequirement[];
  readonly labelSelector?: LabelSelector['requirements'];
}

/** With `noOpinion`, the reason is why there is none. */
export interface Decision {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason: string;
  /** What went wrong on the way to it. A request that is not allowed fails with this, as no refusal is known to be right. */
  readonly error?: string;
}

export type Authorizer = (user: User, attributes: Attributes) => Promise<Decision>;

export const ALLOW: Decision = { decision: 'allow', reason: '' };
export const noOpinion = (reason = '', error?: string): Decision => ({
  decision: 'noOpinion',
  reason,
  ...defined({ error }),
});

/** The first that has an opinion decides; none means no, for the reasons of all. */
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
