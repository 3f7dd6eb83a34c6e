import { defined } from '#lib/machinery/defined.ts';
import { madeOnce } from '#lib/machinery/made-once.ts';
import { type SigningKey, signingKey, type VerificationKey, verificationKey } from '../key.ts';
import { JWKS, type OpenIdMetadata, openIdMetadata } from '../openid-metadata.ts';
import { type TokenIssuer, tokenIssuer } from '../token-issuer.ts';

/** The issuer that kubeadm gives every cluster: pods know it by this name. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** By what the tokens of service accounts are made and known: upstream's --service-account-* flags. */
export interface ServiceAccountKeys {
  /** The first is named in new tokens; those of the others are accepted still. */
  readonly issuers: readonly [string, ...string[]];
  /** PEM, or where it is read at its first need; its public half verifies. */
  readonly signingKey: string | (() => Promise<string>);
  /** PEM: keys that signed before, or will. */
  readonly verificationKeys?: readonly string[];
  /** Default the issuers. */
  readonly audiences?: readonly string[];
  /** Tokens that are asked for longer end by then: at least 3600. */
  readonly maxExpirationSeconds?: number;
  /** Where others find the keys. Default the server's own address. */
  readonly jwksUri?: string;
}

/** The uses of the keys: making tokens, accepting them, and publishing them for others. */
export interface ServiceAccountIdentity {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** Rejects as reading the signing key does, and with TypeError where it is none; read again by who asks next. */
  keys(): Promise<readonly VerificationKey[]>;
  readonly tokenIssuer: TokenIssuer;
  readonly metadata: OpenIdMetadata | undefined;
}

/** Throws where a key that is given cannot be read. `address` is `host:port` of the server. */
export function serviceAccountIdentity(given: ServiceAccountKeys, address: string): ServiceAccountIdentity {
  const { issuers, audiences = issuers } = given;
  const key = onceRead(given.signingKey);
  const others = (given.verificationKeys ?? []).map(verificationKey);
  const keys = async () => [...new Map([await key(), ...others].map((one) => [one.keyId, one])).values()];
  const [issuer] = issuers;
  const jwksUri = given.jwksUri ?? `https://${address}${JWKS}`;
  return {
    issuers,
    audiences,
    keys,
    tokenIssuer: tokenIssuer({
      key,
      issuer,
      audiences,
      ...defined({ maxExpirationSeconds: given.maxExpirationSeconds }),
    }),
    metadata: openIdMetadata({ issuer, jwksUri, keys }),
  };
}

function onceRead(given: ServiceAccountKeys['signingKey']): () => Promise<SigningKey> {
  if (typeof given === 'string') {
    const key = signingKey(given);
    return async () => key;
  }
  return madeOnce(async () => signingKey(await given()));
}
