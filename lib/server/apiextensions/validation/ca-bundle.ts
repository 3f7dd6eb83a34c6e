import { X509Certificate } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Whether base64 text contains PEM certificates that all parse. */
export function isCABundle(base64: string): boolean {
  const found = Buffer.from(base64, 'base64').toString('latin1').match(CERTIFICATE) ?? [];
  return found.length > 0 && found.every(isCertificate);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).serialNumber !== '';
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
