import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import type { AggregationRule, RoleRef, PolicyRule as StoredRule, Subject } from '#lib/api/types/rbac.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { AUTO_UPDATE } from '#lib/server/authorization/rbac/bootstrap-policy/policy.ts';
import { uncovered } from '#lib/server/authorization/rbac/covers.ts';
import { type PolicyRule, rulesOf } from '#lib/server/authorization/rbac/rule.ts';

/** The relevant fields of roles and bindings. Expected objects omit the rest. */
export type Policy = {
  metadata: ObjectMeta;
  roleRef?: RoleRef;
  subjects?: Subject[];
  rules?: StoredRule[] | null;
  aggregationRule?: AggregationRule;
};

/** The write that a role or binding needs. A binding to another role is recreated, because its roleRef is immutable. */
export type Action =
  | { readonly do: 'nothing' }
  | { readonly do: 'create' }
  | { readonly do: 'update'; readonly object: Policy }
  | { readonly do: 'recreate' };

/**
 * The write that makes a role or binding grant at least the expected permissions. It removes none: upstream's reconciliation package. An
 * object whose annotation forbids it is left alone.
 */
export function decide(current: Policy | undefined, expected: Policy): Action {
  if (current === undefined) return { do: 'create' };
  if (annotationsOf(current)[AUTO_UPDATE] === 'false') return { do: 'nothing' };
  if (!equal(current.roleRef, expected.roleRef)) return { do: 'recreate' };
  const object: Policy = {
    ...current,
    metadata: withMarks(current, expected),
    ...(isBinding(expected) ? subjects : rules)(current, expected),
  };
  if (!isBinding(expected) && expected.aggregationRule === undefined) delete object.aggregationRule;
  return equal(current, object) ? { do: 'nothing' } : { do: 'update', object };
}

const isBinding = ({ roleRef }: Policy): boolean => roleRef !== undefined;

/** Metadata with missing labels and annotations added. Existing ones take precedence. */
const withMarks = ({ metadata: has }: Policy, { metadata: wants }: Policy): ObjectMeta => ({
  ...has,
  labels: { ...wants.labels, ...has.labels },
  annotations: { ...wants.annotations, ...has.annotations },
});

function rules(current: Policy, expected: Policy): Pick<Policy, 'rules' | 'aggregationRule'> {
  const missing = uncovered(rulesOf(current), rulesOf(expected)) ?? [];
  const selectors = current.aggregationRule?.clusterRoleSelectors ?? [];
  const lacking = lackingOf(expected.aggregationRule?.clusterRoleSelectors ?? [], selectors);
  return {
    ...(missing.length === 0 ? {} : { rules: [...(current.rules ?? []), ...missing.map(shown)] }),
    ...(lacking.length === 0
      ? {}
      : { aggregationRule: { ...current.aggregationRule, clusterRoleSelectors: [...selectors, ...lacking] } }),
  };
}

function subjects({ subjects: has = [] }: Policy, expected: Policy): Pick<Policy, 'subjects'> {
  const lacking = lackingOf(expected.subjects ?? [], has);
  return lacking.length === 0 ? {} : { subjects: [...has, ...lacking] };
}

const lackingOf = <T extends JsonObject>(wanted: readonly T[], has: readonly T[]): T[] =>
  wanted.filter((one) => !has.some((other) => equal(one, other)));

/** A rule as it is stored, without empty lists. */
const shown = ({ verbs, ...rule }: PolicyRule): StoredRule => ({
  verbs: [...verbs],
  ...defined({
    apiGroups: present(rule.apiGroups),
    resources: present(rule.resources),
    resourceNames: present(rule.resourceNames),
    nonResourceURLs: present(rule.nonResourceURLs),
  }),
});

const present = (list: readonly string[]): string[] | undefined => (list.length === 0 ? undefined : [...list]);
