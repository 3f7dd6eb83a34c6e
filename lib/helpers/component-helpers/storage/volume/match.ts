import { typedObject } from '#lib/api/typed.ts';
import type {
  ObjectReference,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeSpec,
} from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES } from '#lib/api/types/resources.ts';
import type { Quantity as QuantityText } from '#lib/api/types/scalars.ts';
import { type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { annotationsOf, isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { compareQuantities, parseQuantity, type Quantity, quantityValue } from '#lib/machinery/resource/quantity.ts';
import { type NodeSelector, newNodeSelector } from '../../scheduling/corev1/node-affinity.ts';
import { BETA_CLASS } from './annotations.ts';

/** The labels of a node. */
export type NodeLabels = Readonly<Record<string, string>>;

const volumeSpec = (volume: JsonObject): PersistentVolumeSpec => typedObject(PERSISTENT_VOLUMES, volume).spec;
const claimSpec = (claim: JsonObject): PersistentVolumeClaimSpec => typedObject(PERSISTENT_VOLUME_CLAIMS, claim).spec;
/** The fields that claims and volumes have in common. */
const sharedSpec = (
  object: JsonObject,
): Pick<
  PersistentVolumeSpec & PersistentVolumeClaimSpec,
  'storageClassName' | 'accessModes' | 'volumeMode' | 'volumeAttributesClassName'
> => typedObject<PersistentVolume | PersistentVolumeClaim>(PERSISTENT_VOLUMES, object).spec;

/** The class of a decoded claim or volume; empty if it has none. */
export const classOf = (object: JsonObject): string =>
  annotationsOf(object)[BETA_CLASS] ?? sharedSpec(object).storageClassName ?? '';

/** Whether a decoded claim sets its class, even to the empty one. */
export const saysClass = (claim: JsonObject): boolean =>
  annotationsOf(claim)[BETA_CLASS] !== undefined || claimSpec(claim).storageClassName !== undefined;

/** The claim that a volume is bound to or reserved for; undefined if it is free. */
export const claimRefOf = ({ spec }: PersistentVolume): ObjectReference | undefined => spec.claimRef;

/** Whether the volume is bound to or reserved for this claim. Both are decoded. */
export function isBoundTo(volume: JsonObject, claim: JsonObject): boolean {
  const { claimRef: ref } = volumeSpec(volume);
  if (ref === undefined || (ref.name ?? '') !== nameOf(claim) || (ref.namespace ?? '') !== namespaceOf(claim))
    return false;
  return (ref.uid ?? '') === '' || ref.uid === uidOf(claim);
}

const modeOf = (object: JsonObject): string => sharedSpec(object).volumeMode || 'Filesystem';
const attributesOf = (object: JsonObject): string => sharedSpec(object).volumeAttributesClassName ?? '';
/** The storage in a resource list; zero if absent. Throws QuantityError. */
export const storageIn = (list: Readonly<Record<string, QuantityText>> | undefined): Quantity =>
  parseQuantity(ownField(list, 'storage') || '0');
/** The storage that a decoded claim requests; zero if absent. Throws QuantityError. */
export const askedOf = (claim: JsonObject): Quantity => storageIn(claimSpec(claim).resources.requests);
/** The capacity of a decoded volume; zero if absent. Throws QuantityError. */
export const capacityOf = (volume: JsonObject): Quantity => storageIn(volumeSpec(volume).capacity);

/** Whether a volume's mode differs from the one that the claim requests. Both are decoded. */
export const isOtherMode = (volume: JsonObject, claim: JsonObject): boolean => modeOf(volume) !== modeOf(claim);

const accessModes = (object: JsonObject): ReadonlySet<string> => new Set(sharedSpec(object).accessModes);

/** The reason why the volume that a claim requests by name cannot be bound to it. Both are decoded. Upstream's checkVolumeSatisfyClaim. */
export function mismatch(volume: JsonObject, claim: JsonObject): string | undefined {
  if (isDeleting(volume)) return `the volume is marked for deletion "${nameOf(volume)}"`;
  if (quantityValue(capacityOf(volume)) < quantityValue(askedOf(claim))) return 'requested PV is too small';
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if (attributesOf(volume) !== attributesOf(claim)) return 'volumeAttributesClassName does not match';
  if (isOtherMode(volume, claim)) return 'incompatible volumeMode';
  return accessModes(claim).isSubsetOf(accessModes(volume)) ? undefined : 'incompatible accessMode';
}

/**
 * The best matching volume for a claim. All objects are decoded. Among the volumes with the fewest access modes, a reserved one wins,
 * otherwise the smallest. If the scheduler binds the claim (`isDelayed`), only a reserved volume matches. Throws 400 for an invalid
 * selector.
 */
export function bestMatch<V extends JsonObject>(
  claim: JsonObject,
  volumes: readonly V[],
  isDelayed: boolean,
): V | undefined {
  const wanted = accessModes(claim);
  const groups = Map.groupBy(
    volumes.filter((volume) => wanted.isSubsetOf(accessModes(volume))),
    (volume) => [...accessModes(volume)].sort().join(),
  );
  const fewestFirst = [...groups.entries()].sort(([a], [b]) => a.split(',').length - b.split(',').length);
  for (const [, group] of fewestFirst) {
    const found = bestOf(claim, group, isDelayed);
    if (found !== undefined) return found;
  }
  return undefined;
}

function bestOf<V extends JsonObject>(claim: JsonObject, volumes: readonly V[], isDelayed: boolean): V | undefined {
  const possible = volumes.filter((volume) => mayHold(volume, claim));
  const kept = possible.find((volume) => isBoundTo(volume, claim));
  return kept !== undefined || isDelayed ? kept : smallestFree(claim, possible);
}

/**
 * The volume that a claim would get on a node: the one reserved for it if the node can access it, otherwise the smallest accessible one.
 * Together with `bestMatch` this is upstream's FindMatchingVolume. Throws 400 for an invalid selector.
 */
export function bestMatchFor<V extends JsonObject>(
  labels: NodeLabels,
  claim: JsonObject,
  volumes: readonly V[],
): V | undefined {
  const possible = volumes.filter((volume) => mayHold(volume, claim));
  const kept = possible.find((volume) => isBoundTo(volume, claim));
  if (kept !== undefined) return reaches(labels, kept) ? kept : undefined;
  const wanted = accessModes(claim);
  return smallestFree(
    claim,
    possible.filter((volume) => wanted.isSubsetOf(accessModes(volume)) && reaches(labels, volume)),
  );
}

/** Caches parsed selectors, because each is matched against many nodes. */
const selectors = new WeakMap<JsonObject, NodeSelector>();

/** Whether a decoded volume is accessible from a node with these labels: upstream's CheckNodeAffinity. */
export function reaches(labels: NodeLabels, volume: JsonObject): boolean {
  const required = volumeSpec(volume).nodeAffinity?.required;
  if (required === undefined) return true;
  const selector = selectors.get(required) ?? newNodeSelector(required);
  selectors.set(required, selector);
  return selector.matches({ name: '', labels });
}

function smallestFree<V extends JsonObject>(claim: JsonObject, possible: readonly V[]): V | undefined {
  const { selector: asked } = claimSpec(claim);
  const selector = asked && selectorFromObject(asked);
  const free = possible.filter(
    (volume) =>
      typedObject(PERSISTENT_VOLUMES, volume).status.phase === 'Available' &&
      (selector === undefined || matches(selector, labelsOf(volume))) &&
      classOf(volume) === classOf(claim),
  );
  return free.sort((a, b) => compareQuantities(capacityOf(a), capacityOf(b)))[0];
}

/** Whether a volume can be bound to the claim, without the checks that apply only to free volumes. */
function mayHold(volume: JsonObject, claim: JsonObject): boolean {
  if (volumeSpec(volume).claimRef !== undefined && !isBoundTo(volume, claim)) return false;
  if (isDeleting(volume) || isOtherMode(volume, claim) || attributesOf(volume) !== attributesOf(claim)) return false;
  return compareQuantities(capacityOf(volume), askedOf(claim)) >= 0;
}
