import { PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { recordOnce } from '#lib/client/record/record-event.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { keyOf, splitKey } from '#lib/machinery/namespaced-name.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { POSEIDON } from './profile-name.ts';

/** The ports of `switchedOff`. */
export interface SwitchedOffPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** How to switch it on. The phrase follows "no scheduler of this server has the name poseidon: " in the event. */
  readonly remedy: string;
}

/** Records an event for each pod that requests Poseidon while it is switched off. Otherwise the pod would stay pending without a reason. */
export function switchedOff({ client, clock, remedy }: SwitchedOffPorts): Reconciler {
  const recorder = { client, component: POSEIDON, apiVersion: 'v1', kind: 'Pod', events: new EventCorrelator(clock) };
  return {
    name: 'poseidon-switched-off',
    keys(change) {
      const { group, resource, type, namespace, name } = change;
      if (group !== '' || resource !== 'pods' || type === 'DELETED' || !change.mentions(`"${POSEIDON}"`)) return [];
      return text(objectAt(change.object(), 'spec'), 'schedulerName') === POSEIDON ? [keyOf({ namespace, name })] : [];
    },
    async reconcile(key) {
      const pod = await clientset(client).get({ resource: PODS, ...splitKey(key) });
      if (pod === undefined || pod.spec.schedulerName !== POSEIDON || nodeNameOf(pod) !== '') return undefined;
      const message = `no scheduler of this server has the name ${POSEIDON}: ${remedy}`;
      await recordOnce(recorder, pod, { type: 'Warning', reason: 'FailedScheduling', message });
      return undefined;
    },
  };
}
