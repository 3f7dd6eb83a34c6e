import { verificationKey, type VerificationKey } from '../key.ts';
import { JWKS, openIdMetadata, type OpenIdMetadata } from '../openid-metadata.ts';
import { tokenIssuer, type TokenIssuer } from '../token-issuer.ts';

/** The issuer that kubeadm gives every cluster: pods know it by this name. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** By what the tokens of service accounts are made and known: upstream's --service-account-* flags. */
export interface ServiceAccountKeys {
  /** The first is named in new tokens; those of the others are accepted still. */
  readonly issuers: readonly [string, ...string[]];
  /** PEM; its public half verifies. */
  readonly signingKey: string;
  /** PEM: keys that signed before, or will. */
  readonly verificationKeys?: readonly string[];
  /** Default the issuers. */
  readonly audiences?: readonly string[];
  /** Tokens that are asked for longer end by then: at least 3600. */
  readonly maxExpirationSeconds?: number;
  /** Where others find the keys. Default the server's own address. */
  readonly jwksUri?: string;
}

/** What the keys are good for: making tokens, accepting them, and letting others do so. */
export interface ServiceAccountIdentity {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly keys: readonly VerificationKey[];
  readonly tokenIssuer: TokenIssuer;
  readonly metadata: OpenIdMetadata | undefined;
}

/** Throws where a key cannot be read. `address` is `host:port` of the server. */
export function serviceAccountIdentity(given: ServiceAccountKeys, address: string): ServiceAccountIdentity {
  const { issuers, signingKey, verificationKeys = [], audiences = issuers } = given;
  const all = [signingKey, ...verificationKeys].map(verificationKey);
  const keys = [...new Map(all.map((key) => [key.keyId, key])).values()];
  const [issuer] = issuers;
  const jwksUri = given.jwksUri ?? `https://${address}${JWKS}`;
  return {
    issuers,
    audiences,
    keys,
    tokenIssuer: tokenIssuer({
      key: signingKey,
      issuer,
      audiences,
      ...(given.maxExpirationSeconds === undefined ? {} : { maxExpirationSeconds: given.maxExpirationSeconds }),
    }),
    metadata: openIdMetadata({ issuer, jwksUri, keys }),
  };
}
