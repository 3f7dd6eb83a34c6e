import type { Client, ObjectRef } from '#lib/client/client.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { arrayAt, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { matches, selectorText, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import {
  controllerOf,
  finalizersOf,
  isDeleting,
  labelsOf,
  metadataOf,
  nameOf,
  resourceVersionOf,
  uidOf,
} from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** Who claims what. */
export interface Claimant {
  readonly ref: ObjectRef;
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: JsonObject;
  readonly selector: LabelSelector;
  readonly dependents: GroupVersionResource;
  /** What a dependent must be besides being selected. */
  accepts?(dependent: JsonObject): boolean;
  /** What it puts on dependents that it adopts, and takes from those that it releases. */
  readonly finalizer?: string;
}

/** What is selected, and what of `owned` (names of what it controlled when last heard of) is not selected any more. */
export async function dependentsOf(
  client: Client,
  { ref: { namespace }, selector, dependents }: Claimant,
  owned: readonly string[],
): Promise<readonly JsonObject[]> {
  const selected =
    selector.nothing === true
      ? []
      : await client.list(dependents, { namespace, labelSelector: selectorText(selector) });
  const names = new Set(selected.map(nameOf));
  const others = owned.filter((name) => !names.has(name));
  const left = await Promise.all(others.map((name) => client.get({ resource: dependents, namespace, name })));
  return [...selected, ...left.filter((one) => one !== undefined)];
}

/** The owner reference by which the claimant controls. */
export const controllerReference = ({ apiVersion, kind, object }: Claimant): JsonObject => ({
  apiVersion,
  kind,
  name: nameOf(object),
  uid: uidOf(object),
  controller: true,
  blockOwnerDeletion: true,
});

export type Claim = 'own' | 'adopt' | 'release' | 'leave';

/** Upstream's ClaimObject: what the claimant does with a dependent. */
export function decideClaim(object: JsonObject, claimant: Claimant): Claim {
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
 * Adopts orphans that are selected, releases what is not selected any more, and gives what the claimant then controls:
 * upstream's controller reference managers. Throws Conflict where a dependent changed since it was read.
 */
export async function claim(
  client: Client,
  claimant: Claimant,
  candidates: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const decided = candidates.map((object) => ({ object, action: decideClaim(object, claimant) }));
  for (const { object } of decided.filter(({ action }) => action === 'release'))
    await release(client, claimant, object);
  const adopts = decided.some(({ action }) => action === 'adopt') && (await stillThere(client, claimant));
  const claimed: JsonObject[] = [];
  for (const { object, action } of decided) {
    const adopted = action === 'adopt' && adopts ? await adopt(client, claimant, object) : undefined;
    if (action === 'own') claimed.push(object);
    else if (adopted !== undefined) claimed.push(adopted);
  }
  return claimed;
}

/** The dependents were read after the owner: one that was deleted meanwhile may have orphaned them on purpose. */
async function stillThere(client: Client, { ref, object }: Claimant): Promise<boolean> {
  const fresh = await client.get(ref);
  return fresh !== undefined && uidOf(fresh) === uidOf(object) && !isDeleting(fresh);
}

async function adopt(client: Client, claimant: Claimant, object: JsonObject): Promise<JsonObject | undefined> {
  const { finalizer } = claimant;
  const ownerReferences = [...arrayAt(metadataOf(object), 'ownerReferences'), controllerReference(claimant)];
  const finalizers = finalizer === undefined ? {} : { finalizers: [...others(object, finalizer), finalizer] };
  return patchMetadata(client, claimant, object, { ownerReferences, ...finalizers }, ['NotFound']);
}

async function release(client: Client, claimant: Claimant, object: JsonObject): Promise<void> {
  const { finalizer } = claimant;
  const uid = uidOf(claimant.object);
  const ownerReferences = arrayAt(metadataOf(object), 'ownerReferences').filter(
    (one) => !isObject(one) || one['uid'] !== uid,
  );
  const finalizers = finalizer === undefined ? {} : { finalizers: others(object, finalizer) };
  await patchMetadata(client, claimant, object, { ownerReferences, ...finalizers }, ['NotFound', 'Invalid']);
}

const others = (object: JsonObject, finalizer: string): string[] =>
  finalizersOf(object).filter((one) => one !== finalizer);

/** The object as it then is; undefined where the answer is one that is expected. */
async function patchMetadata(
  client: Client,
  { ref: { namespace }, dependents }: Claimant,
  object: JsonObject,
  change: JsonObject,
  expected: readonly string[],
): Promise<JsonObject | undefined> {
  const metadata = { uid: uidOf(object), resourceVersion: resourceVersionOf(object), ...change };
  try {
    return await client.patch({ resource: dependents, namespace, name: nameOf(object) }, { metadata });
  } catch (error) {
    if (error instanceof StatusError && expected.includes(error.reason ?? '')) return undefined;
    throw error;
  }
}
