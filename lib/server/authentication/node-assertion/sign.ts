import { X509Certificate } from 'node:crypto';
import { signedWith, signingKey } from '../key.ts';
import { digestOf, LIFE, TYPE, targetOf, type UnsignedRequest } from './claims.ts';

/** A certificate and its key, both PEM. */
export interface NodeKeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The terms of an assertion. */
export interface AssertionTerms {
  readonly cluster: string;
  /** The server's name and port, as `hostOf` writes them. */
  readonly host: string;
  /** Milliseconds since 1970, by the server's clock. */
  readonly now: number;
}

/** The assertion of a node for one request. Throws where certificate or key cannot be read. */
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
