import type { Command } from 'commander';
import { serviceAccountsOf as read, type ServiceAccountFlags } from '#lib/server/options/service-account.ts';
import { namedFiles } from '../named-file.ts';
import { listed } from './listed.ts';

/** Adds the flags to the command. */
export function serviceAccountFlags(command: Command): Command {
  return command
    .option(
      '--service-account-issuer <texts>',
      'issuers of tokens: the first signs new ones, all are accepted',
      listed,
      [],
    )
    .option('--service-account-key-file <paths>', 'keys that verify tokens, PEM; requires a signing key', listed, [])
    .option(
      '--service-account-signing-key-file <path>',
      'the key that signs tokens, PEM; default: one that the server makes',
    )
    .option('--service-account-jwks-uri <url>', 'the URL of the keys in the discovery document')
    .option('--service-account-max-token-expiration <duration>', 'the maximum lifetime of a token')
    .option('--api-audiences <texts>', 'audiences of tokens for this server (default: the issuers)', listed, []);
}

/** Reads the flags. Rejects with an OptionError that names the problem. */
export const serviceAccountsOf = async (flags: ServiceAccountFlags): Promise<ReturnType<typeof read>> =>
  read(flags, namedFiles);
