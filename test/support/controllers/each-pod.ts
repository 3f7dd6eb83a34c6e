import type { Client, ObjectRef } from '#lib/client/client.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { core } from './refs.ts';

/** Reconciles each existing pod when it appears and when it changes. */
export function eachPod(
  name: string,
  client: Client,
  look: (pod: JsonObject, ref: ObjectRef) => Promise<Result>,
): Reconciler {
  return {
    name,
    keys: (change) =>
      change.group === '' && change.resource === 'pods' && change.type !== 'DELETED'
        ? [`${change.namespace}/${change.name}`]
        : [],
    async reconcile(key) {
      const ref: ObjectRef = { resource: core('pods'), ...splitKey(key) };
      const pod = await client.get(ref);
      return pod === undefined ? undefined : look(pod, ref);
    },
  };
}
