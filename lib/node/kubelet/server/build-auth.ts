import { SUBJECT_ACCESS_REVIEWS, TOKEN_REVIEWS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { stringAt } from '#lib/machinery/json-value.ts';
import { tokenWebhook } from '#lib/server/authentication/webhook.ts';
import { alwaysAllow } from '#lib/server/authorization/always.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import { AuthorizationMetrics } from '#lib/server/authorization/metrics.ts';
import { webhookAuthorizer } from '#lib/server/authorization/webhook/authorizer.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import type { KubeletConfiguration } from '../apis/config/types.ts';
import { type NodeAuth, nodeAuthenticator, userPermit } from './auth.ts';
import type { Permit } from './permit.ts';

/** Reviews go to the API server via the node's own client, so there is nothing to configure. */
const API_SERVER = { caBundle: '' };
/** Upstream's time-out for a review in seconds. */
const TIMEOUT = 10;

/** The inputs for authorization at a node's port. */
export interface BuildAuthOptions extends Pick<NodeAuth, 'node' | 'onFault'> {
  readonly configuration: Pick<KubeletConfiguration, 'authentication' | 'authorization'>;
  /** Creates TokenReviews and SubjectAccessReviews. */
  readonly client: Pick<Client, 'create'>;
  readonly clock: Clock;
}

/** The authorization for a node's port from the configuration (upstream: BuildAuth). Throws Error for an invalid configuration. */
export function buildAuth({ node, onFault, configuration, client, clock }: BuildAuthOptions): Permit {
  const { x509, webhook, anonymous } = configuration.authentication;
  const webhooks = reviewsOf(client);
  const tokens = () => tokenWebhook({ config: API_SERVER, ttl: webhook.cacheTTL }, { webhooks, clock, audiences: [] });
  const authenticate = nodeAuthenticator({
    clock,
    x509: x509.clientCAFile !== '',
    ...(webhook.enabled ? { tokens: tokens() } : {}),
    anonymous: anonymous.enabled,
  });
  return userPermit({ node, onFault, authenticate, authorize: authorizerOf(configuration, webhooks, clock) });
}

/** Upstream's BuildAuthz. */
function authorizerOf(
  { authorization: { mode, webhook } }: BuildAuthOptions['configuration'],
  webhooks: WebhookClient,
  clock: Clock,
): Authorizer {
  if (mode === 'AlwaysAllow') return alwaysAllow;
  if (mode !== 'Webhook') throw new Error(`unknown authorization mode ${mode}`);
  const asked = {
    config: API_SERVER,
    timeoutSeconds: TIMEOUT,
    authorizedTtl: webhook.cacheAuthorizedTTL,
    unauthorizedTtl: webhook.cacheUnauthorizedTTL,
    failurePolicy: 'NoOpinion',
    matchConditions: [],
  } as const;
  return webhookAuthorizer(
    { name: 'kubelet', webhook: asked },
    { webhooks, clock, metrics: new AuthorizationMetrics(clock) },
  );
}

/** Uses the API server instead of webhooks, because it handles the same reviews. */
const reviewsOf = (client: Pick<Client, 'create'>): WebhookClient => ({
  async call({ body }) {
    const resource = stringAt(body, 'kind') === 'TokenReview' ? TOKEN_REVIEWS : SUBJECT_ACCESS_REVIEWS;
    try {
      return await client.create(resource, body);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw new WebhookError('refused', error.message, { status: error.code, cause: error });
    }
  },
});
