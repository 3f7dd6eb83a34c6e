import { arrayAt, equal, isObject, type JsonObject, objectAt, ownField, stringAt } from './json-value.ts';
import { dateOf, parseTime, TimeError } from './time.ts';

/** `metav1.OwnerReference`. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
  readonly blockOwnerDeletion: boolean;
}

/** The object's metadata. If absent, returns a new empty object that is not attached to the object. */
export const metadataOf = (object: JsonObject): JsonObject => objectAt(object, 'metadata') ?? {};

/** The object's name. Accessors return the empty value for a field that is absent or has another type. */
export const nameOf = (object: JsonObject): string => text(object, 'name');
/** The object's generateName, or ''. */
export const generateNameOf = (object: JsonObject): string => text(object, 'generateName');
/** The object's namespace, or '' for a cluster-scoped object. */
export const namespaceOf = (object: JsonObject): string => text(object, 'namespace');
/** The object's uid, or '' before it is created. */
export const uidOf = (object: JsonObject): string => text(object, 'uid');
/** The object's resourceVersion, or '' before it is stored. */
export const resourceVersionOf = (object: JsonObject): string => text(object, 'resourceVersion');
/** The object's generation, or 0. */
export const generationOf = (object: JsonObject): number => integer(object, 'generation') ?? 0;
/** A copy of the object's labels, without values that are not strings. */
export const labelsOf = (object: JsonObject): Record<string, string> => strings(object, 'labels');
/** A copy of the object's annotations, without values that are not strings. */
export const annotationsOf = (object: JsonObject): Record<string, string> => strings(object, 'annotations');
/** The object's creationTimestamp, or undefined. */
export const creationTimeOf = (object: JsonObject): Date | undefined => time(object, 'creationTimestamp');
/** The object's deletionTimestamp, or undefined while no deletion is requested. */
export const deletionTimeOf = (object: JsonObject): Date | undefined => time(object, 'deletionTimestamp');
/** Whether deletion was requested. */
export const isDeleting = (object: JsonObject): boolean => text(object, 'deletionTimestamp') !== '';

/** The object's finalizers, without entries that are not strings. */
export function finalizersOf(object: JsonObject): string[] {
  return arrayAt(metadataOf(object), 'finalizers').filter((item) => typeof item === 'string');
}

/** The object's ownerReferences. A missing field of a reference is '' or false. */
export function ownerReferencesOf(object: JsonObject): OwnerReference[] {
  return arrayAt(metadataOf(object), 'ownerReferences')
    .filter(isObject)
    .map((reference) => ({
      apiVersion: stringAt(reference, 'apiVersion') ?? '',
      kind: stringAt(reference, 'kind') ?? '',
      name: stringAt(reference, 'name') ?? '',
      uid: stringAt(reference, 'uid') ?? '',
      controller: ownField(reference, 'controller') === true,
      blockOwnerDeletion: ownField(reference, 'blockOwnerDeletion') === true,
    }));
}

/** The reference to the owner that manages the object: upstream's GetControllerOf. */
export function controllerOf(object: JsonObject): OwnerReference | undefined {
  return ownerReferencesOf(object).find((reference) => reference.controller);
}

/** Metadata fields that every write may change. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['resourceVersion', 'generation', 'managedFields']);

/** Whether two states have the same metadata, except for fields that every write may change. */
export function sameMetadata(object: JsonObject, before: JsonObject): boolean {
  const [now, then] = [metadataOf(object), metadataOf(before)];
  const names = new Set([...Object.keys(now), ...Object.keys(then)]).difference(BOOKKEEPING);
  return [...names].every((name) => equal(ownField(now, name), ownField(then, name)));
}

const text = (object: JsonObject, field: string): string => stringAt(metadataOf(object), field) ?? '';

function integer(object: JsonObject, field: string): number | undefined {
  const value = ownField(metadataOf(object), field);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

/** Creates a map without a prototype, so that a key such as `constructor` is absent unless set. */
function strings(object: JsonObject, field: string): Record<string, string> {
  const map: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(objectAt(metadataOf(object), field) ?? {})) {
    if (typeof value === 'string') map[key] = value;
  }
  return map;
}

function time(object: JsonObject, field: string): Date | undefined {
  const value = text(object, field);
  if (value === '') return undefined;
  try {
    return dateOf(parseTime(value));
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}
