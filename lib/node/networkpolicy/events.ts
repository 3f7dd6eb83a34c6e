import type { NetworkPolicy } from '#lib/api/types/networking.v1.ts';
import { parsePolicy } from './policy.ts';

/** The reason and message of a warning. */
export interface PolicyWarning {
  readonly reason: string;
  readonly message: string;
}

/** The warnings about a policy: one for each invalid part, which therefore allows nothing. */
export const warningsOf = (policy: NetworkPolicy): PolicyWarning[] =>
  parsePolicy(policy).problems.map(({ field, message }) => ({
    reason: 'InvalidRule',
    message: `${field} allows nothing: it ${message}`,
  }));

/** The warning about a node whose rules do not see bridged packets, because `setting` could not be set. */
export const bridgeFilterMissing = (setting: string): PolicyWarning => ({
  reason: 'BridgeFilterMissing',
  message: `Network policies do not apply between pods of one bridge: ${setting} cannot be set to 1. Load the module br_netfilter.`,
});
