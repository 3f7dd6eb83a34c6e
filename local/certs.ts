import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { authorityOf, type Authority } from '#lib/controllers/certificates/issue.ts';
import { privatePem, selfSigned, type KeyPair } from '#lib/controllers/certificates/new-signer.ts';

/** A new certificate authority. */
export async function newAuthority(now: Date): Promise<Authority> {
  const { root, keys } = await selfSigned('CN=davit-ca', now);
  return authorityOf({ certificate: root.toString('pem'), key: await privatePem(keys.privateKey) }, now);
}

/** The common name of the certificate by which aggregated servers know this one: kubeadm's. */
export const FRONT_PROXY_CLIENT = 'front-proxy-client';

/** The authority of this server's certificate towards aggregated servers, PEM, and that certificate with its key. */
export interface FrontProxy {
  readonly authority: string;
  readonly client: KeyPair;
}

/** A new authority with one client. Its key is not kept: nobody else may ever speak for users. */
export async function newFrontProxy(now: Date): Promise<FrontProxy> {
  const { root, keys } = await selfSigned('CN=front-proxy-ca', now);
  const authority = root.toString('pem');
  const signing = authorityOf({ certificate: authority, key: await privatePem(keys.privateKey) }, now);
  return { authority, client: await signing.issue({ name: FRONT_PROXY_CLIENT }) };
}

/** Whether a certificate, PEM, names all of these hosts and addresses. */
export function namesAll(certificate: string, names: readonly string[]): boolean {
  const parsed = new X509Certificate(certificate);
  return names.every((name) => (isIP(name) > 0 ? parsed.checkIP(name) : parsed.checkHost(name)) !== undefined);
}
