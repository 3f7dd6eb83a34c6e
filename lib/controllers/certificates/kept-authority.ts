import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, stringAt } from '#lib/machinery/json-value.ts';

/** The name of the secret with the authority that signs certificates in an account. */
export const SIGNER = 'signer';

/** The PEM certificate in that secret. Throws TypeError if the secret has another form. */
export function keptAuthority(secret: string): string {
  const { value } = decodeJson(Buffer.from(secret));
  const certificate = isObject(value) ? stringAt(value, 'certificate') : undefined;
  if (certificate === undefined) throw new TypeError('the authority of certificates that was kept has no certificate');
  return certificate;
}
