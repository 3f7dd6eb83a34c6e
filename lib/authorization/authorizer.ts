import type { RequestInfo } from '#lib/endpoints/api.ts';
import type { User } from '#lib/authentication/user.ts';
import type { FieldRequirement } from '#lib/machinery/fields/selector.ts';
import type { LabelSelector } from '#lib/machinery/labels/selector.ts';

/** What someone wants to do: upstream's authorizer.Attributes. */
export interface Attributes
  extends Pick<
    RequestInfo,
    'isResourceRequest' | 'path' | 'verb' | 'group' | 'version' | 'namespace' | 'resource' | 'subresource' | 'name'
  > {
  /** What a list, watch or collection delete is limited to, as far as it is known. Authorizers may ignore it (RBAC does). */
  readonly fieldSelector?: readonly FieldRequirement[];
  readonly labelSelector?: LabelSelector['requirements'];
}

/** With `noOpinion`, the reason is why there is none. */
export interface Decision {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason: string;
}

export type Authorizer = (user: User, attributes: Attributes) => Promise<Decision>;

/** The first that has an opinion decides; none means no, for the reasons of all. */
export function unionAuthorizer(chain: readonly Authorizer[]): Authorizer {
  return async (user, attributes) => {
    const reasons: string[] = [];
    for (const authorize of chain) {
      const decision = await authorize(user, attributes);
      if (decision.decision !== 'noOpinion') return decision;
      if (decision.reason !== '') reasons.push(decision.reason);
    }
    return { decision: 'noOpinion', reason: reasons.join('\n') };
  };
}
