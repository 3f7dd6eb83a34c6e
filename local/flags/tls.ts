import { createSecureContext } from 'node:tls';
import { type Command, InvalidArgumentError } from 'commander';
import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { namedFile } from '../named-file.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import type { StartOptions } from '../start-options.ts';
import { listed } from './listed.ts';

/** Upstream's flags for the serving certificate, and kubeadm's for the names in it. */
export interface TlsFlags {
  readonly apiserverCertExtraSans?: readonly string[];
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
}

/** Adds the flags to the command. */
export function tlsFlags(command: Command): Command {
  return command
    .option('--tls-cert-file <path>', 'the serving certificate and its chain, PEM; default: one that the server signs')
    .option('--tls-private-key-file <path>', 'the key of that certificate, PEM')
    .option(
      '--apiserver-cert-extra-sans <names>',
      'additional DNS names and addresses of the certificate that the server signs',
      serverName,
    );
}

function serverName(text: string, before: readonly string[] = []): readonly string[] {
  const names = listed(text, before);
  const wrong = names.find((name) => !isAddr(name) && isDNS1123Subdomain(name).length > 0);
  if (wrong !== undefined) throw new InvalidArgumentError(`${wrong} is no DNS name and no IP address.`);
  return names;
}

/** Reads the flags. Throws StartFault if one of the two is missing, or they do not match. */
export async function servingOf(flags: TlsFlags): Promise<Pick<StartOptions, 'serving' | 'certExtraSans'>> {
  const { tlsCertFile: certFile, tlsPrivateKeyFile: keyFile, apiserverCertExtraSans: certExtraSans } = flags;
  if (certFile === undefined && keyFile === undefined) return certExtraSans === undefined ? {} : { certExtraSans };
  if (certFile === undefined || keyFile === undefined)
    throw new StartFault('--tls-cert-file and --tls-private-key-file must be specified together');
  if (certExtraSans !== undefined)
    throw new StartFault(
      '--apiserver-cert-extra-sans is of no use with --tls-cert-file: that certificate has its names',
    );
  const [certificate, key] = await Promise.all([namedFile(certFile), namedFile(keyFile)]);
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new StartFault(`${certFile} and ${keyFile} are no certificate and its key: ${messageOf(error)}`);
  }
  return { serving: { certificate, key } };
}
