import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Authenticator } from '#lib/server/authentication/authenticator.ts';
import {
  type AuthenticationOptions,
  type AuthenticationPorts,
  audiencesOf,
  authentication,
} from '#lib/server/authentication/chain.ts';
import type { HttpsGetter } from '#lib/server/authentication/https-getter.ts';
import type { NodeAssertions } from '#lib/server/authentication/node-assertion/authenticator.ts';
import type { Issuer } from '#lib/server/authentication/oidc/validate.ts';
import { isIdentityHeader } from '#lib/server/authentication/request-header.ts';
import {
  type ServiceAccountKeys,
  serviceAccountIdentity,
} from '#lib/server/authentication/service-account/identity.ts';
import { TokenUses } from '#lib/server/authentication/service-account/token-uses.ts';
import { TokenCacheMetrics } from '#lib/server/authentication/token-cache-metrics.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { storageLookup } from '#lib/storage/lookup.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { LOOPBACK, type Loopback } from './loopback.ts';

const SECRETS = { group: '', version: 'v1', resource: 'secrets' };

/** How the server authenticates requests. */
export interface AuthenticatorOptions {
  readonly clock: Clock;
  /** Bearer tokens and the users that they authenticate. */
  readonly tokens: ReadonlyMap<string, User>;
  /** `host:port`, as discovery reports it. */
  readonly serverAddress: string;
  /** Keys that sign and verify service account tokens. Without keys, no such tokens exist. */
  readonly serviceAccounts?: ServiceAccountKeys;
  /** Fetches the keys of ID token issuers. Without it, no issuer is contacted. */
  readonly https?: HttpsGetter;
  /** Further authenticators and their settings. */
  readonly authentication?: Omit<AuthenticationOptions, 'tokens' | 'serviceAccounts' | 'nodeAssertions'>;
  /** Authenticates nodes without a client certificate. Default: such nodes are not authenticated. */
  readonly nodeAssertions?: Omit<NodeAssertions, 'host'>;
  reportFault(auditId: string, error: unknown): void;
  /** Reports conditions that are not faults but may surprise an operator. Default: not reported. */
  reportWarning?(text: string): void;
}

interface Parts {
  readonly storageOf: StorageOf;
  readonly webhooks: WebhookClient | undefined;
  readonly loopback: Loopback;
}

/** The chain of `lib/server/authentication/chain.ts`, and the parts that depend on it. */
export function authenticators(options: AuthenticatorOptions, parts: Parts) {
  const { webhooks, loopback } = parts;
  const { serverAddress: host, nodeAssertions } = options;
  const accounts = options.serviceAccounts && serviceAccountIdentity(options.serviceAccounts, options.serverAddress);
  const chain = {
    ...options.authentication,
    tokens: new Map([...options.tokens, [loopback.token, LOOPBACK]]),
    ...defined({ serviceAccounts: accounts, nodeAssertions: nodeAssertions && { ...nodeAssertions, host } }),
  };
  const tokenCache = new TokenCacheMetrics(options.clock);
  const tokenUses = new TokenUses();
  const ports: AuthenticationPorts = {
    clock: options.clock,
    tokenCache,
    tokenUses,
    lookup: storageLookup({ storageOf: parts.storageOf, cluster: DEFAULT_CLUSTER }),
    ...defined({ webhooks, https: options.https }),
    reportWarning: (text) => options.reportWarning?.(text),
    labelSecret: async ({ namespace, name, uid }, labels) => {
      const patch = { metadata: { uid, labels } };
      const written = loopback.client.patch({ resource: SECRETS, namespace, name }, patch);
      await written.catch((error: unknown) => options.reportFault('', error));
    },
  };
  let current = authentication(chain, ports);
  const { requestHeaders } = chain;
  return {
    /** The ports that the endpoints need. */
    ports: {
      authenticator: ((credentials) => current(credentials)) satisfies Authenticator,
      audiences: audiencesOf(chain),
      isIdentityHeader: isIdentityHeader(requestHeaders),
      ...defined({ nodeRealm: nodeAssertions?.cluster }),
      ...(accounts === undefined ? {} : { tokenIssuer: accounts.tokenIssuer }),
      ...(accounts?.metadata === undefined ? {} : { openIdMetadata: accounts.metadata }),
    },
    acceptIssuers: (issuers: readonly Issuer[]) => void (current = authentication({ ...chain, issuers }, ports)),
    collectors: [tokenCache, tokenUses],
  };
}
