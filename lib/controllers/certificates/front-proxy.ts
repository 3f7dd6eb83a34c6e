import { authorityOf } from './issue.ts';
import type { FrontProxy } from './kept-front-proxy.ts';
import { privatePem, selfSigned } from './new-signer.ts';

/** The common name of the certificate that this server presents to aggregated servers: kubeadm's name. */
export const FRONT_PROXY_CLIENT = 'front-proxy-client';

/** Creates an authority with one client. The authority's key is discarded, so no other client can ever act for users. */
export async function newFrontProxy(now: Date): Promise<FrontProxy> {
  const { root, keys } = await selfSigned('CN=front-proxy-ca', now);
  const authority = root.toString('pem');
  const signing = authorityOf({ certificate: authority, key: await privatePem(keys.privateKey) }, now);
  return { authority, client: await signing.issue({ name: FRONT_PROXY_CLIENT }) };
}
