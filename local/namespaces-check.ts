import type { HealthCheck } from '#lib/server/endpoints/health.ts';

/** Upstream's check that the server has created the namespaces of every cluster. A client that waits for it can rely on them. */
export const namespacesCheck = (haveBegun: () => boolean): HealthCheck => ({
  name: 'poststarthook/start-system-namespaces-controller',
  check: async () => {
    if (!haveBegun()) throw new Error('not finished');
  },
});
