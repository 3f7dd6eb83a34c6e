/** Upstream's `user.Info`: who makes a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group of administrators, whom nothing is refused. */
export const SYSTEM_MASTERS = 'system:masters';
/** The name of the API server itself: upstream's loopback client. */
export const APISERVER_USER = 'system:apiserver';
/** The group of all users but the anonymous one. */
export const AUTHENTICATED = 'system:authenticated';
/** The group of the anonymous user. */
export const UNAUTHENTICATED = 'system:unauthenticated';
/** The user of requests without credentials. */
export const ANONYMOUS: User = { name: 'system:anonymous', groups: [UNAUTHENTICATED] };

/** The extra that says which credential was used: `JTI=…`, `X509SHA256=…`. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';
