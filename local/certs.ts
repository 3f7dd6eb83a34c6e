import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate and its key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 24 * 60 * 60 * 1000;
const LIFETIME = 3650 * DAY;

x509.cryptoProvider.set(webcrypto as unknown as typeof globalThis.crypto);

export interface Authority {
  readonly certificate: string;
  issue(
    subject: { readonly name: string; readonly organizations?: readonly string[] },
    names?: readonly string[],
  ): Promise<KeyPair>;
}

/** A new certificate authority, whose key lives as long as this value: everything it signs is signed at the start. */
export async function newAuthority(now: Date): Promise<Authority> {
  const { root, keys } = await selfSigned('CN=davit-ca', now);
  return {
    certificate: root.toString('pem'),
    issue: (subject, names = []) => issue(root, keys.privateKey, now, subject, names),
  };
}

/** A certificate authority whose key is kept: it signs for whom the control plane approves. */
export async function newSigner(now: Date): Promise<KeyPair> {
  const { root, keys } = await selfSigned('CN=davit-signer', now);
  return { certificate: root.toString('pem'), key: await privatePem(keys.privateKey) };
}

async function selfSigned(name: string, now: Date) {
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
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey), // tells apart authorities of one name
    ],
  });
  return { root, keys };
}

async function issue(
  root: x509.X509Certificate,
  signingKey: webcrypto.CryptoKey,
  now: Date,
  subject: { name: string; organizations?: readonly string[] },
  names: readonly string[],
): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(now),
    serialNumber: serial(),
    subject: new x509.Name([
      { CN: [subject.name] },
      ...(subject.organizations ?? []).map((organization) => ({ O: [organization] })),
    ]).toString(),
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      usage(names.length > 0),
      await x509.AuthorityKeyIdentifierExtension.create(root.publicKey),
      ...(names.length === 0 ? [] : [alternativeNames(names)]),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await privatePem(keys.privateKey) };
}

const usage = (server: boolean) =>
  new x509.ExtendedKeyUsageExtension([server ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth]);

function alternativeNames(names: readonly string[]): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value })),
  );
}

/** From a day ago, so that a clock behind ours accepts it. */
function validity(now: Date): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - DAY), notAfter: new Date(now.getTime() + LIFETIME) };
}

const serial = (): string => Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex');

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/(.{64})/g, '$1\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
}
