import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { RuleResolver } from '../rule-resolver.ts';
import { FRESH, type PolicySource } from './policy-source.ts';
import { rulesFor, unresolved } from './resolver.ts';

/** What the bindings give someone in a namespace, in their order: upstream's RBACAuthorizer.RulesFor. */
export function rbacRuleResolver(policies: PolicySource): RuleResolver {
  return async (user, namespace) => {
    const resolved = [...rulesFor(await policies(FRESH), user, namespace)];
    const rules = resolved.flatMap(({ rule }) => rule ?? []);
    const errors = resolved.flatMap((one) => (one.rule === undefined ? unresolved(one.missing) : []));
    return {
      resourceRules: rules
        .filter(({ resources }) => resources.length > 0)
        .map(({ verbs, apiGroups, resources, resourceNames }) =>
          filled({ verbs, apiGroups, resources, resourceNames }),
        ),
      nonResourceRules: rules
        .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs }) => filled({ verbs, nonResourceURLs })),
      incomplete: false,
      ...(errors.length === 0 ? {} : { evaluationError: aggregateText(errors) }),
    };
  };
}

/** Empty lists are not shown, but for the verbs. */
const filled = (lists: Readonly<Record<string, readonly string[]>>): JsonObject =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([field, list]) =>
      list.length > 0 || field === 'verbs' ? [[field, [...list]]] : [],
    ),
  );
