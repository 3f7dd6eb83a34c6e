import { hash } from 'node:crypto';
import { unauthorized } from '#lib/machinery/errors.ts';
import { ownField, stringAt } from '#lib/machinery/json-value.ts';
import type { Authentication, TokenAuthenticator } from '../authenticator.ts';
import { audiencesOf, parseJwt, type Jwt } from '../jwt.ts';
import { identify } from './identity.ts';
import { Provider, type ProviderPorts } from './provider.ts';
import type { Issuer } from './validate.ts';

/** How far an issuer's clock may be ahead of ours, in seconds. */
const AHEAD = 5 * 60;
/** Users that are held at most, each for as long as its token is known, and at most so many milliseconds. */
const CAPACITY = 10_000;
const TTL = 10_000;

/** ID tokens of an issuer: upstream's oidc authenticator. Those of others are not this one's. */
export function oidc(issuer: Issuer, ports: ProviderPorts): TokenAuthenticator {
  const provider = new Provider(issuer.given.issuer, ports);
  const held = new Map<string, { readonly until: number; readonly known: Authentication }>();
  return async (token) => {
    const jwt = parseJwt(token);
    if (jwt === undefined || issuerOf(jwt) !== issuer.given.issuer.url) return undefined;
    requireTime(jwt, ports.clock.now() / 1000);
    const key = hash('sha256', token, 'base64');
    const now = ports.clock.monotonic();
    const cached = held.get(key);
    if (cached !== undefined && now < cached.until) return cached.known;
    requireAudience(jwt, issuer.given.issuer.audiences);
    if (!(await provider.signed(jwt))) throw unauthorized('oidc: verify token: failed to verify id token signature');
    const known = { user: identify(jwt.claims, issuer) };
    held.delete(key);
    held.set(key, { until: now + TTL, known });
    if (held.size > CAPACITY) held.delete(held.keys().next().value ?? '');
    return known;
  };
}

/** Google's tokens name it without its scheme. */
function issuerOf({ claims }: Jwt): string | undefined {
  const named = stringAt(claims, 'iss');
  return named === 'accounts.google.com' ? 'https://accounts.google.com' : named;
}

/** A token that names no end has ended. */
function requireTime({ claims }: Jwt, now: number): void {
  const end = Number(ownField(claims, 'exp') ?? 0);
  if (!(now <= end)) throw unauthorized(`oidc: verify token: oidc: token is expired (Token Expiry: ${at(end)})`);
  const begin = ownField(claims, 'nbf');
  if (begin === undefined || Number(begin) <= now + AHEAD) return;
  throw unauthorized(
    `oidc: verify token: oidc: current time ${at(now)} before the nbf (not before) time: ${at(Number(begin))}`,
  );
}

const at = (seconds: number): string =>
  Number.isFinite(seconds) && Math.abs(seconds) < 8.64e12 ? new Date(seconds * 1000).toISOString() : String(seconds);

function requireAudience({ claims }: Jwt, wanted: readonly string[]): void {
  const named = audiencesOf(claims);
  if (named.some((audience) => wanted.includes(audience))) return;
  throw unauthorized(
    `oidc: verify token: oidc: expected audience in ${JSON.stringify(wanted)} got ${JSON.stringify(named)}`,
  );
}
