import type { User } from './user.ts';

/** What a request shows to prove who sends it. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly clientCertificate?: { readonly commonName: string; readonly organizations: readonly string[] };
}

/** Undefined: no opinion, the next one is asked. Throws StatusError (401) for a credential that is wrong. */
export type Authenticator = (credentials: Credentials) => Promise<User | undefined>;

/** The first that knows the caller decides: upstream's union authenticator. */
export function unionAuthenticator(chain: readonly Authenticator[]): Authenticator {
  return async (credentials) => {
    for (const authenticate of chain) {
      const user = await authenticate(credentials);
      if (user !== undefined) return user;
    }
    return undefined;
  };
}
