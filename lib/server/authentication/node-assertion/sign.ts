import { X509Certificate } from 'node:crypto';
import { signedWith, signingKey } from '../key.ts';
import { digestOf, LIFE, TYPE, targetOf, type UnsignedRequest } from './claims.ts';

/** A certificate and its key, both in PEM. */
export interface NodeKeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The cluster, server and time for which an assertion is issued. */
export interface AssertionTerms {
  readonly cluster: string;
  /** The server's name and port in the format of `hostOf`. */
  readonly host: string;
  /** The server's time in ms since 1970. */
  readonly now: number;
}

/** A node's assertion for one request. Throws if the certificate or key cannot be read. */
export function signedAssertion(
  pair: NodeKeyPair,
  request: UnsignedRequest,
  { cluster, host, now }: AssertionTerms,
): string {
  const key = signingKey(pair.key);
  const issued = Math.floor(now / 1000);
  const header = { typ: TYPE, alg: key.algorithm, x5c: [new X509Certificate(pair.certificate).raw.toString('base64')] };
  const claims = {
    aud: [cluster, host],
    iat: issued,
    exp: issued + LIFE,
    htm: request.method,
    htu: targetOf(request),
    digest: digestOf(request.body),
  };
  return signedWith(key, header, JSON.stringify(claims));
}
