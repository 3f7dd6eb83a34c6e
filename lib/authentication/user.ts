/** Upstream's `user.Info`: who makes a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
export const SYSTEM_MASTERS = 'system:masters';
export const AUTHENTICATED = 'system:authenticated';
