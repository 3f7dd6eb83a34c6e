import type { User } from '#lib/server/authentication/user.ts';
import { ALLOW, type Attributes, type Authorizer, noOpinion } from '../authorizer.ts';
import { urlMatches } from '../rbac/rule.ts';
import { NO_RULES, type RuleResolver } from '../rule-resolver.ts';
import type { AbacPolicy } from './policy-file.ts';

const READING = ['get', 'list', 'watch'];

/** Upstream's attribute-based authorizer: the first matching policy allows the request. */
export function abacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return async (user, asked) =>
    policies.some((policy) => fits(policy, user, asked)) ? ALLOW : noOpinion('No policy matched.');
}

/** Lists the rules of the policies that apply to a user in a namespace. */
export function abacRules(policies: readonly AbacPolicy[]): RuleResolver {
  return async (user, namespace) => {
    const own = policies.filter((policy) => isSubject(policy, user) && isOrAll(policy.namespace, namespace));
    const verbs = (policy: AbacPolicy): string[] => (policy.readonly ? [...READING] : ['*']);
    return {
      ...NO_RULES,
      resourceRules: own
        .filter(({ resource }) => resource !== '')
        .map((policy) => ({ verbs: verbs(policy), apiGroups: [policy.apiGroup], resources: [policy.resource] })),
      nonResourceRules: own
        .filter(({ nonResourcePath }) => nonResourcePath !== '')
        .map((policy) => ({ verbs: verbs(policy), nonResourceURLs: [policy.nonResourcePath] })),
    };
  };
}

function fits(policy: AbacPolicy, user: User, asked: Attributes): boolean {
  if (!isSubject(policy, user) || (policy.readonly && !READING.includes(asked.verb))) return false;
  if (!asked.isResourceRequest) return urlMatches(policy.nonResourcePath, asked.path);
  return (
    isOrAll(policy.namespace, asked.namespace) &&
    isOrAll(policy.resource, asked.resource) &&
    isOrAll(policy.apiGroup, asked.group)
  );
}

const isOrAll = (given: string, value: string): boolean => given === '*' || given === value;

/** Whether the policy names a user or group and every named one matches. */
function isSubject({ user, group }: AbacPolicy, { name, groups }: User): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || isOrAll(user, name)) && (group === '' || group === '*' || groups.includes(group));
}
