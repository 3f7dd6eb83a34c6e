import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Json } from '#lib/machinery/json-value.ts';

/**
 * A payload and its signature by an Ed25519 key, as text: both in base64url, with a dot between. `context` says for what the signature
 * is, so that it counts for nothing else.
 */
export function signedText(context: string, payload: Json, key: KeyObject): string {
  const signed = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${signed}.${sign(null, Buffer.from(`${context}${signed}`), key).toString('base64url')}`;
}

/** The payload of such a text, not checked any further; undefined where the key has not signed it. */
export function verifiedPayload(context: string, text: string, key: KeyObject): unknown {
  const [signed = '', signature = '', ...rest] = text.split('.');
  const isSigned =
    rest.length === 0 && verify(null, Buffer.from(`${context}${signed}`), key, Buffer.from(signature, 'base64url'));
  return isSigned ? (JSON.parse(Buffer.from(signed, 'base64url').toString()) as unknown) : undefined;
}

/** The public key to a private Ed25519 key: SPKI, base64url. */
export const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64url');

/** The Ed25519 key of such a text. Throws Error for another. */
export function publicKeyIn(text: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(text, 'base64url'), type: 'spki', format: 'der' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key is none of Ed25519');
  return key;
}
