import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type PemBlock, pemBlocks } from '../certificates/pem.ts';

const CERTIFICATE = 'CERTIFICATE';
const isKey = (type: string): boolean => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');
/** Key algorithms that a server certificate may use. */
const ALGORITHMS: ReadonlySet<string | undefined> = new Set(['rsa', 'ec', 'ed25519']);
const ENCODINGS = ['pkcs1', 'pkcs8', 'sec1'] as const;

/** The reason why a PEM certificate and a PEM key do not match, in the words of Go's `tls.X509KeyPair`. Undefined if they match. */
export function keyPairFault(certificate: Uint8Array, key: Uint8Array): string | undefined {
  const [certificates, keys] = [blocksOf(certificate), blocksOf(key)];
  const first = certificates.find(({ type }) => type === CERTIFICATE);
  if (first === undefined) return `tls: failed to find ${noCertificate(certificates.map(({ type }) => type))}`;
  const own = keys.find(({ type }) => isKey(type));
  if (own === undefined) return `tls: ${noKey(keys.map(({ type }) => type))}`;
  const leaf = orUndefined(() => new X509Certificate(first.bytes));
  if (leaf === undefined) return 'x509: malformed certificate';
  const privateKey = decodedKey(own);
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return mismatch(leaf, privateKey);
}

const blocksOf = (pem: Uint8Array): PemBlock[] => pemBlocks(Buffer.from(pem).toString('latin1'));

function noCertificate(skipped: readonly string[]): string {
  const [only = ''] = skipped;
  if (skipped.length === 0) return 'any PEM data in certificate input';
  if (skipped.length === 1 && only.endsWith('PRIVATE KEY'))
    return 'certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  return `"CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function noKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === CERTIFICATE)
    return 'found a certificate rather than a key in the PEM for the private key';
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

/** Decodes a private key, whatever the type of its PEM block. */
function decodedKey({ bytes }: PemBlock): KeyObject | undefined {
  for (const type of ENCODINGS) {
    const key = orUndefined(() => createPrivateKey({ key: bytes, format: 'der', type }));
    if (key !== undefined) return key;
  }
  return undefined;
}

function mismatch(leaf: X509Certificate, key: KeyObject): string | undefined {
  const algorithm = leaf.publicKey.asymmetricKeyType;
  if (!ALGORITHMS.has(algorithm)) return 'tls: unknown public key algorithm';
  if (!ALGORITHMS.has(key.asymmetricKeyType)) return 'tls: found unknown private key type in PKCS#8 wrapping';
  if (algorithm !== key.asymmetricKeyType) return 'tls: private key type does not match public key type';
  return leaf.checkPrivateKey(key) ? undefined : 'tls: private key does not match public key';
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
