import type { Command } from 'commander';
import { defined } from '#lib/machinery/defined.ts';
import type { StartOptions } from '../start-options.ts';
import { keyPairOf } from './key-pair.ts';

/** Upstream's flags for the client certificate that aggregated servers see. */
export interface ProxyClientFlags {
  readonly proxyClientCertFile?: string;
  readonly proxyClientKeyFile?: string;
}

/** Adds the flags to the command. */
export function proxyClientFlags(command: Command): Command {
  return command
    .option(
      '--proxy-client-cert-file <path>',
      'the client certificate for aggregated API servers, PEM; default: one that the server signs',
    )
    .option('--proxy-client-key-file <path>', 'the key of that certificate, PEM');
}

/** Reads the flags. Throws StartFault if only one is set, or a file cannot be used. */
export async function proxyClientOf(flags: ProxyClientFlags): Promise<Pick<StartOptions, 'proxyClient'>> {
  const proxyClient = await keyPairOf({
    '--proxy-client-cert-file': flags.proxyClientCertFile,
    '--proxy-client-key-file': flags.proxyClientKeyFile,
  });
  return defined({ proxyClient });
}
