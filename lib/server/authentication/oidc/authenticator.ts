import { hash } from 'node:crypto';
import { unauthorized } from '#lib/machinery/errors.ts';
import type { Authentication, TokenAuthenticator } from '../authenticator.ts';
import { parseJwt } from '../jwt.ts';
import { DistributedClaims } from './distributed-claims.ts';
import { identify } from './identity.ts';
import { Provider, type ProviderPorts } from './provider.ts';
import type { Issuer } from './validate.ts';
import { issuerOf, tokenFault, UNSIGNED } from './verify.ts';

/** The maximum number of cached users. A user is cached as long as the token is valid, but no longer than the maximum in ms. */
const CAPACITY = 10_000;
const TTL = 10_000;

/** Authenticates ID tokens of one issuer: upstream's oidc authenticator. Has no opinion on tokens of other issuers. */
export function oidc(issuer: Issuer, ports: ProviderPorts): TokenAuthenticator {
  const provider = new Provider(issuer.given.issuer, ports);
  const distributed = new DistributedClaims(issuer.given, ports);
  const held = new Map<string, { readonly until: number; readonly known: Authentication }>();
  return async (token) => {
    const jwt = parseJwt(token);
    if (jwt === undefined || issuerOf(jwt) !== issuer.given.issuer.url) return undefined;
    const { audiences } = issuer.given.issuer;
    const fault = tokenFault(jwt, { audiences, now: ports.clock.now() / 1000 });
    if (fault !== undefined) throw unauthorized(`oidc: verify token: ${fault}`);
    const key = hash('sha256', token, 'base64');
    const now = ports.clock.monotonic();
    const cached = held.get(key);
    if (cached !== undefined && now < cached.until) return cached.known;
    if (!(await provider.signed(jwt))) throw unauthorized(`oidc: verify token: ${UNSIGNED}`);
    const known = { user: identify(await distributed.expand(jwt.claims), issuer) };
    held.delete(key);
    held.set(key, { until: now + TTL, known });
    if (held.size > CAPACITY) held.delete(held.keys().next().value ?? '');
    return known;
  };
}
