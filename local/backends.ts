import { X509Certificate } from 'node:crypto';
import { type KubeletConfig, tcpBackends } from '#adapters/server/kubelet/backends.ts';
import { kubeletClient } from '#lib/controllers/certificates/issue.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { isForbidden } from '#lib/server/channel/address-policy.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import type { NodeChannels } from '#lib/server/channel/node-channels.ts';

/**
 * How this server reaches kubelets. By default, its own signer signs the client certificate. Tests on one machine allow local addresses.
 */
export type KubeletOptions = Partial<Omit<KubeletConfig, 'isForbidden' | 'isSelf'>>;

/** The keys and certificates that this server uses with kubelets. */
export interface LocalIdentity {
  /** Signs the client certificate that kubelets see. */
  readonly signer: KeyPair;
  /** This server's serving certificate in PEM. It identifies a node that names this server as its kubelet; such a node is not contacted. */
  readonly serving: string;
}

/** The parts of this server that connect to kubelets. */
interface LocalParts {
  readonly clock: Clock;
  readonly channels: NodeChannels;
}

/** The connections of this machine to kubelets, pods and endpoints. */
export async function localBackends(
  options: KubeletOptions = {},
  { signer, serving }: LocalIdentity,
  { clock, channels }: LocalParts,
): Promise<Backends> {
  const client = options.client ?? (await kubeletClient(signer, new Date(clock.now())));
  const { fingerprint256 } = new X509Certificate(serving);
  const isSelf = (shown: X509Certificate): boolean => shown.fingerprint256 === fingerprint256;
  return { ...tcpBackends({ ...options, client, isSelf, isForbidden, channels }), interests: channels };
}
