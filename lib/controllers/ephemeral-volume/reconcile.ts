import type { Client } from '#lib/client/client.ts';
import { notOwned } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { splitKey } from '#lib/client/split-key.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { recordOnce, type Recorder } from '../workload/record-event.ts';
import { claimFor, ephemeralVolumes, type EphemeralVolume } from './decide.ts';

const CLAIMS: GroupVersionResource = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };
const PODS: GroupVersionResource = { group: '', version: 'v1', resource: 'pods' };

/** Gives every ephemeral volume of a pod its claim, which goes with the pod: upstream's ephemeral volume controller. */
export function ephemeralVolumeController(client: Client, clock: Clock): Reconciler {
  const recorder = { client, component: 'ephemeral_volume', apiVersion: 'v1', kind: 'Pod', now: () => clock.now() };
  return {
    name: 'ephemeral-volume',
    keys({ type, group, resource, namespace, name, mentions, object }) {
      if (group !== '') return [];
      if (resource === PODS.resource && type !== 'DELETED' && mentions('"ephemeral"'))
        return ephemeralVolumes(object()).length > 0 ? [`${namespace}/${name}`] : [];
      // A claim that someone deleted comes back.
      const owner = resource === CLAIMS.resource && type === 'DELETED' ? controllerOf(object()) : undefined;
      return owner?.kind === 'Pod' ? [`${namespace}/${owner.name}`] : [];
    },
    async reconcile(key) {
      const pod = await client.get({ resource: PODS, ...splitKey(key) });
      if (pod !== undefined) for (const volume of ephemeralVolumes(pod)) await settle(client, recorder, pod, volume);
      return undefined;
    },
  };
}

async function settle(client: Client, recorder: Recorder, pod: JsonObject, volume: EphemeralVolume): Promise<void> {
  const claim = await client.get({ resource: CLAIMS, namespace: namespaceOf(pod), name: volume.claim });
  const failed = (why: string) =>
    recordOnce(recorder, pod, {
      type: 'Warning',
      reason: 'FailedBinding',
      message: `ephemeral volume ${volume.name}: ${why}`,
    });
  if (claim === undefined) {
    await client.create(CLAIMS, claimFor(pod, volume)).catch(async (error: unknown) => {
      if (error instanceof StatusError) await failed(`create PVC ${volume.claim}: ${error.message}`);
      throw error;
    });
    return;
  }
  const why = notOwned(pod, claim);
  if (why === undefined) return;
  await failed(why);
  throw new TypeError(why);
}
