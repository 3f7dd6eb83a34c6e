import { ALLOW, type Authorizer, noOpinion } from './authorizer.ts';
import { NO_RULES, type RuleResolver } from './rule-resolver.ts';

/** Allows everything: upstream's AlwaysAllow, for client tests. */
export const alwaysAllow: Authorizer = async () => ALLOW;

/** Denies everything except to administrators: upstream's AlwaysDeny. */
export const alwaysDeny: Authorizer = async () => noOpinion('Everything is forbidden.');

/** Lists every permission, for AlwaysAllow. */
export const everyRule: RuleResolver = async () => ({
  ...NO_RULES,
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});

/** Lists no permission, for AlwaysDeny. */
export const noRules: RuleResolver = async () => NO_RULES;
