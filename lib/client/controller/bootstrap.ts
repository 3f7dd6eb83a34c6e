/** The reconciler of the initial objects of every cluster, and its single key. */
export const BOOTSTRAP = { reconciler: 'bootstrap', name: 'all' } as const;
