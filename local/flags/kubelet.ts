import type { Command } from 'commander';
import { defined } from '#lib/machinery/defined.ts';
import { millisecondsOf } from '#lib/machinery/duration.ts';
import { ADDRESS_TYPES } from '#lib/server/channel/backends.ts';
import { namedFile } from '../named-file.ts';
import type { StartOptions } from '../start-options.ts';
import { duration } from './duration.ts';
import { keyPairOf } from './key-pair.ts';

/** Upstream's flags for connections to kubelets. */
export interface KubeletFlags {
  readonly kubeletClientCertificate?: string;
  readonly kubeletClientKey?: string;
  readonly kubeletCertificateAuthority?: string;
  readonly kubeletPreferredAddressTypes: string;
  readonly kubeletTimeout: string;
}

/** Adds the flags to the command. */
export function kubeletFlags(command: Command): Command {
  return command
    .option(
      '--kubelet-client-certificate <path>',
      'the client certificate for kubelets, PEM; default: one that the server signs',
    )
    .option('--kubelet-client-key <path>', 'the key of that certificate, PEM')
    .option(
      '--kubelet-certificate-authority <path>',
      "the authority of kubelets' certificates, PEM; without it they are not verified",
    )
    .option(
      '--kubelet-preferred-address-types <names>',
      'types of node addresses for connections to kubelets, the preferred first',
      ADDRESS_TYPES.join(','),
    )
    .option('--kubelet-timeout <duration>', 'maximum time to open a connection to a kubelet', duration, '5s');
}

/** Reads the flags. Throws StartFault if only one flag of a pair is set, or a file cannot be used. */
export async function kubeletOf(flags: KubeletFlags): Promise<Pick<StartOptions, 'kubelet'>> {
  const { kubeletCertificateAuthority: caFile } = flags;
  const client = await keyPairOf({
    '--kubelet-client-certificate': flags.kubeletClientCertificate,
    '--kubelet-client-key': flags.kubeletClientKey,
  });
  return {
    kubelet: {
      ...defined({ client }),
      ...(caFile === undefined ? {} : { caBundle: await namedFile(caFile) }),
      preferredAddressTypes: flags.kubeletPreferredAddressTypes.split(',').filter((type) => type !== ''),
      timeout: millisecondsOf(flags.kubeletTimeout),
    },
  };
}
