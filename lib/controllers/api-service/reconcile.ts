import type { Client } from '#lib/client/client.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { desired, isSettled } from './decide.ts';
import { builtInNames } from './priorities.ts';
import { ServedVersions } from './served-versions.ts';

const SERVICES: GroupVersionResource = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };
const DEFINITIONS: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};

/**
 * An API service for every group version that is served here: upstream's autoregistration of built-in groups and of
 * definitions. Keys are names of API services.
 */
export function apiServiceController(client: Client): Reconciler {
  const served = new ServedVersions();
  /** Services as changes told them: what is settled by them needs no look. */
  const known = new Map<string, JsonObject>();
  const wanted = (name: string) => desired(name, served.isServed(name));
  return {
    name: 'autoregister',
    initial: builtInNames,
    keys({ group, resource, type, name, object }) {
      if (group === DEFINITIONS.group && resource === DEFINITIONS.resource)
        return served.put(name, type === 'DELETED' ? undefined : object());
      if (group !== SERVICES.group || resource !== SERVICES.resource) return [];
      if (type === 'DELETED') known.delete(name);
      else known.set(name, object());
      return [name];
    },
    async reconcile(name) {
      if (isSettled(known.get(name), wanted(name))) return undefined;
      const current = await client.get({ resource: SERVICES, namespace: '', name });
      const next = wanted(name);
      if (isSettled(current, next)) return undefined;
      if (next === undefined) await remove(client, name, current);
      else if (current === undefined) await client.create(SERVICES, next).catch(ignore('AlreadyExists'));
      else await client.update({ resource: SERVICES, namespace: '', name }, { ...current, spec: next['spec'] ?? {} });
      return undefined;
    },
  };
}

async function remove(client: Client, name: string, current: JsonObject | undefined): Promise<void> {
  if (current === undefined) return;
  await client.delete({ resource: SERVICES, namespace: '', name }, { uid: uidOf(current) }).catch(ignoreNotFound);
}
