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

/** The configuration of authentication: the users that the server knows, by their credentials. */
export interface AuthenticationOptions {
  /** Bearer tokens and whom they stand for. */
  readonly tokens: ReadonlyMap<string, User>;
  readonly serviceAccounts?: ServiceAccountOptions;
  /** Headers of authenticating proxies. Default none are believed. */
  readonly requestHeaders?: RequestHeaders;
  /** Default true: Secrets in kube-system. */
  readonly bootstrapTokens?: boolean;
  /** Whose ID tokens are accepted. */
  readonly issuers?: readonly Issuer[];
  /** The users that AWS identities stand for. */
  readonly aws?: AwsIdentities;
  readonly webhook?: TokenWebhook;
  /** Assertions of nodes, where no client certificate reaches the server. Default none are known. */
  readonly nodeAssertions?: NodeAssertions;
  /** Whether requests without credentials are let in. Default everywhere; false refuses them, paths let them in there alone. */
  readonly anonymous?: false | { readonly paths?: readonly string[] };
}

/** The configuration of service accounts' tokens. */
export interface ServiceAccountOptions {
  /** The first is whose tokens are made, the others are accepted still. */
  readonly issuers: readonly string[];
  keys(): Promise<readonly VerificationKey[]>;
  /** Default the issuers. */
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
  /** Tells an operator what is no fault, but may surprise. Default nobody. */
  reportWarning?(text: string): void;
}

/** The authenticator of requests, in upstream's order. Undefined of its result: the request is refused. */
export function authentication(options: AuthenticationOptions, ports: AuthenticationPorts): Authenticator {
  const own = audiencesOf(options);
  const tokens = firstOf(tokenChain(options, ports, own), [INVALID_TOKEN]);
  const asserted = options.nodeAssertions; // known by its beginning, and shown to no other
  const bearer = asserted === undefined ? tokens : nodeAssertions(asserted, ports.clock, tokens);
  const proven = firstOf([
    ...proxies(options, ports), // a proxy vouches for the user: its own certificate is not the user's
    x509(ports.clock), // the connection's certificate, verified by TLS
    bearerToken(bearer), // Authorization: Bearer
    webSocketToken(bearer), // the same, as browsers send it
  ]);
  const known = withAuthenticatedGroup(proven);
  if (options.anonymous === false) return known;
  const nobody = anonymous(options.anonymous?.paths);
  return async (credentials) => (await known(credentials)) ?? nobody(credentials); // a wrong credential is never anonymous
}

/** Those of this server: its service accounts' issuer knows it by them. */
export const audiencesOf = ({ serviceAccounts }: AuthenticationOptions): readonly string[] =>
  serviceAccounts?.audiences ?? serviceAccounts?.issuers ?? [];

function tokenChain(
  options: AuthenticationOptions,
  ports: AuthenticationPorts,
  own: readonly string[],
): readonly TokenAuthenticator[] {
  return [
    audienceAgnostic(own, tokenFile(options.tokens)), // a hash: cheapest
    ...serviceAccountTokens(options.serviceAccounts, ports, own), // signed here: nothing is asked for that is not ours
    ...(options.bootstrapTokens === false ? [] : [audienceAgnostic(own, bootstrapTokens(ports))]), // one look a second at most
    ...aws(options, ports, own), // one call to STS a minute and token
    ...idTokens(options, ports, own), // after ours: an issuer may say it is us
    ...webhook(options, ports, own), // last: everything that nobody here knows goes out
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
    legacyTokens({ ...given, ...defined({ label: labelSecret }) }), // of Secrets
    boundTokens({ ...given, issuers: options.issuers }), // of TokenRequest
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
