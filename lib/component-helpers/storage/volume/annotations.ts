import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, metadataOf } from '#lib/machinery/meta.ts';

/** On a claim: both sides have been bound once. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
/** On the side of a binding that this controller made, not the user. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const MIGRATED_TO = 'pv.kubernetes.io/migrated-to';
export const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const BETA_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
export const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';

export const isAnnotated = (object: JsonObject, name: string): boolean => annotationsOf(object)[name] !== undefined;

/** The object with these annotations added; undefined removes one. */
export function annotated<T extends JsonObject>(object: T, change: Readonly<Record<string, string | undefined>>): T {
  const annotations: JsonObject = {};
  for (const [name, value] of Object.entries({ ...annotationsOf(object), ...change }))
    if (value !== undefined) annotations[name] = value;
  const { annotations: _, ...metadata } = metadataOf(object);
  return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}
