import { createHash, timingSafeEqual, X509Certificate } from 'node:crypto';
import type { ClientCertificate, Signer } from './authenticator.ts';
import { describedCertificate } from './certificate.ts';

/** The header with the secret that proves that a request passed through the distribution, in lower case. */
export const ORIGIN_HEADER = 'x-davit-origin';
/** The headers in which CloudFront describes a viewer's verified certificate. The certificate is percent-encoded PEM. */
const PREFIX = 'cloudfront-viewer-cert-';
const CERTIFICATE = `${PREFIX}pem`;
const PRESENT = `${PREFIX}present`;

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The certificate that the distribution asserts in headers. Without the secret, any client could have sent the headers. The certificate
 * then has no owner, and the client is rejected. Undefined without such headers.
 */
export function vouchedCertificate(headers: Headers, secret: string | undefined): ClientCertificate | undefined {
  if (!Object.keys(headers).some((name) => name.startsWith(PREFIX))) return undefined;
  const isProven = secret !== undefined && equal(headers[ORIGIN_HEADER] ?? '', secret);
  if (!isProven) return NOBODYS;
  const pem = headers[CERTIFICATE];
  if (pem === undefined) return undefined;
  // The distribution also forwards clients without a certificate, which may have sent this header themselves. PRESENT distinguishes the
  // two.
  return headers[PRESENT] === '1' ? certificateOf(only(decoded(pem)), ['client']) : NOBODYS;
}

const NOBODYS: ClientCertificate = {
  commonName: '',
  organizations: [],
  signedBy: [],
  sha256: '',
  notAfter: Number.POSITIVE_INFINITY,
};

/** Parses the certificate in `pem`. If it cannot be parsed, returns a certificate without a name. */
export function certificateOf(pem: string, signedBy: readonly Signer[]): ClientCertificate {
  const certificate = parsed(pem);
  return certificate === undefined ? NOBODYS : describedCertificate(certificate, signedBy);
}

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // not a certificate
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // not percent-encoded
  }
}

/** Rejects two certificates, because a parser would read only the first, whatever its origin. */
const only = (pem: string): string => (pem.split('-----BEGIN').length === 2 ? pem : '');

/** Compares digests, so that timing reveals neither content nor length. */
function equal(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
