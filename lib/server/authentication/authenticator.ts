import { aggregateText } from '#lib/machinery/aggregate.ts';
import { StatusError, unauthorized } from '#lib/machinery/errors.ts';
import { AUTHENTICATED, UNAUTHENTICATED, type User } from './user.ts';

/** A certificate whose key the client owns. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The authorities that signed it. Empty if none is known. TLS has verified the chain. */
  readonly signedBy: readonly Signer[];
  /** The SHA-256 of the certificate's DER, in lower-case hex. */
  readonly sha256: string;
  /** The expiry in ms since 1970, because a connection may outlive its certificate. */
  readonly notAfter: number;
}
/** The authority that signed a certificate: the one for clients or the one for proxies. */
export type Signer = 'client' | 'proxy';

/** Returns the client certificate that a distribution in front of this server asserts in the request's headers. */
export type VouchedBy = (headers: Readonly<Record<string, string | undefined>>) => ClientCertificate | undefined;

/** The parts of a request that a credential may be bound to. */
export interface ShownRequest {
  readonly method: string;
  /** The path as sent, including percent-encoding, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The `Host` header. Empty if absent. */
  readonly host: string;
}

/** The credentials of a request. */
export interface Credentials {
  /** The path without the query, including percent-encoding. */
  readonly path: string;
  /** The values of a header, each as sent. Names are in lower case. */
  headers(name: string): readonly string[];
  readonly headerNames: readonly string[];
  readonly clientCertificate?: ClientCertificate;
  /** Absent if only a token is reviewed. */
  readonly request?: ShownRequest;
  /** The audiences, of which the credential must have at least one. Defaults to this server. */
  readonly audiences?: readonly string[];
  /** Adds a warning to the response. */
  warn(text: string): void;
  /** Adds an annotation about the credential to the audit event. */
  annotate?(key: string, value: string): void;
}

/** The user of a credential. */
export interface Authentication {
  readonly user: User;
  /** The requested audiences that the credential has. Absent if none were requested. */
  readonly audiences?: readonly string[];
  /** The SHA-256 (base64url) of the only body that the credential is valid for. Absent if it is valid for any. */
  readonly bodyDigest?: string;
}

/**
 * Returns undefined if it has no opinion. Throws StatusError (401) for an invalid credential. The error's message appears only in the log
 * and in reviews.
 */
export type Authenticator = (credentials: Credentials) => Promise<Authentication | undefined>;

/** The request that presents a token. */
export interface TokenContext {
  /** Absent if only a token is reviewed. */
  readonly request?: ShownRequest;
  readonly audiences?: readonly string[];
  warn(text: string): void;
  annotate?(key: string, value: string): void;
}

/** Like Authenticator, for a bearer token. */
export type TokenAuthenticator = (token: string, context: TokenContext) => Promise<Authentication | undefined>;

/**
 * Calls authenticators in order until one recognizes the caller: upstream's union. If none does, throws all rejections as one error, with
 * the given ones first. Returns undefined if there are no rejections.
 */
export function firstOf<A extends readonly unknown[]>(
  chain: readonly ((...args: A) => Promise<Authentication | undefined>)[],
  before: readonly string[] = [],
): (...args: A) => Promise<Authentication | undefined> {
  return async (...args) => {
    const refusals: string[] = [];
    for (const authenticate of chain) {
      const known = await authenticate(...args).catch((error: unknown) => void refusals.push(refusalOf(error)));
      if (known !== undefined) return known;
    }
    if (refusals.length > 0) throw unauthorized(aggregateText([...before, ...refusals]));
    return undefined;
  };
}

/** The message of a rejection. Rethrows any other error, which fails the request. */
function refusalOf(error: unknown): string {
  if (error instanceof StatusError && error.reason === 'Unauthorized') return error.message;
  throw error;
}

/** Adds the group system:authenticated to every user except the anonymous one: upstream's AuthenticatedGroupAdder. */
export function withAuthenticatedGroup(authenticate: Authenticator): Authenticator {
  return async (credentials) => {
    const known = await authenticate(credentials);
    if (known === undefined) return undefined;
    const { user } = known;
    if (user.groups.includes(AUTHENTICATED) || user.groups.includes(UNAUTHENTICATED)) return known;
    return { ...known, user: { ...user, groups: [...user.groups, AUTHENTICATED] } };
  };
}

/** Adds this server's audiences to an authenticator that has none. */
export function audienceAgnostic(own: readonly string[], authenticate: TokenAuthenticator): TokenAuthenticator {
  return async (token, context) => {
    const { audiences: asked } = context;
    if (asked === undefined) return authenticate(token, context);
    const audiences = asked.filter((audience) => own.includes(audience));
    const known = audiences.length === 0 ? undefined : await authenticate(token, context);
    return known === undefined ? undefined : { user: known.user, audiences };
  };
}
