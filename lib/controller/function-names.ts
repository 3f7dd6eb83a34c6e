/** What makes the accounts of users' reconcilers: a reconciler, and its one key. */
export const ACCOUNTS = { reconciler: 'function-accounts', name: 'functions' } as const;
