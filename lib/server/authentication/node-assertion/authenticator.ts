import { X509Certificate } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { unauthorized } from '#lib/machinery/errors.ts';
import { ownField, stringAt } from '#lib/machinery/json-value.ts';
import type { Authentication, ShownRequest, TokenAuthenticator } from '../authenticator.ts';
import { type Jwt, parseJwt } from '../jwt.ts';
import { algorithmsOf, isSignedByForeign } from '../key.ts';
import { certificateUser } from '../x509.ts';
import { BEGINNING, hostOf, LIFE, LONGEST, TYPE, targetOf } from './claims.ts';
import { leafOf, nodeCertificate } from './leaf.ts';

/** The configuration of node assertions. */
export interface NodeAssertions {
  /** The cluster for which an assertion must be valid. */
  readonly cluster: string;
  /** `host:port` of the server. An assertion for the request's own host is accepted too. */
  readonly host: string;
  /** The certificate (PEM) of the authority that signs node certificates. Undefined until it exists. */
  authority(): Promise<string | undefined>;
}

/** How far in the future an assertion may be issued, in seconds, because the clocks of a server's processes differ. */
const AHEAD = 5;
/** The interval in ms at which a missing authority is looked up again. */
const AGAIN = 10_000;
/** The only message for rejections. */
const REFUSED = 'invalid node assertion';

/**
 * Authenticates a node by its signed assertion for this request. Passes every other token to `others`, but never an assertion. Rejects
 * assertions without a request, so reviews do not accept them. Throws StatusError (401).
 */
export function nodeAssertions(options: NodeAssertions, clock: Clock, others: TokenAuthenticator): TokenAuthenticator {
  const authority = onceThere(() => options.authority(), clock);
  return async (token, context) => {
    if (!token.startsWith(BEGINNING)) return others(token, context);
    const { request } = context;
    const known = request === undefined ? undefined : await nodeOf(token, request, { options, clock, authority });
    if (known === undefined) throw unauthorized(REFUSED);
    return known;
  };
}

interface Means {
  readonly options: NodeAssertions;
  readonly clock: Clock;
  authority(): Promise<X509Certificate | undefined>;
}

/** Runs the cheap checks first. The key in the assertion is used only after its certificate's signature by the authority is verified. */
async function nodeOf(token: string, request: ShownRequest, means: Means): Promise<Authentication | undefined> {
  const now = means.clock.now();
  const jwt = token.length > LONGEST ? undefined : parseJwt(token);
  if (jwt === undefined || stringAt(jwt.header, 'typ') !== TYPE || !isFor(jwt, request, means, now)) return undefined;
  const bodyDigest = stringAt(jwt.claims, 'digest');
  const leaf = leafOf(ownField(jwt.header, 'x5c'));
  if (bodyDigest === undefined || leaf === undefined) return undefined;
  const authority = await means.authority();
  const certificate = authority && nodeCertificate(leaf, authority, now);
  if (certificate === undefined) return undefined;
  const allowed = algorithmsOf(leaf.publicKey).slice(0, 1); // derived from the key, because the token must not choose it
  return (await isSignedByForeign(jwt, leaf.publicKey, allowed))
    ? { user: certificateUser(certificate), bodyDigest }
    : undefined;
}

/** Whether the claims match this request, server and time. */
function isFor({ claims }: Jwt, request: ShownRequest, { options }: Means, now: number): boolean {
  const audience = ownField(claims, 'aud');
  const [cluster, host]: readonly unknown[] = Array.isArray(audience) && audience.length === 2 ? audience : [];
  const hosts = [options.host, request.host].map((address) => hostOf(address));
  const [issued, expires] = [secondsAt(ownField(claims, 'iat')), secondsAt(ownField(claims, 'exp'))];
  const seconds = now / 1000;
  return (
    cluster === options.cluster &&
    typeof host === 'string' &&
    host !== '' &&
    hosts.includes(host) &&
    issued <= seconds + AHEAD &&
    seconds < expires &&
    expires - issued <= LIFE &&
    stringAt(claims, 'htm') === request.method &&
    stringAt(claims, 'htu') === targetOf(request)
  );
}

/** Returns the number, or NaN for any other type, so that every comparison is false. */
const secondsAt = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;

/** Reads the authority once it exists. Until then, looks it up at most every ten seconds. */
function onceThere(read: () => Promise<string | undefined>, clock: Clock): Means['authority'] {
  let known: Promise<X509Certificate | undefined> | undefined;
  let until = Number.POSITIVE_INFINITY;
  return () => {
    if (known !== undefined && clock.monotonic() < until) return known;
    until = Number.POSITIVE_INFINITY;
    const reading = read().then((pem) => {
      if (pem !== undefined) return new X509Certificate(pem);
      until = clock.monotonic() + AGAIN;
      return undefined;
    });
    known = reading;
    reading.catch(() => void (known = undefined));
    return reading;
  };
}
