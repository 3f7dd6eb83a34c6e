import { aggregateText } from '#lib/machinery/aggregate.ts';
import { StatusError, unauthorized } from '#lib/machinery/errors.ts';
import { AUTHENTICATED, UNAUTHENTICATED, type User } from './user.ts';

/** A certificate whose key the client holds. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The authorities that signed it; none for one that is not known. TLS has verified the chain. */
  readonly signedBy: readonly Signer[];
  /** Of the certificate's DER, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Milliseconds since 1970: a connection outlives its certificate. */
  readonly notAfter: number;
}
/** The authority that signed a certificate: that of clients, or that of proxies. */
export type Signer = 'client' | 'proxy';

/** The certificate that a distribution before this server vouches for in a request's headers. */
export type VouchedBy = (headers: Readonly<Record<string, string | undefined>>) => ClientCertificate | undefined;

/** The parts of a request that a credential may be bound to. */
export interface ShownRequest {
  readonly method: string;
  /** As sent, percent-encoding included, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The `Host` header; '' without one. */
  readonly host: string;
}

/** The credentials of a request. */
export interface Credentials {
  /** Without the query, percent-encoding included. */
  readonly path: string;
  /** The values of a header, each as it was sent; names in lower case. */
  headers(name: string): readonly string[];
  readonly headerNames: readonly string[];
  readonly clientCertificate?: ClientCertificate;
  /** Absent where a token alone is reviewed. */
  readonly request?: ShownRequest;
  /** For whom the credential has to be; absent: for this server. */
  readonly audiences?: readonly string[];
  /** Tells the client something besides the answer. */
  warn(text: string): void;
  /** Tells the audit log something of the credential. */
  annotate?(key: string, value: string): void;
}

/** The user that a credential stands for. */
export interface Authentication {
  readonly user: User;
  /** Those asked for that the credential is for; absent where none were asked for. */
  readonly audiences?: readonly string[];
  /** SHA-256 (base64url) of the only body that the credential is for; absent where it is for any. */
  readonly bodyDigest?: string;
}

/** Undefined: no opinion. Throws StatusError (401) for a credential that is wrong; its message is for the log and reviews alone. */
export type Authenticator = (credentials: Credentials) => Promise<Authentication | undefined>;

/** The request that a token is shown with. */
export interface TokenContext {
  /** Absent where a token alone is reviewed. */
  readonly request?: ShownRequest;
  readonly audiences?: readonly string[];
  warn(text: string): void;
  annotate?(key: string, value: string): void;
}

/** As Authenticator, of a bearer token. */
export type TokenAuthenticator = (token: string, context: TokenContext) => Promise<Authentication | undefined>;

/**
 * Asks authenticators in order until one knows the caller: upstream's union. If none does, throws all refusals as one, behind those given.
 * Undefined where none refuses either.
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

/** The message of a refusal; any other error is thrown on, and ends the request. */
function refusalOf(error: unknown): string {
  if (error instanceof StatusError && error.reason === 'Unauthorized') return error.message;
  throw error;
}

/** Adds the group system:authenticated to every user but the anonymous one: upstream's AuthenticatedGroupAdder. */
export function withAuthenticatedGroup(authenticate: Authenticator): Authenticator {
  return async (credentials) => {
    const known = await authenticate(credentials);
    if (known === undefined) return undefined;
    const { user } = known;
    if (user.groups.includes(AUTHENTICATED) || user.groups.includes(UNAUTHENTICATED)) return known;
    return { ...known, user: { ...user, groups: [...user.groups, AUTHENTICATED] } };
  };
}

/** An authenticator that knows no audiences stands for this server's own. */
export function audienceAgnostic(own: readonly string[], authenticate: TokenAuthenticator): TokenAuthenticator {
  return async (token, context) => {
    const { audiences: asked } = context;
    if (asked === undefined) return authenticate(token, context);
    const audiences = asked.filter((audience) => own.includes(audience));
    const known = audiences.length === 0 ? undefined : await authenticate(token, context);
    return known === undefined ? undefined : { user: known.user, audiences };
  };
}
