import { X509Certificate } from 'node:crypto';
import { type Authority, authorityOf } from '#lib/controllers/certificates/issue.ts';
import { privatePem, selfSigned } from '#lib/controllers/certificates/new-signer.ts';
import { isAddr } from '#lib/machinery/net/parse-addr.ts';

/** A new certificate authority. */
export async function newAuthority(now: Date): Promise<Authority> {
  const { root, keys } = await selfSigned('CN=davit-ca', now);
  return authorityOf({ certificate: root.toString('pem'), key: await privatePem(keys.privateKey) }, now);
}

/** Whether a PEM certificate covers all of these hosts and addresses. */
export function namesAll(certificate: string, names: readonly string[]): boolean {
  const parsed = new X509Certificate(certificate);
  return names.every((name) => (isAddr(name) ? parsed.checkIP(name) : parsed.checkHost(name)) !== undefined);
}
