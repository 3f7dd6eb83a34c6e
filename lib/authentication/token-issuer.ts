import type { JsonObject } from '#lib/machinery/json-value.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { signedJwt, signingKey } from './key.ts';

/** Makes the tokens of service accounts. */
export interface TokenIssuer {
  /** The `iss` claim: the URL under which the keys are published. */
  readonly issuer: string;
  /** For whom a token is that names nobody. */
  readonly audiences: readonly string[];
  /** Tokens that are asked for longer end by then. */
  readonly maxExpirationSeconds?: number;
  /** A signed JWT with these claims. */
  sign(claims: JsonObject): Promise<string>;
}

/** Signs in this process, with a private key in PEM. */
export function tokenIssuer(given: {
  readonly key: string;
  readonly issuer: string;
  readonly audiences?: readonly string[];
  readonly maxExpirationSeconds?: number;
}): TokenIssuer {
  const { key: pem, audiences = [given.issuer], ...rest } = given;
  const key = signingKey(pem);
  return { ...rest, audiences, sign: async (claims) => signedJwt(key, encodeJson(claims)) };
}
