import { createSecureContext } from 'node:tls';
import type { Command } from 'commander';
import type { StartOptions } from '../start-options.ts';
import { namedFile } from '../named-file.ts';
import { messageOf, StartFault } from '../start-fault.ts';

/** Upstream's flags of the certificate that clients are shown. */
export interface TlsFlags {
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
}

/** Adds the flags to the command. */
export function tlsFlags(command: Command): Command {
  return command
    .option('--tls-cert-file <path>', 'the certificate to show, PEM, its chain behind it, in place of one of our own')
    .option('--tls-private-key-file <path>', 'the key of that certificate, PEM');
}

/** What the flags mean. Throws StartFault where one lacks the other, or they are no pair. */
export async function servingOf(flags: TlsFlags): Promise<Pick<StartOptions, 'serving'>> {
  const { tlsCertFile: certFile, tlsPrivateKeyFile: keyFile } = flags;
  if (certFile === undefined && keyFile === undefined) return {};
  if (certFile === undefined || keyFile === undefined)
    throw new StartFault('--tls-cert-file and --tls-private-key-file must be specified together');
  const [certificate, key] = await Promise.all([namedFile(certFile), namedFile(keyFile)]);
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new StartFault(`${certFile} and ${keyFile} are no certificate and its key: ${messageOf(error)}`);
  }
  return { serving: { certificate, key } };
}
