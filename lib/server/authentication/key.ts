import { constants, createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Jwt } from './jwt.ts';

/** A public key and the only algorithm with which it verifies, so that a token cannot choose one. */
export interface VerificationKey {
  /** Derived from the key, so that each identifies the other. */
  readonly keyId: string;
  readonly algorithm: string;
  readonly key: KeyObject;
}

/** A private key. Its public half verifies. */
export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

interface Algorithm {
  readonly digest: string;
  readonly type: 'rsa' | 'ec';
  readonly curve?: string;
  readonly pss?: true;
}

/** Signature algorithms of tokens. All of them require a signature, and none uses a shared secret. */
const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['RS256', { digest: 'sha256', type: 'rsa' }],
  ['RS384', { digest: 'sha384', type: 'rsa' }],
  ['RS512', { digest: 'sha512', type: 'rsa' }],
  ['PS256', { digest: 'sha256', type: 'rsa', pss: true }],
  ['PS384', { digest: 'sha384', type: 'rsa', pss: true }],
  ['PS512', { digest: 'sha512', type: 'rsa', pss: true }],
  ['ES256', { digest: 'sha256', type: 'ec', curve: 'prime256v1' }],
  ['ES384', { digest: 'sha384', type: 'ec', curve: 'secp384r1' }],
  ['ES512', { digest: 'sha512', type: 'ec', curve: 'secp521r1' }],
]);

/** The names of the algorithms, sorted. */
export const ALGORITHM_NAMES: readonly string[] = [...ALGORITHMS.keys()].toSorted();

/** The minimum RSA modulus in bits. Go rejects shorter keys, because they can be broken. */
const MIN_MODULUS = 1024;

/** The algorithms that fit the key, the usual one first. Empty for an RSA key that is too short. */
export function algorithmsOf(key: KeyObject): readonly string[] {
  const { namedCurve: curve, modulusLength = MIN_MODULUS } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_MODULUS) return [];
  const fits = ({ type, curve: wanted }: Algorithm): boolean => type === key.asymmetricKeyType && wanted === curve;
  return [...ALGORITHMS].filter(([, algorithm]) => fits(algorithm)).map(([name]) => name);
}

/** Whether the key signed the token with the algorithm in the token, which must be one of `allowed`. */
export function isSignedBy(jwt: Jwt, key: KeyObject, allowed: readonly string[]): boolean {
  const of = signatureOf(jwt, key, allowed);
  return of !== undefined && verify(of.digest, of.data, of.how, jwt.signature);
}

/** Like `isSignedBy`, but in another thread, because an untrusted key may need several ms. */
export async function isSignedByForeign(jwt: Jwt, key: KeyObject, allowed: readonly string[]): Promise<boolean> {
  const of = signatureOf(jwt, key, allowed);
  if (of === undefined) return false;
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: boolean): void => (error === null ? resolve(result) : reject(error));
    verify(of.digest, of.data, of.how, jwt.signature, done);
  });
}

/** The arguments of node:crypto for the signature. Undefined if the algorithm is not allowed. A salt may have any length, as in Go. */
function signatureOf(jwt: Jwt, key: KeyObject, allowed: readonly string[]) {
  const algorithm = allowed.includes(jwt.algorithm) ? ALGORITHMS.get(jwt.algorithm) : undefined;
  if (algorithm === undefined) return undefined;
  const padding =
    algorithm.pss === true
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
      : {};
  const how = { key, dsaEncoding: 'ieee-p1363' as const, ...padding };
  return { digest: algorithm.digest, data: Buffer.from(jwt.signed), how };
}

/**
 * Parses a public key, a private key or a certificate in PEM. Throws TypeError unless the key is RSA with at least 1024 bits or on a NIST
 * curve.
 */
export function verificationKey(pem: string): VerificationKey {
  return described(createPublicKey(pem));
}

/** Parses a private key in PEM. Throws like `verificationKey`. */
export function signingKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  return { ...described(createPublicKey(privateKey)), privateKey };
}

function described(key: KeyObject): VerificationKey {
  const [algorithm] = algorithmsOf(key);
  if (algorithm === undefined)
    throw new TypeError('a key of tokens is RSA of at least 1024 bits, or on the curve P-256, P-384 or P-521');
  const keyId = hash('sha256', key.export({ type: 'spki', format: 'der' }), 'buffer').toString('base64url');
  return { keyId, algorithm, key };
}

/** Whether this key signed the token. */
export const verifies = ({ algorithm, key }: VerificationKey, jwt: Jwt): boolean => isSignedBy(jwt, key, [algorithm]);

/** A JWT in compact form. */
export const signedJwt = (key: SigningKey, claims: string): string =>
  signedWith(key, { alg: key.algorithm, kid: key.keyId }, claims);

/** A JWT in compact form with a custom header. The header must name the key's algorithm. */
export function signedWith({ algorithm, privateKey }: SigningKey, header: object, claims: string): string {
  const body = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${Buffer.from(claims).toString('base64url')}`;
  const digest = ALGORITHMS.get(algorithm)?.digest;
  const signature = sign(digest, Buffer.from(body), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${body}.${signature.toString('base64url')}`;
}

/** The key in the format of a JSON Web Key Set. */
export function jwkOf({ key, keyId, algorithm }: VerificationKey): JsonObject {
  const { kty = '', crv, n, e, x, y } = key.export({ format: 'jwk' });
  const parts = { crv, x, y, n, e };
  const given = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined);
  return { use: 'sig', kty, kid: keyId, ...Object.fromEntries(given), alg: algorithm };
}
