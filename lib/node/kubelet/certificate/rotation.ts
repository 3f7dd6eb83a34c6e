import { X509Certificate } from 'node:crypto';

/** Milliseconds since 1970 between which a certificate is valid. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** The validity of the first certificate of a PEM text. Throws where there is none. */
export function validityOf(pem: string): Validity {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  return { notBefore: validFromDate.getTime(), notAfter: validToDate.getTime() };
}

/**
 * When a certificate is to be replaced, milliseconds since 1970: at 70 to 90 % of its life, so that nodes that joined together do not
 * renew together. `random` is a number from 0 to below 1. Upstream's nextRotationDeadline.
 */
export function nextRotationDeadline({ notBefore, notAfter }: Validity, random: number): number {
  return notBefore + (notAfter - notBefore) * (0.7 + 0.2 * random);
}
