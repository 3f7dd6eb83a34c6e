import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { ALGORITHM, type KeyPair, privatePem, serial, validity } from './new-signer.ts';

/** The subject of a certificate. */
export interface Subject {
  readonly name: string;
  readonly organizations?: readonly string[];
}

/** A certificate authority and its key, both PEM. */
export interface Authority extends KeyPair {
  /** Creates a key and its certificate: a server certificate for those names and addresses, or a client certificate without names. */
  issue(subject: Subject, names?: readonly string[]): Promise<KeyPair>;
}

/**
 * The user name that kubelets see. It has no permissions here, so a node that registers this server's address as its kubelet gains none.
 */
const KUBELET_CLIENT = 'kube-apiserver-kubelet-client';

/**
 * The client certificate that this server presents to kubelets, signed by an authority with a persistent key. The certificate's own key
 * exists only in this process.
 */
export const kubeletClient = (authority: KeyPair, now: Date): Promise<KeyPair> =>
  authorityOf(authority, now).issue({ name: KUBELET_CLIENT });

/** An authority that signs with a persistent P-256 key. Its certificates are valid from a day before `now`. */
export function authorityOf(pair: KeyPair, now: Date): Authority {
  const root = new x509.X509Certificate(pair.certificate);
  return { ...pair, issue: (subject, names = []) => issue({ root, key: pair.key, now }, subject, names) };
}

interface Issuer {
  readonly root: x509.X509Certificate;
  readonly key: string;
  readonly now: Date;
}

async function issue(
  { root, key, now }: Issuer,
  { name, organizations = [] }: Subject,
  names: readonly string[],
): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(now),
    serialNumber: serial(),
    subject: new x509.Name([
      { CN: [name] },
      ...organizations.map((organization) => ({ O: [organization] })),
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

/** The names of a server: DNS names, and IP addresses in text form. */
export function alternativeNames(names: readonly string[]): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isAddr(value) ? 'ip' : 'dns', value })),
  );
}
