/** Whether base64 text holds PEM certificates; what is in them is not read. */
export function isCABundle(base64: string): boolean {
  const pem = Buffer.from(base64, 'base64').toString('latin1');
  return pem.includes('-----BEGIN CERTIFICATE-----') && pem.includes('-----END CERTIFICATE-----');
}
