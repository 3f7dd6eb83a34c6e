/** The reconciler that writes the APIServices of declared APIs, and its single key. */
export const API_REGISTRATION = { reconciler: 'davit-aggregated-apis', name: 'all' } as const;
