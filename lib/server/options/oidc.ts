import type { JwtAuthenticator } from '#lib/server/authentication/configuration.ts';
import { OptionError } from './files.ts';

/** Upstream's flags for one issuer of ID tokens. An AuthenticationConfiguration can describe several. */
export interface OidcFlags {
  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcCaFile?: string;
  readonly oidcUsernameClaim?: string;
  readonly oidcUsernamePrefix?: string;
  readonly oidcGroupsClaim?: string;
  readonly oidcGroupsPrefix?: string;
  readonly oidcRequiredClaim?: readonly string[];
}

/**
 * The issuer in the flags, in the form of a file. Undefined if the flags name none. `authority` is the content of the CA file. Throws
 * OptionError.
 */
export function issuerOf(flags: OidcFlags, authority: string | undefined): JwtAuthenticator | undefined {
  const { oidcIssuerUrl: url, oidcClientId: client } = flags;
  if (!isUsed(flags)) return undefined;
  if (url === undefined || client === undefined)
    throw new OptionError(
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    );
  const { oidcUsernameClaim: name = 'sub', oidcGroupsClaim: groups = '', oidcGroupsPrefix = '' } = flags;
  return {
    issuer: {
      url,
      discoveryURL: '',
      certificateAuthority: authority ?? '',
      audiences: [client],
      audienceMatchPolicy: '',
      egressSelectorType: '',
    },
    claimValidationRules: (flags.oidcRequiredClaim ?? []).map(requiredClaim),
    claimMappings: {
      username: { claim: name, prefix: usernamePrefix(flags, name, url), expression: '' },
      groups: { claim: groups, ...(groups === '' ? {} : { prefix: oidcGroupsPrefix }), expression: '' },
      uid: { claim: '', expression: '' },
      extra: [],
    },
    userValidationRules: [],
  };
}

function isUsed({ oidcRequiredClaim = [], ...texts }: OidcFlags): boolean {
  const { oidcIssuerUrl, oidcClientId, oidcCaFile, oidcUsernameClaim, oidcUsernamePrefix } = texts;
  const { oidcGroupsClaim, oidcGroupsPrefix } = texts;
  const all = [oidcIssuerUrl, oidcClientId, oidcCaFile, oidcUsernameClaim, oidcUsernamePrefix, oidcGroupsClaim];
  return oidcRequiredClaim.length > 0 || [...all, oidcGroupsPrefix].some((text) => text !== undefined);
}

/** The prefix of user names. By default, names other than e-mail addresses have the issuer as a prefix. */
function usernamePrefix({ oidcUsernamePrefix: prefix = '' }: OidcFlags, claim: string, url: string): string {
  if (prefix === '-') return '';
  return prefix === '' && claim !== 'email' ? `${url}#` : prefix;
}

function requiredClaim(text: string): JwtAuthenticator['claimValidationRules'][number] {
  const at = text.indexOf('=');
  if (at < 0)
    throw new OptionError(`--oidc-required-claim ${JSON.stringify(text)}: malformed pair, expect string=string`);
  return { claim: text.slice(0, at).trim(), requiredValue: text.slice(at + 1).trim(), expression: '', message: '' };
}
