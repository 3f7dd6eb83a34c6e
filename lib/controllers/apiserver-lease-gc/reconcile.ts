import type { Lease } from '#lib/api/types/coordination.v1.ts';
import { LEASES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { labelsOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';

const SYSTEM = 'kube-system';
const IDENTITY = 'apiserver.kubernetes.io/identity';
const SERVER = 'kube-apiserver';

/**
 * Deletes leases of API servers that are no longer renewed: upstream's apiserver lease garbage collector. It acts when a lease expires
 * instead of once an hour. Renewals trigger no work: a lease is read when it may have expired.
 */
export function apiserverLeaseCollector(client: Client, clock: Clock): Reconciler {
  const waiting = new Set<string>();
  return {
    name: 'apiserver-lease-gc',
    keys({ type, group, resource, namespace, name, mentions }) {
      if (group !== LEASES.group || resource !== LEASES.resource || namespace !== SYSTEM) return [];
      if (type === 'DELETED' || waiting.has(name) || !mentions(IDENTITY)) return [];
      waiting.add(name);
      return [name];
    },
    async reconcile(name) {
      const ref = { resource: LEASES, namespace: SYSTEM, name };
      const lease = await clientset(client).get(ref);
      if (lease !== undefined && labelsOf(lease)[IDENTITY] === SERVER) {
        const left = timeLeft(lease, clock.now());
        if (left > 0) return { requeueAfter: left };
        const only = { uid: uidOf(lease), resourceVersion: resourceVersionOf(lease) };
        await client.delete(ref, only).catch(ignoreNotFound);
      }
      waiting.delete(name);
      return undefined;
    },
  };
}

/** The time in ms until the lease expires, 0 for a lease without times. */
function timeLeft({ spec }: Lease, now: number): number {
  const renewed = Date.parse(spec.renewTime ?? '');
  const seconds = spec.leaseDurationSeconds;
  return Number.isNaN(renewed) || seconds === undefined ? 0 : Math.max(0, renewed + seconds * 1000 - now + 1);
}
