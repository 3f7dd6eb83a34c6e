import 'reflect-metadata';
import { createHash, createPrivateKey, createPublicKey, webcrypto } from 'node:crypto';
import { Name, Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import { ALGORITHM, privatePem } from '#lib/controllers/certificates/new-signer.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
const USAGES = ['digital signature', 'client auth'];
const ORGANIZATION = 'system:nodes';

/** A new P-256 key, PKCS #8 PEM. */
export async function newKey(): Promise<string> {
  const { privateKey } = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  return privatePem(privateKey);
}

/** The request of a node's client certificate, under a name that follows from key and node: the same key asks once. */
export async function nodeCertificateRequest(node: string, key: string): Promise<CertificateSigningRequest> {
  const commonName = `system:node:${node}`;
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: new Name([{ O: [ORGANIZATION] }, { CN: [commonName] }]),
    keys: await keysOf(key),
    signingAlgorithm: ALGORITHM,
  });
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: digestedName(key, commonName) },
    spec: { request: Buffer.from(request.toString('pem')).toString('base64'), signerName: SIGNER, usages: [...USAGES] },
    status: {},
  };
}

async function keysOf(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const key = createPrivateKey(pem);
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  const spki = createPublicKey(pem).export({ type: 'spki', format: 'der' });
  const { subtle } = webcrypto;
  const [privateKey, publicKey] = await Promise.all([
    subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']),
    subtle.importKey('spki', spki, ALGORITHM, true, ['verify']),
  ]);
  return { privateKey, publicKey };
}

/** Upstream's digestedName: `node-csr-` and a digest of public key, subject and usages. */
function digestedName(key: string, commonName: string): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const parts = [publicKey, ...[commonName, ORGANIZATION, ...USAGES].map((part) => Buffer.from(part))];
  const text = parts.map((part) => `${part.toString('base64url')}|`).join('');
  return `node-csr-${createHash('sha512-256').update(text).digest('base64url')}`;
}
