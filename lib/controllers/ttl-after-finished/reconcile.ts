import { typedObject } from '#lib/api/typed.ts';
import { JOBS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { expiresAt } from './decide.ts';

/** Deletes finished jobs after `ttlSecondsAfterFinished`, with their pods: upstream's TTL-after-finished controller. */
export function ttlAfterFinished(untyped: Client, clock: Clock): Reconciler {
  const client = clientset(untyped);
  return {
    name: 'ttl-after-finished',
    keys(change) {
      if (change.group !== 'batch' || change.resource !== 'jobs' || change.type === 'DELETED') return [];
      const isLimited =
        change.mentions('"ttlSecondsAfterFinished"') && expiresAt(typedObject(JOBS, change.object())) !== undefined;
      return isLimited ? [`${change.namespace}/${change.name}`] : [];
    },
    async reconcile(key) {
      const ref = { resource: JOBS, ...splitKey(key) };
      const job = await client.get(ref);
      const time = job === undefined ? undefined : expiresAt(job);
      if (job === undefined || time === undefined) return undefined;
      const wait = time - clock.now();
      if (wait > 0) return requeueAfter(wait);
      // Deletes only the state that was read, so that a longer TTL set meanwhile applies.
      const state = { uid: uidOf(job), resourceVersion: resourceVersionOf(job) };
      await client.delete(ref, { ...state, propagationPolicy: 'Foreground' }).catch(ignoreNotFound);
      return undefined;
    },
  };
}
