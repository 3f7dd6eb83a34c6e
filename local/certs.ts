import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import {
  ALGORITHM,
  privatePem,
  selfSigned,
  serial,
  validity,
  type KeyPair,
} from '#lib/controllers/certificates/new-signer.ts';

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
    issue: (subject, names = []) => issue({ root, signingKey: keys.privateKey, now }, subject, names),
  };
}

/** A client certificate that an authority whose key is kept signs for this process alone. */
export async function clientOf(authority: KeyPair, name: string, now: Date): Promise<KeyPair> {
  const root = new x509.X509Certificate(authority.certificate);
  const key = Buffer.from(authority.key.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const signingKey = await webcrypto.subtle.importKey('pkcs8', key, ALGORITHM, false, ['sign']);
  return issue({ root, signingKey, now }, { name }, []);
}

interface Issuer {
  readonly root: x509.X509Certificate;
  readonly signingKey: webcrypto.CryptoKey;
  readonly now: Date;
}

async function issue(
  { root, signingKey, now }: Issuer,
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
