import * as z from 'zod/mini';
import { isPositiveDuration, millisecondsOf } from '#lib/machinery/duration.ts';
import { ADDRESS_TYPES } from '#lib/server/channel/backends.ts';

const text = z.optional(z.string().check(z.minLength(1, 'must not be empty')));

/** The environment variables that configure how kubelets are reached: upstream's flags, with PEM in place of files. */
export const KUBELET_ENVIRONMENT = {
  /** Whether this process can reach the addresses of nodes: true or false. */
  DAVIT_NODE_ROUTE: z._default(z.enum(['true', 'false'], 'must be true or false'), 'false'),
  DAVIT_KUBELET_CLIENT_CERTIFICATE: text,
  DAVIT_KUBELET_CLIENT_KEY: text,
  DAVIT_KUBELET_CERTIFICATE_AUTHORITY: text,
  /** With a comma between. */
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

/** How kubelets are reached. */
export interface KubeletSettings {
  /** The client certificate for kubelets, PEM; undefined for one that the account's authority signs. */
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
  /** Verifies the certificates of kubelets, PEM; '' verifies none. */
  readonly caBundle: string;
  readonly preferredAddressTypes: readonly string[];
  /** Time-out in ms for a connection to be established. */
  readonly timeout: number;
  /** The host of the API server for clients: no backend with a certificate for it is asked, since that is the API server. */
  readonly ownHost: string | undefined;
}

/** The settings; undefined if nodes cannot be reached. Throws TypeError if one contradicts another. */
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
