import { unauthorized } from '#lib/machinery/errors.ts';
import { ownField, stringAt } from '#lib/machinery/json-value.ts';
import { audiencesOf, type Jwt } from '../jwt.ts';
import { ID_TOKEN } from './id-token.ts';

/** How far an issuer's clock may be ahead of ours, in seconds. */
const AHEAD = 60;

/** Who a token says has made it, which nothing proves yet. Google's tokens name it without its scheme. */
export function issuerOf({ claims }: Jwt): string | undefined {
  const named = stringAt(claims, 'iss');
  return named === 'accounts.google.com' ? 'https://accounts.google.com' : named;
}

/** Throws StatusError (401) for a claim of another type than the one that it is to have: it must not count as absent. */
export function requireTypes({ claims }: Jwt): void {
  const fault = ID_TOKEN(claims, '');
  if (fault !== undefined) throw unauthorized(`oidc: verify token: oidc: failed to unmarshal claims: ${fault}`);
}

/** A token that names no end has ended. Throws StatusError (401). */
export function requireTime({ claims }: Jwt, now: number): void {
  const end = Number(ownField(claims, 'exp') ?? 0);
  if (!(now <= end)) throw unauthorized(`oidc: verify token: oidc: token is expired (Token Expiry: ${at(end)})`);
  const begin = ownField(claims, 'nbf') ?? undefined;
  if (begin === undefined || Number(begin) <= now + AHEAD) return;
  throw unauthorized(
    `oidc: verify token: oidc: current time ${at(now)} before the nbf (not before) time: ${at(Number(begin))}`,
  );
}

const at = (seconds: number): string =>
  Number.isFinite(seconds) && Math.abs(seconds) < 8.64e12 ? new Date(seconds * 1000).toISOString() : String(seconds);

/** Throws StatusError (401) for a token that is meant for others. */
export function requireAudience({ claims }: Jwt, wanted: readonly string[]): void {
  const named = audiencesOf(claims);
  if (named.some((audience) => wanted.includes(audience))) return;
  throw unauthorized(
    `oidc: verify token: oidc: expected audience in ${JSON.stringify(wanted)} got ${JSON.stringify(named)}`,
  );
}
