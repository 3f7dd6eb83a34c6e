import type { ClusterRole, PolicyRule } from '#lib/api/types/rbac.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';

/** Whether the role aggregates the rules of others. */
export const isAggregated = ({ aggregationRule }: ClusterRole): boolean => aggregationRule !== undefined;

/**
 * The rules that the role aggregates from all others, each once, in the order of selectors and names. Undefined if the role already has
 * them. For an aggregating source, the rules that it aggregates count, not those that it stores. Otherwise, roles that aggregate each other
 * would keep obsolete rules forever.
 */
export function decide(role: ClusterRole, roles: readonly ClusterRole[]): PolicyRule[] | undefined {
  const rules: PolicyRule[] = [];
  for (const rule of gathered(role, roles.toSorted(byName), new Set([nameOf(role)])))
    if (!rules.some((known) => equal(known, rule))) rules.push(rule);
  return equal(rules, role.rules ?? []) ? undefined : rules;
}

const byName = (a: ClusterRole, b: ClusterRole): number => (nameOf(a) < nameOf(b) ? -1 : 1);

/** `asked` holds the names of aggregating roles that were already visited and therefore add no more rules. */
function* gathered(
  { aggregationRule }: ClusterRole,
  roles: readonly ClusterRole[],
  asked: Set<string>,
): Iterable<PolicyRule> {
  for (const selector of (aggregationRule?.clusterRoleSelectors ?? []).map(selectorFromObject)) {
    for (const other of roles.filter((one) => matches(selector, labelsOf(one)))) {
      if (asked.has(nameOf(other))) continue;
      if (!isAggregated(other)) yield* other.rules ?? [];
      else yield* gathered(other, roles, asked.add(nameOf(other)));
    }
  }
}
