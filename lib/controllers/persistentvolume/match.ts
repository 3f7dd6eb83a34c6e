import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { annotationsOf, isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { at, has, text, texts } from '#lib/machinery/unstructured.ts';
import { compareQuantities, parseQuantity, quantityValue, type Quantity } from '#lib/machinery/resource/quantity.ts';
import { BETA_CLASS } from './annotations.ts';

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
const asked = (claim: JsonObject): Quantity => quantity(text(at(specOf(claim), 'resources', 'requests'), 'storage'));
export const capacityOf = (volume: JsonObject): Quantity => quantity(text(at(specOf(volume), 'capacity'), 'storage'));

export const isOtherMode = (volume: JsonObject, claim: JsonObject): boolean => modeOf(volume) !== modeOf(claim);

const accessModes = (object: JsonObject): ReadonlySet<string> => new Set(texts(specOf(object), 'accessModes'));

/** Why a volume that the claim names cannot be its own: upstream's checkVolumeSatisfyClaim. */
export function mismatch(volume: JsonObject, claim: JsonObject): string | undefined {
  if (isDeleting(volume)) return `the volume is marked for deletion "${nameOf(volume)}"`;
  if (quantityValue(capacityOf(volume)) < quantityValue(asked(claim))) return 'requested PV is too small';
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if (attributesOf(volume) !== attributesOf(claim)) return 'volumeAttributesClassName does not match';
  if (isOtherMode(volume, claim)) return 'incompatible volumeMode';
  return accessModes(claim).isSubsetOf(accessModes(volume)) ? undefined : 'incompatible accessMode';
}

/**
 * The volume that suits a claim best: of those with the fewest access modes one that is kept for it, else the smallest.
 * Where the scheduler binds (`isDelayed`) only one that is kept for it.
 */
export function bestMatch(
  claim: JsonObject,
  volumes: readonly JsonObject[],
  isDelayed: boolean,
): JsonObject | undefined {
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

function bestOf(claim: JsonObject, volumes: readonly JsonObject[], isDelayed: boolean): JsonObject | undefined {
  const possible = volumes.filter((volume) => mayHold(volume, claim));
  const kept = possible.find((volume) => isBoundTo(volume, claim));
  if (kept !== undefined || isDelayed) return kept;
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
  return compareQuantities(capacityOf(volume), asked(claim)) >= 0;
}
