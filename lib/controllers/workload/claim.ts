import type { ObjectMeta, OwnerReference } from '#lib/api/types/meta.v1.ts';
import type { Clientset, RefOf } from '#lib/client/clientset.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type LabelSelector, matches, selectorText } from '#lib/machinery/labels/selector.ts';
import {
  controllerOf,
  finalizersOf,
  isDeleting,
  labelsOf,
  nameOf,
  resourceVersionOf,
  uidOf,
} from '#lib/machinery/meta.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';

/** An object that owners claim. */
export type Dependent = JsonObject & { metadata: ObjectMeta };

/** An owner, and the dependents that it claims. */
export interface Claimant<O extends JsonObject = JsonObject, D extends Dependent = Dependent> {
  readonly ref: RefOf<O>;
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: O;
  readonly selector: LabelSelector;
  readonly dependents: ResourceOf<D>;
  /** Whether a selected dependent may be claimed. By default every one may. */
  accepts?(dependent: D): boolean;
  /** The finalizer that it adds to adopted dependents and removes from released ones. */
  readonly finalizer?: string;
}

/** The selected dependents, and those of `owned` that are no longer selected. `owned` are names of dependents that it last controlled. */
export async function dependentsOf<D extends Dependent>(
  client: Clientset,
  { ref: { namespace }, selector, dependents }: Claimant<JsonObject, D>,
  owned: readonly string[],
): Promise<readonly D[]> {
  const selected =
    selector.nothing === true
      ? []
      : await client.list(dependents, { namespace, labelSelector: selectorText(selector) });
  const names = new Set(selected.map(nameOf));
  const others = owned.filter((name) => !names.has(name));
  const left = await Promise.all(others.map((name) => client.get({ resource: dependents, namespace, name })));
  return [...selected, ...left.filter((one) => one !== undefined)];
}

/** The owner reference that marks the claimant as controller. */
export const controllerReference = ({ apiVersion, kind, object }: Claimant): OwnerReference => ({
  apiVersion,
  kind,
  name: nameOf(object),
  uid: uidOf(object),
  controller: true,
  blockOwnerDeletion: true,
});

/** An action on a dependent. `leave` does nothing. */
export type Claim = 'own' | 'adopt' | 'release' | 'leave';

/** The claimant's action on a dependent: upstream's ClaimObject. */
export function decideClaim<D extends Dependent>(object: D, claimant: Claimant<JsonObject, D>): Claim {
  const { object: owner, selector } = claimant;
  const controller = controllerOf(object);
  const isSelected = matches(selector, labelsOf(object)) && claimant.accepts?.(object) !== false;
  if (controller !== undefined) {
    if (controller.uid !== uidOf(owner)) return 'leave';
    if (isSelected) return 'own';
    return isDeleting(owner) ? 'leave' : 'release';
  }
  return isSelected && !isDeleting(owner) && !isDeleting(object) ? 'adopt' : 'leave';
}

/**
 * Adopts selected orphans, releases dependents that are no longer selected, and returns those that the claimant then
 * controls: upstream's controller reference managers. Throws Conflict if a dependent changed after it was read.
 */
export async function claim<D extends Dependent>(
  client: Clientset,
  claimant: Claimant<JsonObject, D>,
  candidates: readonly D[],
): Promise<readonly D[]> {
  const decided = candidates.map((object) => ({ object, action: decideClaim(object, claimant) }));
  for (const { object } of decided.filter(({ action }) => action === 'release'))
    await release(client, claimant, object);
  const adopts = decided.some(({ action }) => action === 'adopt') && (await stillThere(client, claimant));
  const claimed: D[] = [];
  for (const { object, action } of decided) {
    const adopted = action === 'adopt' && adopts ? await adopt(client, claimant, object) : undefined;
    if (action === 'own') claimed.push(object);
    else if (adopted !== undefined) claimed.push(adopted);
  }
  return claimed;
}

/** The dependents were read after the owner. An owner deleted meanwhile may have orphaned them on purpose. */
async function stillThere(client: Clientset, { ref, object }: Claimant): Promise<boolean> {
  const fresh = await client.get(ref);
  return fresh !== undefined && uidOf(fresh) === uidOf(object) && !isDeleting(fresh);
}

async function adopt<D extends Dependent>(
  client: Clientset,
  claimant: Claimant<JsonObject, D>,
  object: D,
): Promise<D | undefined> {
  const { finalizer } = claimant;
  const ownerReferences = [...(object.metadata.ownerReferences ?? []), controllerReference(claimant)];
  const finalizers = finalizer === undefined ? {} : { finalizers: [...others(object, finalizer), finalizer] };
  return patchMetadata(client, claimant, object, { ownerReferences, ...finalizers }, ['NotFound']);
}

async function release(client: Clientset, claimant: Claimant, object: Dependent): Promise<void> {
  const { finalizer } = claimant;
  const uid = uidOf(claimant.object);
  const ownerReferences = (object.metadata.ownerReferences ?? []).filter((one) => one.uid !== uid);
  const finalizers = finalizer === undefined ? {} : { finalizers: others(object, finalizer) };
  await patchMetadata(client, claimant, object, { ownerReferences, ...finalizers }, ['NotFound', 'Invalid']);
}

const others = (object: JsonObject, finalizer: string): string[] =>
  finalizersOf(object).filter((one) => one !== finalizer);

/** The resulting object. Undefined if the patch failed for an expected reason. */
async function patchMetadata<D extends Dependent>(
  client: Clientset,
  { ref: { namespace }, dependents }: Claimant<JsonObject, D>,
  object: JsonObject,
  change: JsonObject,
  expected: readonly string[],
): Promise<D | undefined> {
  const metadata = { uid: uidOf(object), resourceVersion: resourceVersionOf(object), ...change };
  try {
    return await client.patch({ resource: dependents, namespace, name: nameOf(object) }, { metadata });
  } catch (error) {
    if (error instanceof StatusError && expected.includes(error.reason ?? '')) return undefined;
    throw error;
  }
}
