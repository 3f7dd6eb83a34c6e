import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { equal, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { desired, isManaged, namesOf } from './decide.ts';
import { builtInNames } from './priorities.ts';

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
  return {
    name: 'autoregister',
    initial: builtInNames,
    keys,
    async reconcile(name) {
      const current = await client.get({ resource: SERVICES, namespace: '', name });
      const next = desired(name, await client.list(DEFINITIONS));
      if (next === undefined) await remove(client, name, current);
      else if (current === undefined) await client.create(SERVICES, next).catch(ignore('AlreadyExists'));
      else await correct(client, name, current, next);
      return undefined;
    },
  };
}

function keys({ group, resource, type, name, object }: ObjectChange): readonly string[] {
  if (group === DEFINITIONS.group && resource === DEFINITIONS.resource) return namesOf(object());
  if (group !== SERVICES.group || resource !== SERVICES.resource) return [];
  return type === 'DELETED' || isManaged(object()) ? [name] : [];
}

async function correct(client: Client, name: string, current: JsonObject, next: JsonObject): Promise<void> {
  if (!isManaged(current) || equal(objectAt(current, 'spec'), objectAt(next, 'spec'))) return;
  await client.update({ resource: SERVICES, namespace: '', name }, { ...current, spec: objectAt(next, 'spec') ?? {} });
}

async function remove(client: Client, name: string, current: JsonObject | undefined): Promise<void> {
  if (current === undefined || !isManaged(current)) return;
  await client.delete({ resource: SERVICES, namespace: '', name }, { uid: uidOf(current) }).catch(ignore('NotFound'));
}

const ignore =
  (reason: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof StatusError) || error.reason !== reason) throw error;
    return undefined;
  };
