import { SYSTEM_MASTERS, type User } from '#lib/authentication/user.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** What someone may do in a namespace, as far as it can be listed. */
export interface Rules {
  readonly resourceRules: JsonObject[];
  readonly nonResourceRules: JsonObject[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}
export type RuleResolver = (user: User, namespace: string) => Promise<Rules>;

const EVERYTHING: Rules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};
const UNKNOWN: Rules = { resourceRules: [], nonResourceRules: [], incomplete: true };

/** The superuser's rules; of anyone else nothing is known here. */
export const superuserRules: RuleResolver = async (user) =>
  user.groups.includes(SYSTEM_MASTERS) ? EVERYTHING : UNKNOWN;
