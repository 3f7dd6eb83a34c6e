import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import { anonymous } from './anonymous.ts';
import {
  type Authenticator,
  audienceAgnostic,
  firstOf,
  type TokenAuthenticator,
  withAuthenticatedGroup,
} from './authenticator.ts';
import { type AwsIdentities, awsTokens } from './aws/authenticator.ts';
import { bearerToken, INVALID_TOKEN, webSocketToken } from './bearer-token.ts';
import { bootstrapTokens } from './bootstrap-token.ts';
import type { HttpsGetter } from './https-getter.ts';
import type { VerificationKey } from './key.ts';
import { type NodeAssertions, nodeAssertions } from './node-assertion/authenticator.ts';
import { oidc } from './oidc/authenticator.ts';
import type { Issuer } from './oidc/validate.ts';
import { type RequestHeaders, requestHeader } from './request-header.ts';
import { boundTokens } from './service-account/bound-token.ts';
import { type LegacyTokens, legacyTokens } from './service-account/legacy-token.ts';
import type { TokenUses } from './service-account/token-uses.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';
import { tokenFile } from './token-file.ts';
import type { User } from './user.ts';
import { type TokenWebhook, tokenWebhook } from './webhook.ts';
import { x509 } from './x509.ts';

/** The configuration of authentication, by type of credential. */
export interface AuthenticationOptions {
  /** Bearer tokens and their users. */
  readonly tokens: ReadonlyMap<string, User>;
  readonly serviceAccounts?: ServiceAccountOptions;
  /** Headers of authenticating proxies. Default: none are trusted. */
  readonly requestHeaders?: RequestHeaders;
  /** Whether to accept tokens of Secrets in kube-system. Default true. */
  readonly bootstrapTokens?: boolean;
  /** The issuers whose ID tokens are accepted. */
  readonly issuers?: readonly Issuer[];
  /** The users of AWS identities. */
  readonly aws?: AwsIdentities;
  readonly webhook?: TokenWebhook;
  /** Assertions of nodes, for servers that client certificates do not reach. Default: none are accepted. */
  readonly nodeAssertions?: NodeAssertions;
  /**
   * Whether requests without credentials are allowed. Default: on every path. `false` rejects them, `paths` allows them only on those
   * paths.
   */
  readonly anonymous?: false | { readonly paths?: readonly string[] };
}

/** The configuration of service account tokens. */
export interface ServiceAccountOptions {
  /** The first one issues new tokens. Tokens of the others are accepted. */
  readonly issuers: readonly string[];
  keys(): Promise<readonly VerificationKey[]>;
  /** Defaults to the issuers. */
  readonly audiences?: readonly string[];
}

/** The ports of authentication. */
export interface AuthenticationPorts {
  readonly clock: Clock;
  readonly lookup: Pick<Lookup, 'find' | 'findFresh' | 'named'>;
  readonly webhooks?: WebhookClient;
  readonly https?: HttpsGetter;
  readonly labelSecret?: LegacyTokens['label'];
  readonly tokenCache?: TokenCacheMetrics;
  readonly tokenUses?: TokenUses;
  /** Reports a condition that is not an error but may surprise an operator. Optional. */
  reportWarning?(text: string): void;
}

/** The authenticator of requests, in upstream's order. A request for which it returns undefined is rejected. */
export function authentication(options: AuthenticationOptions, ports: AuthenticationPorts): Authenticator {
  const own = audiencesOf(options);
  const tokens = firstOf(tokenChain(options, ports, own), [INVALID_TOKEN]);
  const asserted = options.nodeAssertions; // recognized by its prefix and never passed to other authenticators
  const bearer = asserted === undefined ? tokens : nodeAssertions(asserted, ports.clock, tokens);
  const proven = firstOf([
    ...proxies(options, ports), // a proxy vouches for the user, so its own certificate is not the user's
    x509(ports.clock), // the connection's certificate, verified by TLS
    bearerToken(bearer), // Authorization: Bearer
    webSocketToken(bearer), // the same token as a WebSocket subprotocol, for browsers
  ]);
  const known = withAuthenticatedGroup(proven);
  if (options.anonymous === false) return known;
  const nobody = anonymous(options.anonymous?.paths);
  return async (credentials) => (await known(credentials)) ?? nobody(credentials); // an invalid credential is never anonymous
}

/** The audiences of this server, which its service account issuer uses. */
export const audiencesOf = ({ serviceAccounts }: AuthenticationOptions): readonly string[] =>
  serviceAccounts?.audiences ?? serviceAccounts?.issuers ?? [];

function tokenChain(
  options: AuthenticationOptions,
  ports: AuthenticationPorts,
  own: readonly string[],
): readonly TokenAuthenticator[] {
  return [
    audienceAgnostic(own, tokenFile(options.tokens)), // one hash: the cheapest check
    ...serviceAccountTokens(options.serviceAccounts, ports, own), // signed by this server: no call for other tokens
    ...(options.bootstrapTokens === false ? [] : [audienceAgnostic(own, bootstrapTokens(ports))]), // at most one fresh read per second
    ...aws(options, ports, own), // one call to STS per minute and token
    ...idTokens(options, ports, own), // after this server's own tokens: an issuer may claim to be this server
    ...webhook(options, ports, own), // last: sends every token that is still unknown to another server
  ];
}

function serviceAccountTokens(
  options: ServiceAccountOptions | undefined,
  { lookup, clock, labelSecret, tokenUses: uses }: AuthenticationPorts,
  audiences: readonly string[],
): readonly TokenAuthenticator[] {
  if (options === undefined) return [];
  const given = { keys: options.keys, audiences, lookup, clock, uses };
  return [
    legacyTokens({ ...given, ...defined({ label: labelSecret }) }), // tokens of Secrets
    boundTokens({ ...given, issuers: options.issuers }), // tokens of TokenRequest
  ];
}

function aws(
  { aws: identities }: AuthenticationOptions,
  { https, clock, tokenCache, lookup, reportWarning }: AuthenticationPorts,
  own: readonly string[],
): readonly TokenAuthenticator[] {
  if (identities === undefined) return [];
  if (https === undefined) throw new TypeError('identities of AWS need a way out: https');
  return [
    audienceAgnostic(own, awsTokens(identities, { https, clock, tokenCache, lookup, ...defined({ reportWarning }) })),
  ];
}

function idTokens(
  { issuers = [] }: AuthenticationOptions,
  { https, clock }: AuthenticationPorts,
  own: readonly string[],
): readonly TokenAuthenticator[] {
  if (issuers.length === 0) return [];
  if (https === undefined) throw new TypeError('issuers need a way out: https');
  return issuers.map((issuer) => audienceAgnostic(own, oidc(issuer, { https, clock })));
}

function webhook(
  options: AuthenticationOptions,
  { webhooks, clock, tokenCache }: AuthenticationPorts,
  audiences: readonly string[],
): readonly TokenAuthenticator[] {
  if (options.webhook === undefined) return [];
  if (webhooks === undefined) throw new TypeError('a token webhook needs a way out: webhooks');
  return [tokenWebhook(options.webhook, { webhooks, clock, audiences, tokenCache })];
}

function proxies({ requestHeaders }: AuthenticationOptions, { clock }: AuthenticationPorts): readonly Authenticator[] {
  return requestHeaders === undefined ? [] : [requestHeader(requestHeaders, clock)];
}
