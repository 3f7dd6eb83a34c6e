/** Upstream's `user.Info`: the user of a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group of administrators, which has every permission. */
export const SYSTEM_MASTERS = 'system:masters';
/** The user name of the API server itself: upstream's loopback client. */
export const APISERVER_USER = 'system:apiserver';
/** The group of all users except the anonymous one. */
export const AUTHENTICATED = 'system:authenticated';
/** The group of the anonymous user. */
export const UNAUTHENTICATED = 'system:unauthenticated';
/** The user of requests without credentials. */
export const ANONYMOUS: User = { name: 'system:anonymous', groups: [UNAUTHENTICATED] };

/** The extra that identifies the credential: `JTI=…`, `X509SHA256=…`. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';
