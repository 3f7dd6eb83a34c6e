import type { Command } from 'commander';

/** Adds the flags to the command. */
export function oidcFlags(command: Command): Command {
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

/** A value may hold a comma. */
const appended = (value: string, before: readonly string[] = []): string[] => [...before, value];
