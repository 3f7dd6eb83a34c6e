import { constants, createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Jwt } from './jwt.ts';

/** A public key and the one algorithm that it verifies: a token does not choose. */
export interface VerificationKey {
  /** Made from the key: who knows the one knows the other. */
  readonly keyId: string;
  readonly algorithm: string;
  readonly key: KeyObject;
}

/** A key that signs; its public half verifies. */
export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

interface Algorithm {
  readonly digest: string;
  readonly type: 'rsa' | 'ec';
  readonly curve?: string;
  readonly pss?: true;
}

/** Algorithms of tokens: none signs with a shared secret or not at all. */
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

/** Their names, sorted. */
export const ALGORITHM_NAMES: readonly string[] = [...ALGORITHMS.keys()].toSorted();

/** Bits of an RSA modulus. Go signs and verifies by no shorter one, as such a key can be broken. */
const MIN_MODULUS = 1024;

/** The algorithms that fit the key, the usual one first; none for an RSA key that is too short. */
export function algorithmsOf(key: KeyObject): readonly string[] {
  const { namedCurve: curve, modulusLength = MIN_MODULUS } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_MODULUS) return [];
  const fits = ({ type, curve: wanted }: Algorithm): boolean => type === key.asymmetricKeyType && wanted === curve;
  return [...ALGORITHMS].filter(([, algorithm]) => fits(algorithm)).map(([name]) => name);
}

/** Whether the key made the token's signature by the algorithm that the token names, which must be one of `allowed`. */
export function isSignedBy(jwt: Jwt, key: KeyObject, allowed: readonly string[]): boolean {
  const of = signatureOf(jwt, key, allowed);
  return of !== undefined && verify(of.digest, of.data, of.how, jwt.signature);
}

/** As `isSignedBy`, in another thread: by a key of others' making, which may take milliseconds. */
export async function isSignedByForeign(jwt: Jwt, key: KeyObject, allowed: readonly string[]): Promise<boolean> {
  const of = signatureOf(jwt, key, allowed);
  if (of === undefined) return false;
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: boolean): void => (error === null ? resolve(result) : reject(error));
    verify(of.digest, of.data, of.how, jwt.signature, done);
  });
}

/** The arguments of node:crypto for the signature; undefined if the algorithm is not allowed. A salt may have any length, as in Go. */
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

/** Reads a public or a private key, or a certificate, PEM. Throws TypeError for what is neither RSA of 1024 bits nor on a NIST curve. */
export function verificationKey(pem: string): VerificationKey {
  return described(createPublicKey(pem));
}

/** Reads a private key, PEM. Throws as `verificationKey`. */
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

/** A JWT, compact. */
export const signedJwt = (key: SigningKey, claims: string): string =>
  signedWith(key, { alg: key.algorithm, kid: key.keyId }, claims);

/** A JWT with a header of one's own, compact. The header names the key's algorithm. */
export function signedWith({ algorithm, privateKey }: SigningKey, header: object, claims: string): string {
  const body = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${Buffer.from(claims).toString('base64url')}`;
  const digest = ALGORITHMS.get(algorithm)?.digest;
  const signature = sign(digest, Buffer.from(body), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${body}.${signature.toString('base64url')}`;
}

/** The key as others find it in a key set. */
export function jwkOf({ key, keyId, algorithm }: VerificationKey): JsonObject {
  const { kty = '', crv, n, e, x, y } = key.export({ format: 'jwk' });
  const parts = { crv, x, y, n, e };
  const given = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined);
  return { use: 'sig', kty, kid: keyId, ...Object.fromEntries(given), alg: algorithm };
}
