import { NO_RULES, type RuleResolver } from '../rule-resolver.ts';
import { nodeNameOf } from './identity.ts';

/** What a node may do depends on its pods: it cannot be listed. */
export const nodeRules: RuleResolver = async (user) =>
  nodeNameOf(user) === undefined
    ? NO_RULES
    : { ...NO_RULES, incomplete: true, evaluationError: 'node authorizer does not support user rule resolution' };
