import type { X509Certificate } from 'node:crypto';
import type { ClientCertificate, Signer } from './authenticator.ts';

/** The identifying fields of a certificate. The caller passes the authorities that signed it. */
export function describedCertificate(certificate: X509Certificate, signedBy: readonly Signer[]): ClientCertificate {
  const { subject } = certificate.toLegacyObject();
  return {
    commonName: texts(subject?.CN).at(-1) ?? '', // the last of several common names, like upstream
    organizations: texts(subject?.O),
    signedBy,
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    notAfter: Date.parse(certificate.validTo),
  };
}

function texts(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
