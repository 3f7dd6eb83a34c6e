import { HttpRoundTripper } from '#adapters/kubelet/http-round-tripper.ts';
import { TcpDialer } from '#adapters/kubelet/tcp-dialer.ts';
import { isForbidden } from '#adapters/webhook/address-policy.ts';
import { ADDRESS_TYPES, type Backends } from '#lib/channel/backends.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { authorityOf } from './certs.ts';

/** Upstream's KubeletClientConfig. */
export interface KubeletOptions {
  /** The client certificate that kubelets see. Default one of the server's own signer; its key ends with the server. */
  readonly client: KeyPair;
  /** Verifies kubelets' certificates, PEM. Default '': they are not looked at. */
  readonly caBundle: string;
  readonly preferredAddressTypes: readonly string[];
  /** Milliseconds for a connection to stand. Default 5000. */
  readonly timeout: number;
  /** Whether users may reach the address by a proxy. Default global unicast addresses alone; tests on one machine need more. */
  isProxyable(address: string): boolean;
}

/** The user that kubelets see. It has no rights of its own: a node that names this server as its kubelet gains nothing. */
const KUBELET_CLIENT = 'kube-apiserver-kubelet-client';

/** The ways of this machine to kubelets, pods and endpoints. */
export async function localBackends(
  options: Partial<KubeletOptions> = {},
  signer: KeyPair,
  clock: Clock,
): Promise<Backends> {
  const { caBundle = '', preferredAddressTypes = ADDRESS_TYPES, timeout = 5000, isProxyable } = options;
  const client = options.client ?? (await authorityOf(signer, new Date(clock.now())).issue({ name: KUBELET_CLIENT }));
  const dialer = new TcpDialer({ isForbidden, ...(isProxyable === undefined ? {} : { isProxyable }) });
  return { roundTripper: new HttpRoundTripper({ dialer, client, caBundle, timeout }), preferredAddressTypes };
}
