/** Upstream's `user.Info`: who makes a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const SYSTEM_MASTERS = 'system:masters';
export const AUTHENTICATED = 'system:authenticated';
export const UNAUTHENTICATED = 'system:unauthenticated';
export const ANONYMOUS: User = { name: 'system:anonymous', groups: [UNAUTHENTICATED] };

/** The extra that says which credential was used: `JTI=…`, `X509SHA256=…`. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';
