/** The reconciler of the objects that every cluster has from its start, and its key for all of them. */
export const BOOTSTRAP = { reconciler: 'bootstrap', name: 'all' } as const;
