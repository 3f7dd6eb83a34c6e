import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { type Recorder, recordOnce } from '#lib/client/record/record-event.ts';
import { notOwned } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { controllerOf, namespaceOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { claimFor, type EphemeralVolume, ephemeralVolumes } from './decide.ts';

/** Creates the claims of pods' ephemeral volumes: upstream's ephemeral volume controller. Each claim is deleted with its pod. */
export function ephemeralVolumeController(
  untyped: Client,
  clock: Clock,
  events = new EventCorrelator(clock),
): Reconciler {
  const client = clientset(untyped);
  const recorder = { client, component: 'ephemeral_volume', apiVersion: 'v1', kind: 'Pod', events };
  return {
    name: 'ephemeral-volume',
    keys({ type, group, resource, namespace, name, mentions, object }) {
      if (group !== '') return [];
      if (resource === PODS.resource && type !== 'DELETED' && mentions('"ephemeral"'))
        return ephemeralVolumes(typedObject(PODS, object())).length > 0 ? [`${namespace}/${name}`] : [];
      // A claim that a user deleted is created again.
      const owner =
        resource === PERSISTENT_VOLUME_CLAIMS.resource && type === 'DELETED' ? controllerOf(object()) : undefined;
      return owner?.kind === 'Pod' ? [`${namespace}/${owner.name}`] : [];
    },
    async reconcile(key) {
      const pod = await client.get({ resource: PODS, ...splitKey(key) });
      if (pod !== undefined) for (const volume of ephemeralVolumes(pod)) await settle(client, recorder, pod, volume);
      return undefined;
    },
  };
}

async function settle(client: Clientset, recorder: Recorder, pod: Pod, volume: EphemeralVolume): Promise<void> {
  const claim = await client.get({
    resource: PERSISTENT_VOLUME_CLAIMS,
    namespace: namespaceOf(pod),
    name: volume.claim,
  });
  const failed = (why: string) =>
    recordOnce(recorder, pod, {
      type: 'Warning',
      reason: 'FailedBinding',
      message: `ephemeral volume ${volume.name}: ${why}`,
    });
  if (claim === undefined) {
    await client.create(PERSISTENT_VOLUME_CLAIMS, claimFor(pod, volume)).catch(async (error: unknown) => {
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
