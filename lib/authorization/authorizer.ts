import type { RequestInfo } from '#lib/endpoints/api.ts';
import type { User } from '#lib/authentication/user.ts';

/** What someone wants to do: upstream's authorizer.Attributes. */
export type Attributes = Pick<
  RequestInfo,
  'isResourceRequest' | 'path' | 'verb' | 'group' | 'version' | 'namespace' | 'resource' | 'subresource' | 'name'
>;

export type Decision =
  | { readonly decision: 'allow'; readonly reason: string }
  | { readonly decision: 'deny'; readonly reason: string }
  | { readonly decision: 'noOpinion'; readonly reason: string };

export type Authorizer = (user: User, attributes: Attributes) => Promise<Decision>;

/** The first that has an opinion decides; none means no. */
export function unionAuthorizer(chain: readonly Authorizer[]): Authorizer {
  return async (user, attributes) => {
    for (const authorize of chain) {
      const decision = await authorize(user, attributes);
      if (decision.decision !== 'noOpinion') return decision;
    }
    return { decision: 'noOpinion', reason: '' };
  };
}
