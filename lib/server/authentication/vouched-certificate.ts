import { createHash, timingSafeEqual, X509Certificate } from 'node:crypto';
import type { ClientCertificate, Signer } from './authenticator.ts';
import { describedCertificate } from './certificate.ts';

/** Carries the secret by which a distribution proves that a request came through it; in lower case. */
export const ORIGIN_HEADER = 'x-davit-origin';
/** The headers with which CloudFront describes a viewer's certificate, which it has verified. The certificate is percent-encoded PEM. */
const PREFIX = 'cloudfront-viewer-cert-';
const CERTIFICATE = `${PREFIX}pem`;
const PRESENT = `${PREFIX}present`;

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The certificate that a distribution vouches for, by its headers. Without the secret anybody could have written them: then the
 * certificate is nobody's, and whoever shows it is refused. Undefined where no such header is.
 */
export function vouchedCertificate(headers: Headers, secret: string | undefined): ClientCertificate | undefined {
  if (!Object.keys(headers).some((name) => name.startsWith(PREFIX))) return undefined;
  const isProven = secret !== undefined && equal(headers[ORIGIN_HEADER] ?? '', secret);
  if (!isProven) return NOBODYS;
  const pem = headers[CERTIFICATE];
  if (pem === undefined) return undefined;
  // A viewer without a certificate gets through too, and may have written this header: the distribution tells the two apart.
  return headers[PRESENT] === '1' ? certificateOf(only(decoded(pem)), ['client']) : NOBODYS;
}

const NOBODYS: ClientCertificate = {
  commonName: '',
  organizations: [],
  signedBy: [],
  sha256: '',
  notAfter: Number.POSITIVE_INFINITY,
};

/** The certificate in `pem`; one without a name where it cannot be read. */
export function certificateOf(pem: string, signedBy: readonly Signer[]): ClientCertificate {
  const certificate = parsed(pem);
  return certificate === undefined ? NOBODYS : describedCertificate(certificate, signedBy);
}

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // whatever it is, it is no certificate
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // nor is this
  }
}

/** Of two, a parser would take the first, whoever wrote it. */
const only = (pem: string): string => (pem.split('-----BEGIN').length === 2 ? pem : '');

/** Over digests, so that neither content nor length shows in how long it takes. */
function equal(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
