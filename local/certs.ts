import 'reflect-metadata';
import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import {
  ALGORITHM,
  privatePem,
  selfSigned,
  serial,
  validity,
  type KeyPair,
} from '#lib/controllers/certificates/new-signer.ts';

/** A certificate authority and its key, both PEM. */
export interface Authority extends KeyPair {
  issue(
    subject: { readonly name: string; readonly organizations?: readonly string[] },
    names?: readonly string[],
  ): Promise<KeyPair>;
}

/** A new certificate authority. */
export async function newAuthority(now: Date): Promise<Authority> {
  const { root, keys } = await selfSigned('CN=davit-ca', now);
  return authorityOf({ certificate: root.toString('pem'), key: await privatePem(keys.privateKey) }, now);
}

/** An authority that signs with a kept P-256 key; its certificates are valid from a day before `now`. */
export function authorityOf(pair: KeyPair, now: Date): Authority {
  const root = new x509.X509Certificate(pair.certificate);
  return { ...pair, issue: (subject, names = []) => issue({ root, key: pair.key, now }, subject, names) };
}

/** Whether a certificate, PEM, names all of these hosts and addresses. */
export function namesAll(certificate: string, names: readonly string[]): boolean {
  const parsed = new X509Certificate(certificate);
  return names.every((name) => (isAddress(name) ? parsed.checkIP(name) : parsed.checkHost(name)) !== undefined);
}

interface Issuer {
  readonly root: x509.X509Certificate;
  readonly key: string;
  readonly now: Date;
}

async function issue(
  { root, key, now }: Issuer,
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
    signingKey: await signingKeyOf(key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      usage(names.length > 0),
      await x509.AuthorityKeyIdentifierExtension.create(root.publicKey),
      ...(names.length === 0 ? [] : [alternativeNames(names)]),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await privatePem(keys.privateKey) };
}

function signingKeyOf(pem: string): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
}

const usage = (server: boolean) =>
  new x509.ExtendedKeyUsageExtension([server ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth]);

function alternativeNames(names: readonly string[]): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isAddress(value) ? 'ip' : 'dns', value })),
  );
}

const isAddress = (name: string): boolean => isIP(name) > 0;
