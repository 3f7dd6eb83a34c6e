import { NO_RULES, type RuleResolver } from '../rule-resolver.ts';
import { nodeNameOf } from './identity.ts';

/** Lists no rules, because a node's permissions depend on its pods. */
export const nodeRules: RuleResolver = async (user) =>
  nodeNameOf(user) === undefined
    ? NO_RULES
    : { ...NO_RULES, incomplete: true, evaluationError: 'node authorizer does not support user rule resolution' };
