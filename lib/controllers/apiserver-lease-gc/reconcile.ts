import type { Client, ObjectRef } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { labelsOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { integer } from '#lib/machinery/unstructured.ts';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const SYSTEM = 'kube-system';
const IDENTITY = 'apiserver.kubernetes.io/identity';
const SERVER = 'kube-apiserver';

/**
 * Deletes the leases of API servers that do not renew them any more: upstream's apiserver lease garbage collector, at the time in
 * place of once an hour. Renewals wake nobody: a lease is looked at when its time could be up.
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
      const ref: ObjectRef = { resource: LEASES, namespace: SYSTEM, name };
      const lease = await client.get(ref);
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

/** Milliseconds until the holder has not renewed in time; one that does not say when has none. */
function timeLeft(lease: JsonObject, now: number): number {
  const spec = objectAt(lease, 'spec');
  const renewed = Date.parse(stringAt(spec, 'renewTime') ?? '');
  const seconds = integer(spec, 'leaseDurationSeconds');
  return Number.isNaN(renewed) || seconds === undefined ? 0 : Math.max(0, renewed + Number(seconds) * 1000 - now + 1);
}
