import { newNodeSelector, type NodeSelector } from '../../scheduling/corev1/node-affinity.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { annotationsOf, isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { at, has, text, texts } from '#lib/machinery/unstructured.ts';
import { compareQuantities, parseQuantity, quantityValue, type Quantity } from '#lib/machinery/resource/quantity.ts';
import { BETA_CLASS } from './annotations.ts';

/** The labels of a node. */
export type NodeLabels = Readonly<Record<string, string>>;

export const specOf = (object: JsonObject): JsonObject => objectAt(object, 'spec') ?? {};

/** The class of a claim or volume; empty where it has none. */
export const classOf = (object: JsonObject): string =>
  annotationsOf(object)[BETA_CLASS] ?? text(specOf(object), 'storageClassName');

/** Whether a claim says which class it is of, and be it none. */
export const saysClass = (claim: JsonObject): boolean =>
  annotationsOf(claim)[BETA_CLASS] !== undefined || has(specOf(claim), 'storageClassName');

/** The claim that a volume is bound to, or kept for; undefined where it is free. */
export const claimRefOf = (volume: JsonObject): JsonObject | undefined => objectAt(specOf(volume), 'claimRef');

/** Whether the volume is bound to, or kept for, this claim. */
export function isBoundTo(volume: JsonObject, claim: JsonObject): boolean {
  const ref = claimRefOf(volume);
  if (ref === undefined || text(ref, 'name') !== nameOf(claim) || text(ref, 'namespace') !== namespaceOf(claim))
    return false;
  return text(ref, 'uid') === '' || text(ref, 'uid') === uidOf(claim);
}

const modeOf = (object: JsonObject): string => text(specOf(object), 'volumeMode') || 'Filesystem';
const attributesOf = (object: JsonObject): string => text(specOf(object), 'volumeAttributesClassName');
const quantity = (value: string): Quantity => parseQuantity(value === '' ? '0' : value);
/** What a claim asks for; nothing is zero. */
export const askedOf = (claim: JsonObject): Quantity =>
  quantity(text(at(specOf(claim), 'resources', 'requests'), 'storage'));
export const capacityOf = (volume: JsonObject): Quantity => quantity(text(at(specOf(volume), 'capacity'), 'storage'));

export const isOtherMode = (volume: JsonObject, claim: JsonObject): boolean => modeOf(volume) !== modeOf(claim);

const accessModes = (object: JsonObject): ReadonlySet<string> => new Set(texts(specOf(object), 'accessModes'));

/** Why a volume that the claim names cannot be its own: upstream's checkVolumeSatisfyClaim. */
export function mismatch(volume: JsonObject, claim: JsonObject): string | undefined {
  if (isDeleting(volume)) return `the volume is marked for deletion "${nameOf(volume)}"`;
  if (quantityValue(capacityOf(volume)) < quantityValue(askedOf(claim))) return 'requested PV is too small';
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if (attributesOf(volume) !== attributesOf(claim)) return 'volumeAttributesClassName does not match';
  if (isOtherMode(volume, claim)) return 'incompatible volumeMode';
  return accessModes(claim).isSubsetOf(accessModes(volume)) ? undefined : 'incompatible accessMode';
}

/**
 * The volume that suits a claim best: of those with the fewest access modes one that is kept for it, else the smallest.
 * Where the scheduler binds (`isDelayed`) only one that is kept for it.
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
 * What a claim would have from a node: what is kept for it, if that can be reached from there, else the smallest that can.
 * With its other part, `bestMatch`, this is upstream's FindMatchingVolume. Throws 400 for a selector that is none.
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

/** Selectors that were parsed: each is asked of many nodes. */
const selectors = new WeakMap<JsonObject, NodeSelector>();

/** Whether a volume can be had on a node with these labels: upstream's CheckNodeAffinity. */
export function reaches(labels: NodeLabels, volume: JsonObject): boolean {
  const required = at(specOf(volume), 'nodeAffinity', 'required');
  if (required === undefined) return true;
  const selector = selectors.get(required) ?? newNodeSelector(required);
  selectors.set(required, selector);
  return selector.matches({ name: '', labels });
}

function smallestFree<V extends JsonObject>(claim: JsonObject, possible: readonly V[]): V | undefined {
  const selector = has(specOf(claim), 'selector') ? selectorFromObject(objectAt(specOf(claim), 'selector')) : undefined;
  const free = possible.filter(
    (volume) =>
      text(objectAt(volume, 'status'), 'phase') === 'Available' &&
      (selector === undefined || matches(selector, labelsOf(volume))) &&
      classOf(volume) === classOf(claim),
  );
  return free.sort((a, b) => compareQuantities(capacityOf(a), capacityOf(b)))[0];
}

/** Whether a volume could be the claim's, as far as that is not for free volumes alone. */
function mayHold(volume: JsonObject, claim: JsonObject): boolean {
  if (claimRefOf(volume) !== undefined && !isBoundTo(volume, claim)) return false;
  if (isDeleting(volume) || isOtherMode(volume, claim) || attributesOf(volume) !== attributesOf(claim)) return false;
  return compareQuantities(capacityOf(volume), askedOf(claim)) >= 0;
}
