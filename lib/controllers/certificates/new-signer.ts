import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate and its key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The algorithm of every generated key. */
export const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 24 * 60 * 60 * 1000;
const LIFETIME = 3650 * DAY;

x509.cryptoProvider.set(webcrypto);

/** A certificate authority with a persistent key. It signs requests that the control plane approves. */
export async function newSigner(now: Date): Promise<KeyPair> {
  const { root, keys } = await selfSigned('CN=davit-signer', now);
  return { certificate: root.toString('pem'), key: await privatePem(keys.privateKey) };
}

/** Creates a self-signed authority and its keys. `name` is a distinguished name. */
export async function selfSigned(name: string, now: Date) {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(now),
    serialNumber: serial(),
    name,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey), // distinguishes authorities with the same name
    ],
  });
  return { root, keys };
}

/** Ten years starting a day ago, so that slow clocks accept the certificate. */
export function validity(now: Date): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - DAY), notAfter: new Date(now.getTime() + LIFETIME) };
}

/** A random serial number in hexadecimal. */
export const serial = (): string => Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex');

/** The private key as PKCS #8, PEM. */
export async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/(.{64})/g, '$1\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
}
