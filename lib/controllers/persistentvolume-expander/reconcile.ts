import { typedObject } from '#lib/api/typed.ts';
import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { type Recorder, recordOnce } from '#lib/client/record/record-event.ts';
import { storageIn } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { compareQuantities } from '#lib/machinery/resource/quantity.ts';

/**
 * Records an event on bound claims that request more capacity than they have: an external controller must expand their volumes. This is
 * upstream's expand controller without volume plugins.
 */
export function persistentVolumeExpander(
  client: Client,
  clock: Clock,
  events = new EventCorrelator(clock),
): Reconciler {
  const recorder: Recorder = {
    client,
    component: 'volume_expand',
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    events,
  };
  return {
    name: 'persistentvolume-expander',
    keys: ({ type, group, resource, namespace, name, object }) =>
      group === '' &&
      resource === PERSISTENT_VOLUME_CLAIMS.resource &&
      type !== 'DELETED' &&
      isToGrow(typedObject(PERSISTENT_VOLUME_CLAIMS, object()))
        ? [`${namespace}/${name}`]
        : [],
    async reconcile(key) {
      const { namespace, name } = splitKey(key);
      const claim = await clientset(client).get({ resource: PERSISTENT_VOLUME_CLAIMS, namespace, name });
      if (claim === undefined || !isToGrow(claim)) return undefined;
      const message = 'waiting for an external controller to expand this PVC';
      await recordOnce(recorder, claim, { type: 'Normal', reason: 'ExternalExpanding', message });
      return undefined;
    },
  };
}

function isToGrow({ spec, status }: PersistentVolumeClaim): boolean {
  if (status.phase !== 'Bound') return false;
  return compareQuantities(storageIn(spec.resources.requests), storageIn(status.capacity)) > 0;
}
