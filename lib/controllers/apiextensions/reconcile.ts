import { isBuiltInGroup } from '#lib/api/kinds.ts';
import type { Client } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { conditionTrue, findCondition, setCondition, type Condition } from '#lib/apiextensions/conditions.ts';
import { decideDefinition } from '#lib/apiextensions/names-controller.ts';
import { CLEANUP_FINALIZER } from '#lib/apiextensions/strategy.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { arrayAt, clone, isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, isDeleting, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { groupOf, NameIndex } from './name-index.ts';
import { Turns } from './turns.ts';

const DEFINITIONS: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};
/** Milliseconds between two looks at what holds instances that are being deleted. */
const LOOK_AGAIN = 200;

/**
 * Establishes definitions, and finishes their deletion: upstream's naming, establishing and finalizing controllers. What
 * others hold comes from an index of names, so that a change costs nothing for the definitions that it does not concern; a
 * conflict is believed only after a live look at the holder.
 */
export function apiextensionsController(client: Client, clock: Clock): Reconciler {
  const controller = new Controller(client, clock);
  return {
    name: 'apiextensions',
    keys: (change) => controller.keys(change),
    reconcile: (name) => controller.reconcile(name),
  };
}

const refOf = (name: string) => ({ resource: DEFINITIONS, namespace: '', name });

class Controller {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #index = new NameIndex();
  /** Two definitions of one group must not take one name at once. */
  readonly #turns = new Turns();

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** The definition itself where something is to be done, and those that wait for names of its group where some changed hands. */
  keys({ group, resource, name, type, object }: ObjectChange): readonly string[] {
    if (group !== DEFINITIONS.group || resource !== DEFINITIONS.resource) return [];
    if (type === 'DELETED') return this.#index.delete(name);
    const crd = object();
    const waiting = this.#index.put(crd);
    // A conflict is always looked into: only a live look tells whether the holder is still there.
    const concerned = isDeleting(crd) || !conditionTrue(crd, 'NamesAccepted') || this.#decide(crd) !== undefined;
    return concerned ? [name, ...waiting] : waiting;
  }

  async reconcile(name: string): Promise<Result> {
    const crd = await this.#client.get(refOf(name));
    if (crd === undefined) return undefined;
    if (isDeleting(crd)) return finalize(this.#client, this.#clock, crd);
    return this.#turns.take(groupOf(crd), () => this.#establish(crd));
  }

  async #establish(crd: JsonObject): Promise<Result> {
    const name = nameOf(crd);
    // A feed that begins anew does not say what went in between.
    for (const rival of this.#index.rivalsOf(crd)) this.#index.learn(rival, await this.#client.get(refOf(rival)));
    const next = this.#decide(crd);
    if (next !== undefined) this.#index.learn(name, await this.#client.update(refOf(name), next, 'status'));
    return undefined;
  }

  #decide(crd: JsonObject): JsonObject | undefined {
    return decideDefinition(crd, (set, name) => this.#index.isTaken(crd, set, name), new Date(this.#clock.now()));
  }
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
    await client.delete({ resource, namespace, name: nameOf(instance) }).catch(ignoreNotFound);
  }
  return (await client.list(resource)).length;
}

/** Instances in any served version: they are the same objects. What a built-in group serves under that name are others. */
function instancesOf(crd: JsonObject): GroupVersionResource | undefined {
  if (isBuiltInGroup(groupOf(crd))) return undefined;
  const versions = arrayAt(objectAt(crd, 'spec'), 'versions').filter(isObject);
  const version = stringAt(
    versions.find((v) => v['served'] === true),
    'name',
  );
  const resource = stringAt(objectAt(objectAt(crd, 'status'), 'acceptedNames'), 'plural');
  return version === undefined || resource === undefined ? undefined : { group: groupOf(crd), version, resource };
}
