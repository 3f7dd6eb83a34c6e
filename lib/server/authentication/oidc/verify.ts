import { quote, quoteList } from '#lib/machinery/go.ts';
import { type JsonObject, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { audiencesOf, type Jwt } from '../jwt.ts';
import { ALGORITHM_NAMES } from '../key.ts';
import { ID_TOKEN } from './id-token.ts';

/** How far an issuer's clock may be ahead, in seconds. */
const AHEAD = 60;

/** go-oidc's message for a token that no key of its issuer signed. */
export const UNSIGNED = 'failed to verify signature: failed to verify id token signature';

/** The unverified issuer in a token. Google's tokens omit its scheme. */
export function issuerOf({ claims }: Jwt): string | undefined {
  const named = stringAt(claims, 'iss');
  return named === 'accounts.google.com' ? 'https://accounts.google.com' : named;
}

/**
 * The reason why an ID token is invalid regardless of its signature, in go-oidc's words: algorithm, claim types, time or audience.
 * Undefined if it is valid. `now` is in seconds since 1970.
 */
export function tokenFault(
  { algorithm, claims }: Jwt,
  { audiences, now }: { readonly audiences: readonly string[]; readonly now: number },
): string | undefined {
  if (!ALGORITHM_NAMES.includes(algorithm))
    return `oidc: id token signed with unsupported algorithm, expected ${quoteList(ALGORITHM_NAMES)} got ${quote(algorithm)}`;
  const mistyped = ID_TOKEN(claims, '');
  if (mistyped !== undefined) return `oidc: failed to unmarshal claims: ${mistyped}`;
  return timeFault(claims, now) ?? audienceFault(claims, audiences);
}

/** A token without an expiry counts as expired. */
function timeFault(claims: JsonObject, now: number): string | undefined {
  const end = Number(ownField(claims, 'exp') ?? 0);
  if (!(now <= end)) return `oidc: token is expired (Token Expiry: ${timeText(end)})`;
  const begin = Number(ownField(claims, 'nbf') ?? 0);
  if (begin <= now + AHEAD) return undefined;
  return `oidc: current time ${timeText(now)} before the nbf (not before) time: ${timeText(begin)}`;
}

/** The time in Go's format. */
const timeText = (seconds: number): string =>
  Number.isFinite(seconds) && Math.abs(seconds) < 8.64e12
    ? new Date(seconds * 1000).toISOString().replace(/T(.*)\..*/, ' $1 +0000 UTC')
    : String(seconds);

function audienceFault(claims: JsonObject, wanted: readonly string[]): string | undefined {
  const named = audiencesOf(claims);
  if (named.some((audience) => wanted.includes(audience))) return undefined;
  return `oidc: expected audience in ${quoteList(wanted.toSorted())} got ${quoteList(named)}`;
}
