import type { ClusterRole, PolicyRule } from '#lib/api/types/rbac.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';

/** Whether the role gets its rules from others. */
export const isAggregated = ({ aggregationRule }: ClusterRole): boolean => aggregationRule !== undefined;

/**
 * The rules that the role gathers from all others, each once, in the order of selectors and names; undefined where it has
 * them. A role that gathers itself counts with the rules that it gathers, not with those that it has: roles that gather each
 * other would keep rules for ever that no other role has any more.
 */
export function decide(role: ClusterRole, roles: readonly ClusterRole[]): PolicyRule[] | undefined {
  const rules: PolicyRule[] = [];
  for (const rule of gathered(role, roles.toSorted(byName), new Set([nameOf(role)])))
    if (!rules.some((known) => equal(known, rule))) rules.push(rule);
  return equal(rules, role.rules ?? []) ? undefined : rules;
}

const byName = (a: ClusterRole, b: ClusterRole): number => (nameOf(a) < nameOf(b) ? -1 : 1);

/** `asked` are the names of roles that gather and have been asked, which have nothing to add. */
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
