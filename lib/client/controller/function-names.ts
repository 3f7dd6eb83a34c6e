import { createHash } from 'node:crypto';

/** The reconciler that creates the accounts of users' reconcilers, and its single key. */
export const ACCOUNTS = { reconciler: 'function-accounts', name: 'functions' } as const;

/** The IAM role of a user's reconciler in an AWS account. `prefix` is the common prefix of the names or ARNs of the stack's roles. */
export const reconcilerRole = (prefix: string, name: string): string =>
  `${prefix}${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
