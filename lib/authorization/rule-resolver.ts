import type { User } from '#lib/authentication/user.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** What someone may do in a namespace, as far as it can be listed. */
export interface Rules {
  readonly resourceRules: JsonObject[];
  readonly nonResourceRules: JsonObject[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}
export type RuleResolver = (user: User, namespace: string) => Promise<Rules>;

export const NO_RULES: Rules = { resourceRules: [], nonResourceRules: [], incomplete: false };

/** What all give together: upstream's union of rule resolvers. */
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
