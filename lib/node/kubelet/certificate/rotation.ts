import { X509Certificate } from 'node:crypto';

/** Validity of a certificate in milliseconds since 1970. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** The validity of the first certificate in a PEM text. Throws if there is none. */
export function validityOf(pem: string): Validity {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  return { notBefore: validFromDate.getTime(), notAfter: validToDate.getTime() };
}

/**
 * When to replace a certificate, in milliseconds since 1970: at 70 to 90 % of its lifetime, so that nodes that joined together do not renew
 * together. `random` is in [0, 1). Upstream: nextRotationDeadline.
 */
export function nextRotationDeadline({ notBefore, notAfter }: Validity, random: number): number {
  return notBefore + (notAfter - notBefore) * (0.7 + 0.2 * random);
}
