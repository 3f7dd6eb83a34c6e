import { createHash } from 'node:crypto';

/** The reconciler that makes the accounts of users' reconcilers, and its one key. */
export const ACCOUNTS = { reconciler: 'function-accounts', name: 'functions' } as const;

/** The role of a user's reconciler in an account, whose name or ARN begins with what those of its stack have in common. */
export const reconcilerRole = (prefix: string, name: string): string =>
  `${prefix}${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
