import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes } from '#lib/server/authorization/authorizer.ts';
import { LEVELS, type Level, STAGES, type Stage } from './event.ts';
import type { GroupResources, Policy, PolicyRule } from './policy.ts';

/** How one request is audited. */
export interface RequestAuditConfig {
  readonly level: Level;
  readonly omitStages: ReadonlySet<Stage>;
  readonly omitManagedFields: boolean;
}

/** Returns how a request is audited. `user` is undefined if authentication failed. */
export type PolicyRuleEvaluator = (user: User | undefined, attributes: Attributes) => RequestAuditConfig;

/** Returns the evaluator of a validated policy. The first matching rule decides. If no rule matches, the request is not audited. */
export function policyRuleEvaluator(policy: Policy): PolicyRuleEvaluator {
  const omitted = (more: readonly string[]): ReadonlySet<Stage> =>
    new Set(STAGES.filter((stage) => policy.omitStages.includes(stage) || more.includes(stage)));
  const omitByDefault = policy.omitManagedFields ?? false;
  const rules = policy.rules.map((rule) => ({
    rule,
    config: {
      level: LEVELS.find((level) => level === rule.level) ?? 'None',
      omitStages: omitted(rule.omitStages),
      omitManagedFields: rule.omitManagedFields ?? omitByDefault,
    },
  }));
  const none: RequestAuditConfig = {
    level: 'None',
    omitStages: omitted([]),
    omitManagedFields: omitByDefault,
  };
  return (user, attributes) => rules.find(({ rule }) => matches(rule, user, attributes))?.config ?? none;
}

function matches(rule: PolicyRule, user: User | undefined, attributes: Attributes): boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule;
  if (users.length > 0 && (user === undefined || !users.includes(user.name))) return false;
  if (userGroups.length > 0 && !(user?.groups ?? []).some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(attributes.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) return matchesResource(rule, attributes);
  if (nonResourceURLs.length === 0) return true;
  return !attributes.isResourceRequest && nonResourceURLs.some((spec) => matchesPath(attributes.path, spec));
}

function matchesPath(path: string, spec: string): boolean {
  if (spec === '*' || spec === path) return true;
  return spec.endsWith('*') && path.startsWith(spec.replace(/\*+$/, ''));
}

/** The namespace of a cluster-scoped resource is ''. */
function matchesResource({ namespaces, resources }: PolicyRule, attributes: Attributes): boolean {
  if (!attributes.isResourceRequest) return false;
  if (namespaces.length > 0 && !namespaces.includes(attributes.namespace)) return false;
  return resources.length === 0 || resources.some((group) => matchesGroup(group, attributes));
}

function matchesGroup({ group, resources, resourceNames }: GroupResources, attributes: Attributes): boolean {
  if (group !== '*' && group !== attributes.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(attributes.name)) return false;
  return resources.some((spec) => isResource(spec, attributes));
}

function isResource(spec: string, { resource, subresource }: Attributes): boolean {
  if (spec === '*' || spec === (subresource === '' ? resource : `${resource}/${subresource}`)) return true;
  if (subresource !== '' && spec === `*/${subresource}`) return true;
  return spec === `${resource}/*`;
}
