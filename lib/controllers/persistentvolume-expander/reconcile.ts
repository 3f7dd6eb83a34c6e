import type { Client } from '#lib/client/client.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { compareQuantities, parseQuantity, type Quantity } from '#lib/machinery/resource/quantity.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { recordOnce, type Recorder } from '../workload/record-event.ts';

const CLAIMS: GroupVersionResource = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };

/**
 * Tells of bound claims that ask for more than they have that someone else must make their volumes larger: upstream's expand
 * controller where no volume plugin is its own.
 */
export function persistentVolumeExpander(client: Client, clock: Clock): Reconciler {
  const recorder: Recorder = {
    client,
    component: 'volume_expand',
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    now: () => clock.now(),
  };
  return {
    name: 'persistentvolume-expander',
    keys: ({ type, group, resource, namespace, name, object }) =>
      group === '' && resource === CLAIMS.resource && type !== 'DELETED' && isToGrow(object())
        ? [`${namespace}/${name}`]
        : [],
    async reconcile(key) {
      const [namespace = '', name = ''] = key.split('/');
      const claim = await client.get({ resource: CLAIMS, namespace, name });
      if (claim === undefined || !isToGrow(claim)) return undefined;
      const message = 'waiting for an external controller to expand this PVC';
      await recordOnce(recorder, claim, { type: 'Normal', reason: 'ExternalExpanding', message });
      return undefined;
    },
  };
}

function isToGrow(claim: JsonObject): boolean {
  if (text(at(claim, 'status'), 'phase') !== 'Bound') return false;
  const asked = storageOf(at(claim, 'spec', 'resources', 'requests'));
  return compareQuantities(asked, storageOf(at(claim, 'status', 'capacity'))) > 0;
}

const storageOf = (list: JsonObject | undefined): Quantity => parseQuantity(text(list, 'storage') || '0');
