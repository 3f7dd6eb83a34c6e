import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, stringAt } from '#lib/machinery/json-value.ts';

/** The name of the secret that holds the authority which signs certificates in an account. */
export const SIGNER = 'signer';

/** The certificate (PEM) in that secret. Throws TypeError for a secret of another form. */
export function keptAuthority(secret: string): string {
  const { value } = decodeJson(Buffer.from(secret));
  const certificate = isObject(value) ? stringAt(value, 'certificate') : undefined;
  if (certificate === undefined) throw new TypeError('the authority of certificates that was kept has no certificate');
  return certificate;
}
