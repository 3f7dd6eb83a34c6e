import type { NonResourceRule, ResourceRule } from '#lib/api/types/authorization.v1.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { User } from '#lib/server/authentication/user.ts';

/** The permissions of a user in a namespace, as far as they can be listed. */
export interface Rules {
  readonly resourceRules: ResourceRule[];
  readonly nonResourceRules: NonResourceRule[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

/** Lists the permissions of a user in a namespace. */
export type RuleResolver = (user: User, namespace: string) => Promise<Rules>;

/** No permissions. */
export const NO_RULES: Rules = { resourceRules: [], nonResourceRules: [], incomplete: false };

/** Combines the permissions of all resolvers: upstream's union of rule resolvers. */
export function unionRules(resolvers: readonly RuleResolver[]): RuleResolver {
  return async (user, namespace) => {
    const all = await Promise.all(resolvers.map((resolve) => resolve(user, namespace)));
    const errors = all.flatMap(({ evaluationError }) => evaluationError ?? []);
    return {
      resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
      nonResourceRules: all.flatMap(({ nonResourceRules }) => nonResourceRules),
      incomplete: all.some(({ incomplete }) => incomplete),
      ...(errors.length === 0 ? {} : { evaluationError: aggregateText(errors) }),
    };
  };
}
