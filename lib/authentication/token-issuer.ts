import type { JsonObject } from '#lib/machinery/json-value.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { signedJwt, signingKey } from './key.ts';

/** Makes the tokens of service accounts. */
export interface TokenIssuer {
  /** The `iss` claim: the URL under which the keys are published. */
  readonly issuer: string;
  /** For whom a token is that names nobody. */
  readonly audiences: readonly string[];
  /** A signed JWT with these claims. */
  sign(claims: JsonObject): Promise<string>;
}

/** Signs in this process, with a private key in PEM. */
export function tokenIssuer(given: {
  readonly key: string;
  readonly issuer: string;
  readonly audiences?: readonly string[];
}): TokenIssuer {
  const { issuer, audiences = [issuer] } = given;
  const key = signingKey(given.key);
  return { issuer, audiences, sign: async (claims) => signedJwt(key, encodeJson(claims)) };
}
