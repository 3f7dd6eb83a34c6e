import type { Clock } from '#lib/machinery/clock.ts';
import { unauthorized } from '#lib/machinery/errors.ts';
import { arrayAt, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import { withBackoff } from '#lib/server/webhook/backoff.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import type { TokenAuthenticator } from './authenticator.ts';
import { type AskedAuthenticator, cachedTokens } from './cached-token.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';
import type { User } from './user.ts';

/** The configuration of a token webhook. */
export interface TokenWebhook {
  readonly config: ClientConfig;
  /** How long results are cached, in ms. Default two minutes. */
  readonly ttl?: number;
  /** The timeout of each attempt. Default 10 seconds. */
  readonly timeoutSeconds?: number;
}

/** The ports of a token webhook. */
export interface TokenWebhookPorts {
  readonly webhooks: WebhookClient;
  readonly clock: Clock;
  /** This server's audiences, which a result without audiences has by default. */
  readonly audiences: readonly string[];
  readonly tokenCache?: TokenCacheMetrics | undefined;
}

const TTL = 120_000;

/** Calls a webhook with TokenReview v1. Throws 401 if it cannot be called. */
export function tokenWebhook(given: TokenWebhook, ports: TokenWebhookPorts): TokenAuthenticator {
  const ask: AskedAuthenticator = async (token, { audiences }) => {
    const spec = { token, ...(audiences === undefined ? {} : { audiences: [...audiences] }) };
    const status = objectAt(await reviewed(given, ports, spec), 'status') ?? {};
    return read(status, audiences, ports.audiences);
  };
  return cachedTokens(ask, { clock: ports.clock, ttl: given.ttl ?? TTL, metrics: ports.tokenCache });
}

async function reviewed(
  { config, timeoutSeconds = 10 }: TokenWebhook,
  { webhooks, clock }: TokenWebhookPorts,
  spec: JsonObject,
): Promise<JsonObject> {
  const body = {
    kind: 'TokenReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {},
    spec,
    status: { user: {} },
  };
  try {
    return await withBackoff(clock, () => webhooks.call({ config, body, timeoutSeconds }));
  } catch (error) {
    if (error instanceof WebhookError) throw unauthorized(error.message);
    throw error;
  }
}

function read(
  status: JsonObject,
  asked: readonly string[] | undefined,
  own: readonly string[],
): Awaited<ReturnType<AskedAuthenticator>> {
  const named = strings(status, 'audiences');
  const audiences = asked?.filter((audience) => (named.length > 0 ? named : own).includes(audience));
  if (audiences?.length === 0) return undefined;
  const error = stringAt(status, 'error') ?? '';
  if (status['authenticated'] !== true) {
    return error === '' ? undefined : { refused: error };
  }
  const user = userOf(objectAt(status, 'user') ?? {});
  return audiences === undefined ? { user } : { user, audiences };
}

function userOf(info: JsonObject): User {
  const uid = stringAt(info, 'uid') ?? '';
  const extra = objectAt(info, 'extra') ?? {};
  return {
    name: stringAt(info, 'username') ?? '',
    groups: strings(info, 'groups'),
    ...(uid === '' ? {} : { uid }),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key, strings(extra, key)])),
  };
}

const strings = (object: JsonObject, field: string): string[] =>
  arrayAt(object, field).filter((one) => typeof one === 'string');
