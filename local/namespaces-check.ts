import type { HealthCheck } from '#lib/server/endpoints/health.ts';

/** Upstream's check that a server has made the namespaces that every cluster has: who waits for it finds them. */
export const namespacesCheck = (haveBegun: () => boolean): HealthCheck => ({
  name: 'poststarthook/start-system-namespaces-controller',
  check: async () => {
    if (!haveBegun()) throw new Error('not finished');
  },
});
