import { createPrivateKey, sign } from 'node:crypto';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { encodeJson } from '#lib/machinery/json.ts';

/** Makes the tokens of service accounts. */
export interface TokenIssuer {
  /** The `iss` claim: the URL under which the keys are published. */
  readonly issuer: string;
  /** For whom a token is that names nobody. */
  readonly audiences: readonly string[];
  /** A signed JWT with these claims. */
  sign(claims: JsonObject): Promise<string>;
}

export interface SigningKey {
  /** PKCS#8 or SEC1, PEM: a P-256 or an RSA key. */
  readonly privateKey: string;
  readonly keyId: string;
}

/** Signs in this process: ES256 or RS256, as the key is. */
export function tokenIssuer({
  key,
  issuer,
  audiences = [issuer],
}: {
  key: SigningKey;
  issuer: string;
  audiences?: readonly string[];
}): TokenIssuer {
  const privateKey = createPrivateKey(key.privateKey);
  const elliptic = privateKey.asymmetricKeyType === 'ec';
  const header = part({ alg: elliptic ? 'ES256' : 'RS256', kid: key.keyId });
  return {
    issuer,
    audiences,
    async sign(claims) {
      const body = `${header}.${part(claims)}`;
      const signature = sign('sha256', Buffer.from(body), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${body}.${signature.toString('base64url')}`;
    },
  };
}

const part = (value: JsonObject): string => Buffer.from(encodeJson(value)).toString('base64url');
