import { arrayAt, isObject, objectAt, ownField, stringAt, type JsonObject } from './json-value.ts';
import { TimeError, dateOf, parseTime } from './time.ts';

/** `metav1.OwnerReference`. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
  readonly blockOwnerDeletion: boolean;
}

/** The object's own metadata; an empty object, not attached to it, where there is none. */
export const metadataOf = (object: JsonObject): JsonObject => objectAt(object, 'metadata') ?? {};

/** Accessors of an object's metadata: what is absent or of another type is the empty value. */
export const nameOf = (object: JsonObject): string => text(object, 'name');
export const generateNameOf = (object: JsonObject): string => text(object, 'generateName');
export const namespaceOf = (object: JsonObject): string => text(object, 'namespace');
export const uidOf = (object: JsonObject): string => text(object, 'uid');
export const resourceVersionOf = (object: JsonObject): string => text(object, 'resourceVersion');
export const generationOf = (object: JsonObject): number => integer(object, 'generation') ?? 0;
export const labelsOf = (object: JsonObject): Record<string, string> => strings(object, 'labels');
export const annotationsOf = (object: JsonObject): Record<string, string> => strings(object, 'annotations');
export const creationTimeOf = (object: JsonObject): Date | undefined => time(object, 'creationTimestamp');
export const deletionTimeOf = (object: JsonObject): Date | undefined => time(object, 'deletionTimestamp');
/** Whether deletion was asked for. */
export const isDeleting = (object: JsonObject): boolean => text(object, 'deletionTimestamp') !== '';

export function finalizersOf(object: JsonObject): string[] {
  return arrayAt(metadataOf(object), 'finalizers').filter((item) => typeof item === 'string');
}

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

const text = (object: JsonObject, field: string): string => stringAt(metadataOf(object), field) ?? '';

function integer(object: JsonObject, field: string): number | undefined {
  const value = ownField(metadataOf(object), field);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

/** Without a prototype, so that a key such as `constructor` is absent unless it is there. */
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
