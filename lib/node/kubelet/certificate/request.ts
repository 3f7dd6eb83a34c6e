import 'reflect-metadata';
import { createHash, createPrivateKey, createPublicKey, webcrypto } from 'node:crypto';
import { type Extension, Name, type Pkcs10CertificateRequest, Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import { alternativeNames } from '#lib/controllers/certificates/issue.ts';
import { ALGORITHM, privatePem } from '#lib/controllers/certificates/new-signer.ts';
import { KUBELET_CLIENT, KUBELET_SERVING, NODE, NODE_GROUP } from '#lib/controllers/certificates/signers.ts';
import type { ServingNames } from './serving-names.ts';

const CLIENT_USAGES = ['digital signature', 'client auth'];
const SERVING_USAGES = ['digital signature', 'server auth'];

/** A new P-256 key as PKCS #8 PEM. */
export async function newKey(): Promise<string> {
  const { privateKey } = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  return privatePem(privateKey);
}

/** The request for a node's client certificate. Its name is derived from key and node, so that the same key is only requested once. */
export async function nodeCertificateRequest(node: string, key: string): Promise<CertificateSigningRequest> {
  const request = await requestOf(node, key);
  const metadata = { name: digestedName(key, `${NODE}${node}`) };
  return signingRequest(metadata, { request, signerName: KUBELET_CLIENT, usages: CLIENT_USAGES });
}

/** The request for a serving certificate with these names. The server chooses the name of the request. */
export async function servingCertificateRequest(
  node: string,
  key: string,
  { dns, ip }: ServingNames,
): Promise<CertificateSigningRequest> {
  const request = await requestOf(node, key, [alternativeNames([...dns, ...ip])]);
  return signingRequest({ generateName: 'csr-' }, { request, signerName: KUBELET_SERVING, usages: SERVING_USAGES });
}

async function requestOf(node: string, key: string, extensions: Extension[] = []): Promise<Pkcs10CertificateRequest> {
  return Pkcs10CertificateRequestGenerator.create({
    name: new Name([{ O: [NODE_GROUP] }, { CN: [`${NODE}${node}`] }]),
    keys: await keysOf(key),
    signingAlgorithm: ALGORITHM,
    extensions,
  });
}

interface Asked {
  readonly request: Pkcs10CertificateRequest;
  readonly signerName: string;
  readonly usages: readonly string[];
}

const signingRequest = (
  metadata: CertificateSigningRequest['metadata'],
  { request, signerName, usages }: Asked,
): CertificateSigningRequest => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata,
  spec: { request: Buffer.from(request.toString('pem')).toString('base64'), signerName, usages: [...usages] },
  status: {},
});

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
  const parts = [publicKey, ...[commonName, NODE_GROUP, ...CLIENT_USAGES].map((part) => Buffer.from(part))];
  const text = parts.map((part) => `${part.toString('base64url')}|`).join('');
  return `node-csr-${createHash('sha512-256').update(text).digest('base64url')}`;
}
