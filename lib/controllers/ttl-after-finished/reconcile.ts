import type { Client, ObjectRef } from '#lib/client/client.ts';
import { splitKey } from '#lib/client/split-key.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import { requeueAfter } from '#lib/controller/requeue-after.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { expiresAt } from './decide.ts';

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' };

/** Deletes jobs that finished and have outlived `ttlSecondsAfterFinished`, with their pods: upstream's TTL-after-finished controller. */
export function ttlAfterFinished(client: Client, clock: Clock): Reconciler {
  return {
    name: 'ttl-after-finished',
    keys(change) {
      if (change.group !== 'batch' || change.resource !== 'jobs' || change.type === 'DELETED') return [];
      const isLimited = change.mentions('"ttlSecondsAfterFinished"') && expiresAt(change.object()) !== undefined;
      return isLimited ? [`${change.namespace}/${change.name}`] : [];
    },
    async reconcile(key) {
      const ref: ObjectRef = { resource: JOBS, ...splitKey(key) };
      const job = await client.get(ref);
      const time = job === undefined ? undefined : expiresAt(job);
      if (job === undefined || time === undefined) return undefined;
      const wait = time - clock.now();
      if (wait > 0) return requeueAfter(wait);
      // The state that was read: whoever gives it longer meanwhile is heard.
      const state = { uid: uidOf(job), resourceVersion: resourceVersionOf(job) };
      await client.delete(ref, { ...state, propagationPolicy: 'Foreground' }).catch(ignoreNotFound);
      return undefined;
    },
  };
}
