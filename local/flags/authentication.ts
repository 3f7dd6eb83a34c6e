import type { Command } from 'commander';
import {
  AUTHENTICATION_DEFAULTS,
  type ReadAuthentication,
  authenticationOf as read,
} from '#lib/server/options/authentication.ts';
import { namedFiles } from '../named-file.ts';

/** Adds the flags to the command. */
export function authenticationFlags(command: Command): Command {
  const defaults = AUTHENTICATION_DEFAULTS;
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
      'a map of AWS identities for tokens of `aws eks get-token`: clusterID, mapRoles, mapUsers, mapNodeRoles',
    )
    .option('--requestheader-client-ca-file <path>', 'the authority of authenticating proxies, PEM')
    .option(
      '--requestheader-allowed-names <names>',
      'accepted common names of proxies; empty accepts any',
      defaults.requestheaderAllowedNames,
    )
    .option(
      '--requestheader-username-headers <names>',
      'headers that name the user',
      defaults.requestheaderUsernameHeaders,
    )
    .option('--requestheader-uid-headers <names>', 'headers that name the uid', defaults.requestheaderUidHeaders)
    .option('--requestheader-group-headers <names>', 'headers that name groups', defaults.requestheaderGroupHeaders)
    .option(
      '--requestheader-extra-headers-prefix <names>',
      'prefixes of headers with extra attributes',
      defaults.requestheaderExtraHeadersPrefix,
    );
}

/** Reads the flags. Rejects with an OptionError that names the invalid file. */
export const authenticationOf = async (flags: Parameters<typeof read>[0]): Promise<ReadAuthentication> =>
  read(flags, namedFiles);

/** Adds the flags for a single issuer of ID tokens. */
function oidcFlags(command: Command): Command {
  return command
    .option('--oidc-issuer-url <url>', 'the issuer of accepted ID tokens')
    .option('--oidc-client-id <text>', 'the audience that ID tokens must have')
    .option('--oidc-ca-file <path>', "the authority of the issuer's certificate, PEM")
    .option('--oidc-username-claim <text>', 'the claim that holds the user name (default "sub")')
    .option('--oidc-username-prefix <text>', 'a prefix for user names; - is none')
    .option('--oidc-groups-claim <text>', 'the claim that holds the groups')
    .option('--oidc-groups-prefix <text>', 'a prefix for groups')
    .option('--oidc-required-claim <texts>', 'a claim=value that ID tokens must have', appended, []);
}

/** A value may contain a comma. */
const appended = (value: string, before: readonly string[] = []): string[] => [...before, value];
