import { createPrivateKey, createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Jwt } from './jwt.ts';

/** A public key and the one algorithm that it verifies: a token does not choose. */
export interface VerificationKey {
  /** Made from the key: who knows the one knows the other. */
  readonly keyId: string;
  readonly algorithm: string;
  readonly digest: string;
  readonly key: KeyObject;
}

/** A key that signs; its public half verifies. */
export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

const CURVES: Readonly<Record<string, readonly [algorithm: string, digest: string]>> = {
  prime256v1: ['ES256', 'sha256'],
  secp384r1: ['ES384', 'sha384'],
  secp521r1: ['ES512', 'sha512'],
};

/** Reads a public or a private key, or a certificate, PEM. Throws TypeError for what is neither RSA nor on a NIST curve. */
export function verificationKey(pem: string): VerificationKey {
  return described(createPublicKey(pem));
}

/** Reads a private key, PEM. Throws as `verificationKey`. */
export function signingKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  return { ...described(createPublicKey(privateKey)), privateKey };
}

function described(key: KeyObject): VerificationKey {
  const [algorithm, digest] = algorithmOf(key);
  const keyId = hash('sha256', key.export({ type: 'spki', format: 'der' }), 'buffer').toString('base64url');
  return { keyId, algorithm, digest, key };
}

function algorithmOf(key: KeyObject): readonly [algorithm: string, digest: string] {
  if (key.asymmetricKeyType === 'rsa') return ['RS256', 'sha256'];
  const curve = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (key.asymmetricKeyType !== 'ec' || curve === undefined)
    throw new TypeError('a key of tokens is RSA, or on the curve P-256, P-384 or P-521');
  return curve;
}

/** Whether this key signed the token. */
export function verifies({ algorithm, digest, key }: VerificationKey, jwt: Jwt): boolean {
  return (
    jwt.algorithm === algorithm &&
    verify(digest, Buffer.from(jwt.signed), { key, dsaEncoding: 'ieee-p1363' }, jwt.signature)
  );
}

/** A JWT, compact. */
export function signedJwt({ algorithm, keyId, digest, privateKey }: SigningKey, claims: string): string {
  const header = JSON.stringify({ alg: algorithm, kid: keyId });
  const body = `${Buffer.from(header).toString('base64url')}.${Buffer.from(claims).toString('base64url')}`;
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
