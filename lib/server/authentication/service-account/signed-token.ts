import { hash } from 'node:crypto';
import { unauthorized } from '#lib/machinery/errors.ts';
import { quoteList } from '#lib/machinery/go.ts';
import { type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { Recent } from '#lib/machinery/recent.ts';
import type { Authentication, TokenAuthenticator, TokenContext } from '../authenticator.ts';
import { type ClaimType, REGISTERED, struct } from '../claim-types.ts';
import { audiencesOf, type Jwt, parseJwt } from '../jwt.ts';
import { type VerificationKey, verifies } from '../key.ts';
import type { User } from '../user.ts';

export interface SignedTokens {
  /** Tokens of other issuers are ignored. */
  readonly issuers: readonly string[];
  /** Any of the keys may have signed a token. Old keys remain as long as their tokens are valid. */
  keys(): Promise<readonly VerificationKey[]>;
  /** This server's audiences, which are the default of requests and of tokens without audiences. */
  readonly audiences: readonly string[];
  /** The types of this server's own claims, by name. A token with another type is rejected. */
  readonly claimTypes: Readonly<Record<string, ClaimType>>;
  /** Authenticates claims with a valid signature and audience. Throws StatusError (401). */
  identify(claims: JsonObject, token: string, context: TokenContext): Promise<User>;
}

/** The maximum total size of cached tokens. Each signature is verified once, but the user is looked up on every request. */
const HELD = 4 * 1024 * 1024;

/** Tokens that this server signed: upstream's JWTTokenAuthenticator. */
export function signedTokens(given: SignedTokens): TokenAuthenticator {
  const type = struct('Claims', { ...REGISTERED, ...given.claimTypes });
  const held = new Recent<string, JsonObject | undefined>(HELD);
  let keys: readonly VerificationKey[] | undefined;
  return async (token, context) => {
    // The keys are not needed before the first token of this server.
    if (keys === undefined && !isOf(given.issuers, parseJwt(token))) return undefined;
    const known = (keys ??= await given.keys());
    const claims = held.get(hash('sha256', token, 'base64'), token.length, () => {
      const found = proven(token, given.issuers, known);
      const fault = found && type(found, '');
      if (fault !== undefined) throw unauthorized(fault);
      return found;
    });
    if (claims === undefined) return undefined;
    const audiences = accepted(claims, given.audiences, context.audiences);
    const user = await given.identify(claims, token, context);
    return answer(user, context.audiences === undefined ? undefined : audiences);
  };
}

const answer = (user: User, audiences: readonly string[] | undefined): Authentication =>
  audiences === undefined ? { user } : { user, audiences };

/** The verified claims of a token of this server. Undefined for other tokens. */
function proven(token: string, issuers: readonly string[], keys: readonly VerificationKey[]): JsonObject | undefined {
  const jwt = parseJwt(token);
  if (!isOf(issuers, jwt)) return undefined;
  const candidates = keysFor(jwt, keys);
  if (candidates.length === 0) throw unauthorized('invalid signature, no keys found');
  if (!candidates.some((key) => verifies(key, jwt)))
    throw unauthorized('go-jose/go-jose: error in cryptographic primitive');
  return jwt.claims;
}

const isOf = (issuers: readonly string[], jwt: Jwt | undefined): jwt is Jwt =>
  jwt !== undefined && issuers.includes(stringAt(jwt.claims, 'iss') ?? '');

const keysFor = ({ keyId }: Jwt, keys: readonly VerificationKey[]): readonly VerificationKey[] =>
  keyId === '' ? keys : keys.filter((key) => key.keyId === keyId);

function accepted(claims: JsonObject, own: readonly string[], asked: readonly string[] = own): readonly string[] {
  const named = audiencesOf(claims);
  const audiences = named.length === 0 ? own : named;
  const common = asked.filter((audience) => audiences.includes(audience));
  if (common.length > 0) return common;
  throw unauthorized(`token audiences ${quoteList(audiences)} is invalid for the target audiences ${quoteList(asked)}`);
}
