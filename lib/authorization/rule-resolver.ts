import type { User } from '#lib/authentication/user.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** What someone may do in a namespace, as far as it can be listed. */
export interface Rules {
  readonly resourceRules: JsonObject[];
  readonly nonResourceRules: JsonObject[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}
export type RuleResolver = (user: User, namespace: string) => Promise<Rules>;
