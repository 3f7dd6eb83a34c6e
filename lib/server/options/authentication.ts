import { X509Certificate } from 'node:crypto';
import { defined } from '#lib/machinery/defined.ts';
import { aggregate } from '#lib/machinery/validation/field.ts';
import { parseIdentityMap } from '#lib/server/authentication/aws/identity-map-file.ts';
import type { AuthenticationOptions } from '#lib/server/authentication/chain.ts';
import { type AuthenticationConfiguration, parseConfiguration } from '#lib/server/authentication/configuration.ts';
import { validateConfiguration } from '#lib/server/authentication/oidc/validate.ts';
import type { RequestHeaders } from '#lib/server/authentication/request-header.ts';
import { ISSUER } from '#lib/server/authentication/service-account/identity.ts';
import { parseTokenFile } from '#lib/server/authentication/token-file.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { type Files, OptionError, readIfGiven } from './files.ts';
import { issuerOf, type OidcFlags } from './oidc.ts';
import { webhookIn } from './webhook-kubeconfig.ts';

/** Upstream's authentication flags, with upstream's names. */
export interface AuthenticationFlags extends OidcFlags {
  readonly clientCaFile?: string;
  readonly enableBootstrapTokenAuth?: string;
  readonly anonymousAuth?: string;
  readonly tokenAuthFile?: string;
  readonly authenticationConfig?: string;
  readonly authenticationTokenWebhookConfigFile?: string;
  readonly awsIdentityMap?: string;
  readonly requestheaderClientCaFile?: string;
  readonly requestheaderAllowedNames: string;
  readonly requestheaderUsernameHeaders: string;
  readonly requestheaderUidHeaders: string;
  readonly requestheaderGroupHeaders: string;
  readonly requestheaderExtraHeadersPrefix: string;
}

/** Upstream's defaults for these flags. */
export const AUTHENTICATION_DEFAULTS = {
  requestheaderAllowedNames: '',
  requestheaderUsernameHeaders: 'X-Remote-User',
  requestheaderUidHeaders: 'X-Remote-Uid',
  requestheaderGroupHeaders: 'X-Remote-Group',
  requestheaderExtraHeadersPrefix: 'X-Remote-Extra-',
} as const;

/** The authentication configuration from the flags. */
export interface ReadAuthentication {
  /** The users by bearer token. */
  readonly tokens: ReadonlyMap<string, User>;
  readonly authentication: Omit<AuthenticationOptions, 'tokens' | 'serviceAccounts'>;
  /** Certificates of additional client CAs in PEM. */
  readonly clientCa?: string;
  /** Certificates of the CAs of authenticating proxies in PEM. */
  readonly proxyCa?: string;
}

/** The flags together with those of other subjects: the server's own issuers, and whether everything is allowed. */
type GivenFlags = AuthenticationFlags & {
  readonly serviceAccountIssuer?: readonly string[];
  readonly authorizationMode?: string;
};

/** Reads the flags. Throws OptionError that names the invalid file. */
export function authenticationOf(flags: GivenFlags, files: Files): ReadAuthentication {
  const { tokenAuthFile, authenticationConfig, authenticationTokenWebhookConfigFile: webhook } = flags;
  const own = flags.serviceAccountIssuer?.[0] === undefined ? [ISSUER] : flags.serviceAccountIssuer;
  const configured = readIfGiven(files, authenticationConfig, (text) => optionsOf(parseConfiguration(text), own));
  const oidc = oidcOf(flags, own, files);
  const map = readIfGiven(files, flags.awsIdentityMap, parseIdentityMap);
  const reviewer = webhook === undefined ? undefined : { config: webhookIn(files, webhook) };
  const proxyCa = readIfGiven(files, flags.requestheaderClientCaFile, authorities);
  const clientCa = readIfGiven(files, flags.clientCaFile, authorities);
  refuseOverlap(flags, clientCa, proxyCa);
  return {
    tokens: readIfGiven(files, tokenAuthFile, parseTokenFile) ?? new Map(),
    ...(clientCa === undefined ? {} : { clientCa: clientCa.join('\n') }),
    ...(proxyCa === undefined ? {} : { proxyCa: proxyCa.join('\n') }),
    authentication: {
      ...configured,
      ...oidc,
      ...bootstrapOf(flags),
      ...anonymousOf(flags, configured),
      ...(map === undefined ? {} : { aws: { map } }),
      ...defined({ webhook: reviewer }),
      ...(proxyCa === undefined ? {} : { requestHeaders: requestHeadersOf(flags) }),
    },
  };
}

