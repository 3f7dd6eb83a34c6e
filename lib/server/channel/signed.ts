import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Json } from '#lib/machinery/json-value.ts';

/**
 * Encodes a payload and its Ed25519 signature as text: both in base64url, separated by a dot. `context` is the purpose of the signature, so
 * that it is not valid for any other purpose.
 */
export function signedText(context: string, payload: Json, key: KeyObject): string {
  const signed = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${signed}.${sign(null, Buffer.from(`${context}${signed}`), key).toString('base64url')}`;
}

/** Verifies and returns the payload of a signed text, without further checks. Undefined if it is not signed with the key. */
export function verifiedPayload(context: string, text: string, key: KeyObject): unknown {
  const [signed = '', signature = '', ...rest] = text.split('.');
  const isSigned =
    rest.length === 0 && verify(null, Buffer.from(`${context}${signed}`), key, Buffer.from(signature, 'base64url'));
  return isSigned ? (JSON.parse(Buffer.from(signed, 'base64url').toString()) as unknown) : undefined;
}

/** Returns the public key of a private Ed25519 key: SPKI, base64url. */
export const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64url');

/** Decodes a public Ed25519 key from SPKI in base64url. Throws Error if it is not one. */
export function publicKeyIn(text: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(text, 'base64url'), type: 'spki', format: 'der' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key is none of Ed25519');
  return key;
}
