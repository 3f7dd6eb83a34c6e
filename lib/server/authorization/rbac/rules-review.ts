import { aggregateText } from '#lib/machinery/aggregate.ts';
import { defined } from '#lib/machinery/defined.ts';
import { FRESH } from '#lib/storage/lookup.ts';
import type { RuleResolver } from '../rule-resolver.ts';
import type { PolicySource } from './policy-source.ts';
import { rulesFor, unresolvedRole } from './resolver.ts';

/** Lists the rules that bindings grant to a user in a namespace, in order: upstream's RBACAuthorizer.RulesFor. */
export function rbacRuleResolver(policies: PolicySource): RuleResolver {
  return async (user, namespace) => {
    const resolved = [...rulesFor(await policies(FRESH), user, namespace)];
    const rules = resolved.flatMap(({ rule }) => rule ?? []);
    const errors = resolved.flatMap((one) => (one.rule === undefined ? unresolvedRole(one.missing) : []));
    return {
      resourceRules: rules
        .filter(({ resources }) => resources.length > 0)
        .map(({ verbs, apiGroups, resources, resourceNames }) => ({
          verbs: [...verbs],
          ...defined({ apiGroups: some(apiGroups), resources: some(resources), resourceNames: some(resourceNames) }),
        })),
      nonResourceRules: rules
        .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs: [...verbs], nonResourceURLs: [...nonResourceURLs] })),
      incomplete: false,
      ...(errors.length === 0 ? {} : { evaluationError: aggregateText(errors) }),
    };
  };
}

/** Omits empty lists, except for verbs. */
const some = (list: readonly string[]): string[] | undefined => (list.length === 0 ? undefined : [...list]);
