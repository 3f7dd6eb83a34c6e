import { typedObject } from '#lib/api/typed.ts';
import type { APIService } from '#lib/api/types/apiregistration.v1.ts';
import { API_SERVICES, CUSTOM_RESOURCE_DEFINITIONS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { builtInNames } from '#lib/server/aggregation/priorities.ts';
import { desired, isSettled } from './decide.ts';
import { ServedVersions } from './served-versions.ts';

/**
 * Keeps an APIService for every group version that this server serves. This is upstream's autoregistration of built-in groups and of
 * definitions. Keys are names of API services.
 */
export function apiServiceController(untyped: Client): Reconciler {
  const client = clientset(untyped);
  const served = new ServedVersions();
  /** The API services from their latest changes. A settled one does not have to be read. */
  const known = new Map<string, APIService>();
  const wanted = (name: string) => desired(name, served.isServed(name));
  return {
    name: 'autoregister',
    initial: builtInNames,
    keys({ group, resource, type, name, object }) {
      if (group === CUSTOM_RESOURCE_DEFINITIONS.group && resource === CUSTOM_RESOURCE_DEFINITIONS.resource)
        return served.put(name, type === 'DELETED' ? undefined : typedObject(CUSTOM_RESOURCE_DEFINITIONS, object()));
      if (group !== API_SERVICES.group || resource !== API_SERVICES.resource) return [];
      if (type === 'DELETED') known.delete(name);
      else known.set(name, typedObject(API_SERVICES, object()));
      return [name];
    },
    async reconcile(name) {
      if (isSettled(known.get(name), wanted(name))) return undefined;
      const current = await client.get({ resource: API_SERVICES, namespace: '', name });
      const next = wanted(name);
      if (isSettled(current, next)) return undefined;
      if (next === undefined) await remove(client, name, current);
      else if (current === undefined) await client.create(API_SERVICES, next).catch(ignore('AlreadyExists'));
      else await client.update({ resource: API_SERVICES, namespace: '', name }, { ...current, spec: next.spec });
      return undefined;
    },
  };
}

async function remove(client: Client, name: string, current: APIService | undefined): Promise<void> {
  if (current === undefined) return;
  await client.delete({ resource: API_SERVICES, namespace: '', name }, { uid: uidOf(current) }).catch(ignoreNotFound);
}
