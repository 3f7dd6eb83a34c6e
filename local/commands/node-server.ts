import { ApiConnection, type Remote } from '#adapters/server/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { CLUSTER_AUTHENTICATION } from '#lib/controllers/bootstrap/objects.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { isLoopbackHost, isUnspecifiedHost } from '#lib/machinery/net/this-host.ts';
import { at, count, items, text, texts } from '#lib/machinery/unstructured.ts';
import { authorities } from '#lib/server/options/authentication.ts';
import { messageOf, StartFault } from '../start-fault.ts';

const SLICE = {
  resource: { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' },
  namespace: 'default',
  name: 'kubernetes',
};
const REVIEWS = { group: 'authentication.k8s.io', version: 'v1', resource: 'selfsubjectreviews' };
/** Whether the host in a URL always refers to the machine that uses the URL: a loopback or unspecified address. */
function isHere(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isLoopbackHost(host) || isUnspecifiedHost(host);
}

/** The URL that other hosts use to reach a server: the one used here, or the endpoint that the server advertises. Throws StartFault. */
export async function urlForOthers(client: Client, { url }: Pick<Remote, 'url'>): Promise<string> {
  if (!isHere(new URL(url).hostname)) return url;
  const slice = await client.get(SLICE);
  const [address] = texts(items(slice, 'endpoints')[0], 'addresses');
  const port = count(items(slice, 'ports')[0], 'port');
  if (address === undefined)
    throw new StartFault(
      `${url} is for this machine alone, and the server advertises no address; name one by --server`,
    );
  return `https://${joinHostPort(address, port)}`;
}

/** Returns the CA certificates for client certificates in PEM. Throws StartFault if the server does not publish them. */
export async function clientAuthorityOf(client: Client): Promise<string> {
  const { namespace, name, key } = CLUSTER_AUTHENTICATION;
  const resource = { group: '', version: 'v1', resource: 'configmaps' };
  const published = await client.get({ resource, namespace, name });
  try {
    return authorities(text(at(published, 'data'), key)).join('');
  } catch (error) {
    throw new StartFault(
      `the server does not say who signs its clients: ${key} of the ConfigMap ${namespace}/${name}: ${messageOf(error)}`,
    );
  }
}

/**
 * Why a host may be unable to join at this URL, as far as this machine can detect. Returns undefined if the server responds and its
 * certificate is valid. Throws StartFault if the server rejects the given token.
 */
export async function connectionFault(
  remote: Pick<Remote, 'url' | 'caBundle'>,
  token?: string,
): Promise<string | undefined> {
  const credentials = token === undefined ? {} : { credentials: { token: async () => token } };
  using connection = new ApiConnection({ ...remote, ...credentials });
  const client = apiClient({ handle: (request) => connection.handle(request), userAgent: 'davit' });
  try {
    await client.create(REVIEWS, {});
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (token === undefined && (error.code === 401 || error.code === 403)) return undefined;
    if (error.reason === 'Unauthorized')
      throw new StartFault(
        `${remote.url} takes no bootstrap tokens; start the server with --enable-bootstrap-token-auth true`,
      );
    return (
      `a host may be unable to join by ${remote.url} (${error.message}); start the server with --host 0.0.0.0 or ` +
      '--apiserver-cert-extra-sans, or name another URL by --server'
    );
  }
}
