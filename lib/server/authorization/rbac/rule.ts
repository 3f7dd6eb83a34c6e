import { typedObject } from '#lib/api/typed.ts';
import { CLUSTER_ROLES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Attributes } from '../authorizer.ts';

/** One rule of a role: verbs on resources (`pods`, `pods/log`, `*`/…) or on URLs. `*` matches everything. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty if the rule applies to objects of every name. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** A rule that allows nothing. */
export const EMPTY_RULE: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: JsonObject): PolicyRule[] {
  const { rules } = typedObject(CLUSTER_ROLES, role);
  return (rules ?? []).map(({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) => ({
    verbs: verbs ?? [],
    apiGroups,
    resources,
    resourceNames,
    nonResourceURLs,
  }));
}

/** Whether the rule allows the request: upstream's RuleAllows. */
export function ruleAllows(rule: PolicyRule, asked: Attributes): boolean {
  if (!hasOrAll(rule.verbs, asked.verb)) return false;
  if (!asked.isResourceRequest) return rule.nonResourceURLs.some((pattern) => urlMatches(pattern, asked.path));
  return (
    hasOrAll(rule.apiGroups, asked.group) &&
    resourceMatches(rule.resources, asked) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name))
  );
}

/** Whether the list contains the value or `*`. */
export const hasOrAll = (set: readonly string[], value: string): boolean => set.includes('*') || set.includes(value);

/** A resource does not include its subresources. Rules list them or use `*` before the slash. */
function resourceMatches(set: readonly string[], { resource, subresource }: Attributes): boolean {
  if (subresource === '') return hasOrAll(set, resource);
  return hasOrAll(set, `${resource}/${subresource}`) || set.includes(`*/${subresource}`);
}

/** A `*` at the end of a pattern matches any suffix. */
export const urlMatches = (pattern: string, url: string): boolean =>
  pattern === url || (pattern.endsWith('*') && url.startsWith(pattern.replace(/\*+$/, '')));