/** The certificates in a text, each in Node's PEM form. Throws TypeError if there is none, Error if one cannot be parsed. */
export function authorities(text: string): string[] {
  const found = [...text.matchAll(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)].map(([pem]) => pem);
  if (found.length === 0) throw new TypeError('data does not contain any valid RSA or ECDSA certificates');
  return found.map((pem) => new X509Certificate(pem).toString());
}

/** Rejects a CA for both clients and proxies if no names are specified. Any client could then act as a proxy for any user. */
function refuseOverlap(
  { requestheaderAllowedNames }: AuthenticationFlags,
  clientCa: readonly string[] = [],
  proxyCa: readonly string[] = [],
): void {
  if (requestheaderAllowedNames !== '' || !clientCa.some((one) => proxyCa.includes(one))) return;
  throw new OptionError(
    '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified',
  );
}

function bootstrapOf(flags: AuthenticationFlags): Pick<AuthenticationOptions, 'bootstrapTokens'> {
  const { enableBootstrapTokenAuth: given } = flags;
  return given === undefined ? {} : { bootstrapTokens: boolean('--enable-bootstrap-token-auth', given) };
}

function boolean(flag: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new OptionError(`${flag} is true or false`);
  return text === 'true';
}

function oidcOf(
  flags: AuthenticationFlags,
  own: readonly string[],
  files: Files,
): Pick<AuthenticationOptions, 'issuers'> {
  const issuer = issuerOf(
    flags,
    readIfGiven(files, flags.oidcCaFile, (text) => text),
  );
  if (issuer === undefined) return {};
  if (flags.authenticationConfig !== undefined)
    throw new OptionError('authentication-config file and oidc-* flags are mutually exclusive');
  const { issuers, errors } = validateConfiguration({ ...NO_CONFIGURATION, jwt: [issuer] }, own);
  if (errors.length > 0) throw new OptionError(`invalid authentication configuration: ${aggregate(errors)}`);
  return { issuers };
}

const NO_CONFIGURATION = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' } as const;

function optionsOf(
  configuration: AuthenticationConfiguration,
  own: readonly string[],
): Pick<AuthenticationOptions, 'issuers' | 'anonymous'> {
  const { issuers, errors } = validateConfiguration(configuration, own);
  if (errors.length > 0) throw new TypeError(aggregate(errors));
  return { issuers, ...anonymousIn(configuration) };
}

function anonymousIn({ anonymous }: AuthenticationConfiguration): Pick<AuthenticationOptions, 'anonymous'> {
  if (anonymous === undefined) return {};
  if (!anonymous.enabled) return { anonymous: false };
  const paths = anonymous.conditions.map(({ path }) => path);
  return { anonymous: paths.length === 0 ? {} : { paths } };
}

/** Upstream's rule: if everything is allowed, anonymous requests are not allowed unless a file enables them. */
function anonymousOf(
  { anonymousAuth, authenticationConfig, authorizationMode = '' }: GivenFlags,
  configured: Pick<AuthenticationOptions, 'anonymous'> | undefined,
): Pick<AuthenticationOptions, 'anonymous'> {
  const isLetIn = anonymousAuth === undefined || boolean('--anonymous-auth', anonymousAuth);
  if (configured?.anonymous === undefined)
    return isLetIn && !listed(authorizationMode).includes('AlwaysAllow') ? {} : { anonymous: false };
  if (anonymousAuth === undefined) return {};
  throw new OptionError(`--anonymous-auth and anonymous in ${authenticationConfig ?? ''} exclude each other`);
}

const listed = (text: string): string[] => text.split(',').filter((one) => one !== '');

const requestHeadersOf = (flags: AuthenticationFlags): RequestHeaders => ({
  allowedNames: listed(flags.requestheaderAllowedNames),
  usernameHeaders: listed(flags.requestheaderUsernameHeaders),
  uidHeaders: listed(flags.requestheaderUidHeaders),
  groupHeaders: listed(flags.requestheaderGroupHeaders),
  extraHeaderPrefixes: listed(flags.requestheaderExtraHeadersPrefix),
});
