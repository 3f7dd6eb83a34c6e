import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type SigningKey, signedJwt } from './key.ts';

/** Issues service account tokens. */
export interface TokenIssuer {
  /** The `iss` claim: the URL under which the keys are published. */
  readonly issuer: string;
  /** The audiences of a token if its request names none. */
  readonly audiences: readonly string[];
  /** The maximum lifetime of tokens that a request may set. */
  readonly maxExpirationSeconds?: number;
  /** A signed JWT with these claims. */
  sign(claims: JsonObject): Promise<string>;
}

/** Signs in this process with a private key. */
export function tokenIssuer(given: {
  key(): Promise<SigningKey>;
  readonly issuer: string;
  readonly audiences?: readonly string[];
  readonly maxExpirationSeconds?: number;
}): TokenIssuer {
  const { key, audiences = [given.issuer], ...rest } = given;
  return { ...rest, audiences, sign: async (claims) => signedJwt(await key(), encodeJson(claims)) };
}
