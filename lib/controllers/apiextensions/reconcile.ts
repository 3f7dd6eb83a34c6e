import type { Client } from '#lib/client/client.ts';
import { conditionTrue, findCondition, setCondition, type Condition } from '#lib/apiextensions/conditions.ts';
import { decideDefinition } from '#lib/apiextensions/names-controller.ts';
import { CLEANUP_FINALIZER } from '#lib/apiextensions/strategy.ts';
import type { Reconciler, Result } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { arrayAt, clone, isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, isDeleting, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

const DEFINITIONS: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};
/** Milliseconds between two looks at what holds instances that are being deleted. */
const LOOK_AGAIN = 200;

/** Establishes definitions, and finishes their deletion: upstream's naming, establishing and finalizing controllers. */
export function apiextensionsController(client: Client, clock: Clock): Reconciler {
  return {
    name: 'apiextensions',
    keys: ({ group, resource, name, type, object }) => {
      if (group !== DEFINITIONS.group || resource !== DEFINITIONS.resource) return [];
      return type === 'DELETED' ? [`group:${groupOf(object())}`] : [name];
    },
    reconcile: (key) =>
      key.startsWith('group:') ? reconcileGroup(client, clock, key.slice(6)) : reconcileOne(client, clock, key),
  };
}

const groupOf = (crd: JsonObject): string => stringAt(objectAt(crd, 'spec'), 'group') ?? '';
const refOf = (name: string) => ({ resource: DEFINITIONS, namespace: '', name });

/** A definition that went may have freed names for the others of its group. */
async function reconcileGroup(client: Client, clock: Clock, group: string): Promise<Result> {
  const all = await client.list(DEFINITIONS);
  for (const crd of all)
    if (groupOf(crd) === group && !conditionTrue(crd, 'NamesAccepted')) await reconcileOne(client, clock, nameOf(crd));
  return undefined;
}

async function reconcileOne(client: Client, clock: Clock, name: string): Promise<Result> {
  const crd = await client.get(refOf(name));
  if (crd === undefined) return undefined;
  if (isDeleting(crd)) return finalize(client, clock, crd);
  const all = await client.list(DEFINITIONS);
  const next = decideDefinition(crd, all, new Date(clock.now()));
  if (next !== undefined) await client.update(refOf(name), next, 'status');
  return undefined;
}

/** Deletes every instance through the API, and lets the definition go when none is left. */
async function finalize(client: Client, clock: Clock, crd: JsonObject): Promise<Result> {
  if (!finalizersOf(crd).includes(CLEANUP_FINALIZER)) return undefined;
  const now = new Date(clock.now());
  if (stringAt(findCondition(crd, 'Terminating'), 'reason') !== IN_PROGRESS.reason)
    return mark(client, crd, IN_PROGRESS, now);
  const left = conditionTrue(crd, 'Established') ? await deleteInstances(client, crd) : 0;
  if (left > 0) return { requeueAfter: LOOK_AGAIN };
  const finalizers = finalizersOf(crd).filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  const metadata: JsonObject = { ...metadataOf(crd), finalizers };
  await client.update(refOf(nameOf(crd)), { ...crd, metadata });
  return undefined;
}

const IN_PROGRESS: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

async function mark(client: Client, crd: JsonObject, condition: Condition, now: Date): Promise<Result> {
  const next = clone(crd);
  setCondition(next, condition, now);
  await client.update(refOf(nameOf(crd)), next, 'status');
  return { requeueAfter: 0 };
}

/** How many instances are still there after all were asked to go. */
async function deleteInstances(client: Client, crd: JsonObject): Promise<number> {
  const resource = instancesOf(crd);
  if (resource === undefined) return 0;
  for (const instance of await client.list(resource)) {
    if (isDeleting(instance)) continue;
    const namespace = stringAt(metadataOf(instance), 'namespace') ?? '';
    await client.delete({ resource, namespace, name: nameOf(instance) }).catch(ignoreGone);
  }
  return (await client.list(resource)).length;
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof Error) || !('reason' in error) || error.reason !== 'NotFound') throw error;
}

/** Instances in any served version: they are the same objects. */
function instancesOf(crd: JsonObject): GroupVersionResource | undefined {
  const versions = arrayAt(objectAt(crd, 'spec'), 'versions').filter(isObject);
  const version = stringAt(
    versions.find((v) => v['served'] === true),
    'name',
  );
  const resource = stringAt(objectAt(objectAt(crd, 'status'), 'acceptedNames'), 'plural');
  return version === undefined || resource === undefined ? undefined : { group: groupOf(crd), version, resource };
}
