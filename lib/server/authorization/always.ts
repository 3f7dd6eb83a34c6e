import { ALLOW, type Authorizer, noOpinion } from './authorizer.ts';
import { NO_RULES, type RuleResolver } from './rule-resolver.ts';

/** Lets everyone do everything: upstream's AlwaysAllow, for tests of clients. */
export const alwaysAllow: Authorizer = async () => ALLOW;

/** Lets nobody but the administrators do anything: upstream's AlwaysDeny. */
export const alwaysDeny: Authorizer = async () => noOpinion('Everything is forbidden.');

/** Lists every right, for AlwaysAllow. */
export const everyRule: RuleResolver = async () => ({
  ...NO_RULES,
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});

/** Lists no right, for AlwaysDeny. */
export const noRules: RuleResolver = async () => NO_RULES;
