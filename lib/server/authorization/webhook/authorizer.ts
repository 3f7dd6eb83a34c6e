import type { Clock } from '#lib/machinery/clock.ts';
import { Expiring } from '#lib/machinery/expiring.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import { withBackoff } from '#lib/server/webhook/backoff.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import { type Attributes, type Authorizer, type Decision, noOpinion } from '../authorizer.ts';
import type { AuthorizationMetrics } from '../metrics.ts';
import { NO_RULES, type RuleResolver } from '../rule-resolver.ts';
import { matchConditions } from './match-conditions.ts';
import { reviewSpec } from './review.ts';

/** The configuration of an authorization webhook. Durations are in ms. A cache duration of 0 disables caching. */
export interface AuthorizationWebhook {
  readonly config: ClientConfig;
  readonly timeoutSeconds: number;
  readonly authorizedTtl: number;
  readonly unauthorizedTtl: number;
  /** The decision if the webhook cannot be called. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** CEL expressions over the spec of the review. The webhook is called only if all are true. */
  readonly matchConditions: readonly string[];
}

const KEPT = 8_192;
/** The maximum length in characters of a request that is cached, because users control its length. */
const LONGEST = 10_000;

/** The ports of an authorization webhook. */
export interface WebhookPorts {
  readonly webhooks: WebhookClient;
  readonly clock: Clock;
  readonly metrics: AuthorizationMetrics;
}

interface Named {
  readonly name: string;
  readonly webhook: AuthorizationWebhook;
}

/** Calls a webhook with SubjectAccessReview v1: upstream's webhook authorizer. Throws TypeError if a condition does not compile. */
export function webhookAuthorizer(
  { name, webhook: given }: Named,
  { webhooks, clock, metrics }: WebhookPorts,
): Authorizer {
  const answers = new Expiring<JsonObject>(KEPT);
  const concerns = matchConditions(given.matchConditions);
  const failed = (error: string): Decision =>
    given.failurePolicy === 'Deny' ? { decision: 'deny', reason: '', error } : noOpinion('', error);

  const statusOf = async (spec: JsonObject): Promise<JsonObject> => {
    const key = encodeJson(spec);
    const known = answers.get(key, clock.monotonic());
    if (known !== undefined) return known;
    const body = {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec,
      status: { allowed: false },
    };
    const { config, timeoutSeconds } = given;
    const call = () => withBackoff(clock, () => webhooks.call({ config, body, timeoutSeconds }));
    const answer = await metrics.called(name, call);
    const status = objectAt(answer, 'status') ?? {};
    const ttl = ownField(status, 'allowed') === true ? given.authorizedTtl : given.unauthorizedTtl;
    if (ttl > 0 && key.length <= LONGEST) answers.set(key, status, clock.monotonic() + ttl);
    return status;
  };

  return async (user: User, asked: Attributes) => {
    const matched = concerns(user, asked);
    if (matched !== true) metrics.conditions(name, matched);
    if (typeof matched === 'string') return failed(matched);
    if (!matched) return noOpinion();
    try {
      return decisionOf(await statusOf(reviewSpec(user, asked)));
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      if (given.failurePolicy === 'NoOpinion') metrics.failedOpen(name);
      return failed(error.message);
    }
  };
}

function decisionOf(status: JsonObject): Decision {
  const [allowed, denied] = [ownField(status, 'allowed') === true, ownField(status, 'denied') === true];
  const reason = stringAt(status, 'reason') ?? '';
  if (denied && allowed)
    return { decision: 'deny', reason, error: 'webhook subject access review returned both allow and deny response' };
  if (denied) return { decision: 'deny', reason };
  return { decision: allowed ? 'allow' : 'noOpinion', reason };
}

/** Lists no rules, because a webhook decides each request separately. */
export const webhookRules: RuleResolver = async () => ({
  ...NO_RULES,
  incomplete: true,
  evaluationError: 'webhook authorizer does not support user rule resolution',
});
