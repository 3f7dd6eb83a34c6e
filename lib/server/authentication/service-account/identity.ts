import { defined } from '#lib/machinery/defined.ts';
import { madeOnce } from '#lib/machinery/made-once.ts';
import { type SigningKey, signingKey, type VerificationKey, verificationKey } from '../key.ts';
import { JWKS, type OpenIdMetadata, openIdMetadata } from '../openid-metadata.ts';
import { type TokenIssuer, tokenIssuer } from '../token-issuer.ts';

/** kubeadm's default issuer, which is the name of the API server in pods. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** The keys and settings of service account tokens: upstream's --service-account-* flags. */
export interface ServiceAccountKeys {
  /** The first one issues new tokens. Tokens of the others are accepted. */
  readonly issuers: readonly [string, ...string[]];
  /** The private key in PEM, or a function that reads it on first use. Its public half verifies tokens. */
  readonly signingKey: string | (() => Promise<string>);
  /** PEM keys that signed earlier tokens or will sign later ones. */
  readonly verificationKeys?: readonly string[];
  /** Defaults to the issuers. */
  readonly audiences?: readonly string[];
  /** The maximum lifetime in seconds that a request may set. At least 3600. */
  readonly maxExpirationSeconds?: number;
  /** The URL of the public keys. Defaults to the server's own address. */
  readonly jwksUri?: string;
}

/** Issues tokens, verifies them and publishes the keys. */
export interface ServiceAccountIdentity {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** Rejects if the signing key cannot be read, and with TypeError if it is invalid. The next call reads it again. */
  keys(): Promise<readonly VerificationKey[]>;
  readonly tokenIssuer: TokenIssuer;
  readonly metadata: OpenIdMetadata | undefined;
}

/** Throws if a given key cannot be read. `address` is `host:port` of the server. */
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
