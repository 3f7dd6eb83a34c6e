import { X509Certificate } from 'node:crypto';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { parseIdentityMap } from '#lib/authentication/aws/identity-map-file.ts';
import type { AuthenticationOptions } from '#lib/authentication/chain.ts';
import { parseConfiguration, type AuthenticationConfiguration } from '#lib/authentication/configuration.ts';
import { validateConfiguration } from '#lib/authentication/oidc/validate.ts';
import type { RequestHeaders } from '#lib/authentication/request-header.ts';
import { parseTokenFile } from '#lib/authentication/token-file.ts';
import { defined } from '#lib/machinery/defined.ts';
import { aggregate } from '#lib/machinery/validation/field.ts';
import { ISSUER } from '#lib/authentication/service-account/identity.ts';
import type { StartOptions } from '../start-options.ts';
import { issuerOf, oidcFlags, type OidcFlags } from './oidc.ts';
import { namedFile } from '../named-file.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import { webhookOf } from '../webhook-kubeconfig.ts';

/** Upstream's flags of who is known, under their names. */
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

/** Adds the flags to the command. */
export function authenticationFlags(command: Command): Command {
  return oidcFlags(command)
    .option('--client-ca-file <path>', 'an additional authority of client certificates, PEM')
    .option('--enable-bootstrap-token-auth <bool>', 'accept bootstrap tokens, which are Secrets in kube-system')
    .option(
      '--anonymous-auth <bool>',
      'accept requests without credentials as system:anonymous; never with the mode AlwaysAllow',
    )
    .option('--token-auth-file <path>', 'bearer tokens: lines of token,user,uid,"group,group"')
    .option('--authentication-config <path>', 'an AuthenticationConfiguration: issuers of ID tokens')
    .option('--authentication-token-webhook-config-file <path>', 'a kubeconfig of the webhook that reviews tokens')
    .option(
      '--aws-identity-map <path>',
      'a map of AWS identities for tokens of `aws eks get-token`: clusterID, mapRoles, mapUsers',
    )
    .option('--requestheader-client-ca-file <path>', 'the authority of authenticating proxies, PEM')
    .option('--requestheader-allowed-names <names>', 'accepted common names of proxies; empty accepts any', '')
    .option('--requestheader-username-headers <names>', 'headers that name the user', 'X-Remote-User')
    .option('--requestheader-uid-headers <names>', 'headers that name the uid', 'X-Remote-Uid')
    .option('--requestheader-group-headers <names>', 'headers that name groups', 'X-Remote-Group')
    .option(
      '--requestheader-extra-headers-prefix <names>',
      'prefixes of headers with extra attributes',
      'X-Remote-Extra-',
    );
}

type Started = Pick<StartOptions, 'tokens' | 'authentication' | 'clientCa' | 'proxyCa'>;

/** With what other flags say: who we are, and whether everything is allowed. */
type GivenFlags = AuthenticationFlags & {
  readonly serviceAccountIssuer?: readonly string[];
  readonly authorizationMode?: string;
};

/** Reads the flags. Throws StartFault that names the wrong file. */
export async function authenticationOf(flags: GivenFlags): Promise<Started> {
  const { tokenAuthFile, authenticationConfig, authenticationTokenWebhookConfigFile: webhook } = flags;
  const own = flags.serviceAccountIssuer?.[0] === undefined ? [ISSUER] : flags.serviceAccountIssuer;
  const configured = await read(authenticationConfig, (text) => optionsOf(parseConfiguration(text), own));
  const oidc = await oidcOf(flags, own);
  const map = await read(flags.awsIdentityMap, parseIdentityMap);
  const reviewer = await read(webhook, (text) => ({ config: webhookOf(text, dirname(webhook ?? '')) }));
  const proxyCa = await read(flags.requestheaderClientCaFile, authorities);
  const clientCa = await read(flags.clientCaFile, authorities);
  refuseOverlap(flags, clientCa, proxyCa);
  return {
    tokens: (await read(tokenAuthFile, parseTokenFile)) ?? new Map(),
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

async function read<T>(path: string | undefined, parse: (text: string) => T): Promise<T | undefined> {
  if (path === undefined) return undefined;
  const text = await namedFile(path);
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof TypeError ? new StartFault(`${path}: ${error.message}`) : fault(path, error);
  }
}

const fault = (path: string, error: unknown): StartFault => new StartFault(`${path}: ${messageOf(error)}`);

/** The certificates of a text, each in PEM as node writes it. Throws TypeError where there is none, Error where one cannot be read. */
export function authorities(text: string): string[] {
  const found = [...text.matchAll(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)].map(([pem]) => pem);
  if (found.length === 0) throw new TypeError('data does not contain any valid RSA or ECDSA certificates');
  return found.map((pem) => new X509Certificate(pem).toString());
}

/**
 * Rejects one authority for clients and proxies without allowed names: any client could then act as a proxy for any
 * user.
 */
function refuseOverlap(
  { requestheaderAllowedNames }: AuthenticationFlags,
  clientCa: readonly string[] = [],
  proxyCa: readonly string[] = [],
): void {
  if (requestheaderAllowedNames !== '' || !clientCa.some((one) => proxyCa.includes(one))) return;
  throw new StartFault(
    '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified',
  );
}

function bootstrapOf(flags: AuthenticationFlags): Pick<AuthenticationOptions, 'bootstrapTokens'> {
  const { enableBootstrapTokenAuth: given } = flags;
  return given === undefined ? {} : { bootstrapTokens: boolean('--enable-bootstrap-token-auth', given) };
}

function boolean(flag: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new StartFault(`${flag} is true or false`);
  return text === 'true';
}

async function oidcOf(
  flags: AuthenticationFlags,
  own: readonly string[],
): Promise<Pick<AuthenticationOptions, 'issuers'>> {
  const issuer = issuerOf(flags, await read(flags.oidcCaFile, (text) => text));
  if (issuer === undefined) return {};
  if (flags.authenticationConfig !== undefined)
    throw new StartFault('authentication-config file and oidc-* flags are mutually exclusive');
  const { issuers, errors } = validateConfiguration({ ...NO_CONFIGURATION, jwt: [issuer] }, own);
  if (errors.length > 0) throw new StartFault(`invalid authentication configuration: ${aggregate(errors)}`);
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

/** Upstream's rule: whoever shows nothing is not let in where everything is allowed, unless a file says that he is. */
function anonymousOf(
  { anonymousAuth, authenticationConfig, authorizationMode = '' }: GivenFlags,
  configured: Pick<AuthenticationOptions, 'anonymous'> | undefined,
): Pick<AuthenticationOptions, 'anonymous'> {
  const isLetIn = anonymousAuth === undefined || boolean('--anonymous-auth', anonymousAuth);
  if (configured?.anonymous === undefined)
    return isLetIn && !listed(authorizationMode).includes('AlwaysAllow') ? {} : { anonymous: false };
  if (anonymousAuth === undefined) return {};
  throw new StartFault(`--anonymous-auth and anonymous in ${authenticationConfig ?? ''} exclude each other`);
}

const listed = (text: string): string[] => text.split(',').filter((one) => one !== '');

const requestHeadersOf = (flags: AuthenticationFlags): RequestHeaders => ({
  allowedNames: listed(flags.requestheaderAllowedNames),
  usernameHeaders: listed(flags.requestheaderUsernameHeaders),
  uidHeaders: listed(flags.requestheaderUidHeaders),
  groupHeaders: listed(flags.requestheaderGroupHeaders),
  extraHeaderPrefixes: listed(flags.requestheaderExtraHeadersPrefix),
});
