import type { Command } from 'commander';
import { type AuthorizationFlags, authorizersOf as read } from '#lib/server/options/authorization.ts';
import { namedFiles } from '../named-file.ts';

/** Adds the flags to the command. */
export function authorizationFlags(command: Command): Command {
  return command
    .option('--authorization-mode <modes>', 'authorizers, in the order in which they are asked (default "Node,RBAC")')
    .option('--authorization-config <path>', 'an AuthorizationConfiguration, which replaces the mode')
    .option('--authorization-policy-file <path>', 'policies of the mode ABAC, one in each line')
    .option('--authorization-webhook-config-file <path>', 'a kubeconfig of the webhook that the mode Webhook asks')
    .option(
      '--authorization-webhook-cache-authorized-ttl <duration>',
      'how long to cache approvals of a webhook (default "5m")',
    )
    .option(
      '--authorization-webhook-cache-unauthorized-ttl <duration>',
      'how long to cache denials of a webhook (default "30s")',
    );
}

/** Reads the authorizers from the flags; undefined without such flags. Rejects with an OptionError. */
export const authorizersOf = async (flags: AuthorizationFlags): Promise<ReturnType<typeof read>> =>
  read(flags, namedFiles);
