import * as z from 'zod/mini';
import { isPositiveDuration, millisecondsOf } from '#lib/machinery/duration.ts';
import { ADDRESS_TYPES } from '#lib/server/channel/backends.ts';

const text = z.optional(z.string().check(z.minLength(1, 'must not be empty')));

/** The environment variables that configure how to reach kubelets. They correspond to upstream's flags, with PEM instead of files. */
export const KUBELET_ENVIRONMENT = {
  /** Whether this process can reach the addresses of nodes: true or false. */
  DAVIT_NODE_ROUTE: z._default(z.enum(['true', 'false'], 'must be true or false'), 'false'),
  DAVIT_KUBELET_CLIENT_CERTIFICATE: text,
  DAVIT_KUBELET_CLIENT_KEY: text,
  DAVIT_KUBELET_CERTIFICATE_AUTHORITY: text,
  /** Separated by commas. */
  DAVIT_KUBELET_PREFERRED_ADDRESS_TYPES: z._default(
    z.string().check(z.regex(/^\w+(?:,\w+)*$/, 'must be types of addresses with a comma between')),
    ADDRESS_TYPES.join(','),
  ),
  DAVIT_KUBELET_TIMEOUT: z._default(
    z.string().check(z.refine(isPositiveDuration, 'must be a duration above zero, such as 5s')),
    '5s',
  ),
};

type Environment = z.infer<z.ZodMiniObject<typeof KUBELET_ENVIRONMENT>>;

/** How to reach kubelets. */
export interface KubeletSettings {
  /** The client certificate for kubelets, PEM. Undefined to use one that the account's authority signs. */
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
  /** Verifies the certificates of kubelets, PEM. '' disables verification. */
  readonly caBundle: string;
  readonly preferredAddressTypes: readonly string[];
  /** Time-out in ms to establish a connection. */
  readonly timeout: number;
  /**
   * The API server's host for clients. A backend whose certificate is valid for this host gets no request, because it is the API server
   * itself.
   */
  readonly ownHost: string | undefined;
}

/** The settings. Undefined if nodes are unreachable. Throws TypeError if settings contradict each other. */
export function kubeletSettings(
  env: Environment & { readonly DAVIT_ENDPOINT?: string | undefined },
  frontDoor: string,
): KubeletSettings | undefined {
  if (env.DAVIT_NODE_ROUTE === 'false') return undefined;
  if (frontDoor !== 'container')
    throw new TypeError(`DAVIT_NODE_ROUTE: is of no use with DAVIT_FRONT_DOOR=${frontDoor}`);
  const { DAVIT_KUBELET_CLIENT_CERTIFICATE: certificate, DAVIT_KUBELET_CLIENT_KEY: key } = env;
  if ((certificate === undefined) !== (key === undefined))
    throw new TypeError('DAVIT_KUBELET_CLIENT_CERTIFICATE: must be given together with DAVIT_KUBELET_CLIENT_KEY');
  return {
    client: certificate === undefined || key === undefined ? undefined : { certificate, key },
    caBundle: env.DAVIT_KUBELET_CERTIFICATE_AUTHORITY ?? '',
    preferredAddressTypes: env.DAVIT_KUBELET_PREFERRED_ADDRESS_TYPES.split(','),
    timeout: millisecondsOf(env.DAVIT_KUBELET_TIMEOUT),
    ownHost: env.DAVIT_ENDPOINT === undefined ? undefined : new URL(env.DAVIT_ENDPOINT).hostname,
  };
}
