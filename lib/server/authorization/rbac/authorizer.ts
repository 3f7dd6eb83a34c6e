import { aggregateText } from '#lib/machinery/aggregate.ts';
import { UNAUTHENTICATED, type User } from '#lib/server/authentication/user.ts';
import { FRESH, RECENT } from '#lib/storage/lookup.ts';
import type { ReadAt } from '#lib/storage/storage.ts';
import type { Attributes, Authorizer, Decision } from '../authorizer.ts';
import { describeSource } from './binding.ts';
import type { Policy } from './policy.ts';
import type { PolicySource } from './policy-source.ts';
import { rulesFor, unresolvedRole } from './resolver.ts';
import { ruleAllows } from './rule.ts';

/** The number of decisions cached per policy, and the maximum length of a cached key. */
const KEPT = 8_192;
const LONGEST = 1_024;

/** The maximum age of a policy that may deny unauthenticated users, so that not each of their requests costs a read. */
const REFUSES: ReadAt = { kind: 'any', within: 5_000 };

/**
 * Upstream's RBAC authorizer. Allows requests according to a policy that is at most one second old. Denies only according to the current
 * policy. Denials of unauthenticated users may use a policy that is at most five seconds old.
 */
export function rbacAuthorizer(policies: PolicySource): Authorizer {
  return async (user, asked) => {
    if (user.groups.includes(UNAUTHENTICATED)) {
      const before = decide(await policies(REFUSES), user, asked);
      return before.decision === 'allow' ? decide(await policies(RECENT), user, asked) : before;
    }
    const decided = decide(await policies(RECENT), user, asked);
    return decided.decision === 'allow' ? decided : decide(await policies(FRESH), user, asked);
  };
}

/** The decision under the policy, cached in the policy. */
export function decide(policy: Policy, user: User, asked: Attributes): Decision {
  const { decisions } = policy;
  const key = keyOf(user, asked);
  const known = decisions.get(key);
  if (known !== undefined) return known;
  const decision = evaluate(policy, user, asked);
  if (decisions.size >= KEPT) decisions.clear();
  if (key.length <= LONGEST) decisions.set(key, decision);
  return decision;
}

/** A key of everything that a decision depends on. Names may contain any character, so they are quoted. */
function keyOf({ name, groups }: User, asked: Attributes): string {
  const { isResourceRequest, verb, namespace, group, resource, subresource, path } = asked;
  const what = isResourceRequest ? [group, resource, subresource, asked.name] : path;
  return JSON.stringify([name, groups, verb, namespace, what]);
}

function evaluate(policy: Policy, user: User, asked: Attributes): Decision {
  const errors: string[] = [];
  for (const resolved of rulesFor(policy, user, asked.namespace)) {
    if (resolved.rule === undefined) errors.push(unresolvedRole(resolved.missing));
    else if (ruleAllows(resolved.rule, asked)) {
      const { binding, subject } = resolved.source;
      return { decision: 'allow', reason: `RBAC: allowed by ${describeSource(binding, subject)}` };
    }
  }
  return { decision: 'noOpinion', reason: errors.length === 0 ? '' : `RBAC: ${aggregateText(errors)}` };
}
