import { isBuiltInGroup } from '#lib/api/kinds.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { CustomResourceDefinition } from '#lib/api/types/apiextensions.v1.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, isDeleting, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { type Condition, conditionOf, conditionTrue, setCondition } from '#lib/server/apiextensions/conditions.ts';
import { decideDefinition } from '#lib/server/apiextensions/names-controller.ts';
import { CLEANUP_FINALIZER } from '#lib/server/apiextensions/strategy.ts';
import { groupOf, NameIndex } from './name-index.ts';
import { Turns } from './turns.ts';

const DEFINITIONS = CUSTOM_RESOURCE_DEFINITIONS;
/** The interval in ms at which instances that are being deleted are counted again. */
const LOOK_AGAIN = 200;

/**
 * Establishes definitions and finishes their deletion: upstream's naming, establishing and finalizing controllers. An index holds the names
 * of the other definitions, so a change triggers no work for definitions that it does not concern. A conflict counts only after a live read
 * of the holder.
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
  readonly #client: Clientset;
  readonly #clock: Clock;
  readonly #index = new NameIndex();
  /** Two definitions of one group must not take the same name concurrently. */
  readonly #turns = new Turns();

  constructor(client: Client, clock: Clock) {
    this.#client = clientset(client);
    this.#clock = clock;
  }

  /** The definition itself if it needs work. If names changed hands, also the definitions of its group that wait for names. */
  keys({ group, resource, name, type, object }: ObjectChange): readonly string[] {
    if (group !== DEFINITIONS.group || resource !== DEFINITIONS.resource) return [];
    if (type === 'DELETED') return this.#index.delete(name);
    const crd = typedObject(DEFINITIONS, object());
    const waiting = this.#index.put(crd);
    // A conflict is always reconciled: only a live read shows whether the holder still exists.
    const concerned = isDeleting(crd) || !conditionTrue(crd, 'NamesAccepted') || this.#decide(crd) !== undefined;
    return concerned ? [name, ...waiting] : waiting;
  }

  async reconcile(name: string): Promise<Result> {
    const crd = await this.#client.get(refOf(name));
    if (crd === undefined) return undefined;
    if (isDeleting(crd)) return finalize(this.#client, this.#clock, crd);
    return this.#turns.take(groupOf(crd), () => this.#establish(crd));
  }

  async #establish(crd: CustomResourceDefinition): Promise<Result> {
    const name = nameOf(crd);
    // After a restart, a feed does not report deletions from the gap.
    for (const rival of this.#index.rivalsOf(crd)) this.#index.learn(rival, await this.#client.get(refOf(rival)));
    const next = this.#decide(crd);
    if (next !== undefined) this.#index.learn(name, await this.#client.update(refOf(name), next, 'status'));
    return undefined;
  }

  #decide(crd: CustomResourceDefinition): JsonObject | undefined {
    return decideDefinition(crd, (set, name) => this.#index.isTaken(crd, set, name), new Date(this.#clock.now()));
  }
}

/** Deletes every instance through the API, and removes the definition's finalizer when none is left. */
async function finalize(client: Clientset, clock: Clock, crd: CustomResourceDefinition): Promise<Result> {
  if (!finalizersOf(crd).includes(CLEANUP_FINALIZER)) return undefined;
  const now = new Date(clock.now());
  if (conditionOf(crd, 'Terminating')?.reason !== IN_PROGRESS.reason) return mark(client, crd, IN_PROGRESS, now);
  const left = conditionTrue(crd, 'Established') ? await deleteInstances(client, crd) : 0;
  if (left > 0) return { requeueAfter: LOOK_AGAIN };
  const finalizers = finalizersOf(crd).filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  await client.update(refOf(nameOf(crd)), { ...crd, metadata: { ...crd.metadata, finalizers } });
  return undefined;
}

const IN_PROGRESS: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

async function mark(
  client: Clientset,
  crd: CustomResourceDefinition,
  condition: Condition,
  now: Date,
): Promise<Result> {
  const next = clone(crd);
  setCondition(next, condition, now);
  await client.update(refOf(nameOf(crd)), next, 'status');
  return { requeueAfter: 0 };
}

/** Deletes all instances. Returns the number that remain. */
async function deleteInstances(client: Clientset, crd: CustomResourceDefinition): Promise<number> {
  const resource = instancesOf(crd);
  if (resource === undefined) return 0;
  for (const instance of await client.list(resource)) {
    if (isDeleting(instance)) continue;
    await client.delete({ resource, namespace: namespaceOf(instance), name: nameOf(instance) }).catch(ignoreNotFound);
  }
  return (await client.list(resource)).length;
}

/**
 * The resource of the instances in any served version: all versions serve the same objects. Undefined for a built-in group, because its
 * objects are not instances of the definition.
 */
function instancesOf(crd: CustomResourceDefinition): GroupVersionResource | undefined {
  if (isBuiltInGroup(groupOf(crd))) return undefined;
  const version = crd.spec.versions?.find(({ served }) => served)?.name;
  const resource = crd.status.acceptedNames.plural;
  return version === undefined || resource === '' ? undefined : { group: groupOf(crd), version, resource };
}
