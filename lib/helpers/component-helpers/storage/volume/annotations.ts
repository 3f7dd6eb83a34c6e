import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, metadataOf } from '#lib/machinery/meta.ts';

/** On a claim: the claim and its volume are bound to each other. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
/** On a claim or volume: the volume controller, not the user, set this side of the binding. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
/** On a claim: the node that the scheduler selected for its volume. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** On a volume: the provisioner that created it. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
/** On a volume or claim: the CSI driver that replaced the in-tree plugin. */
export const MIGRATED_TO = 'pv.kubernetes.io/migrated-to';
/** On a claim: the provisioner that should create its volume. */
export const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
/** The beta name of the same annotation. */
export const BETA_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
/** On a claim or volume: its class. Takes precedence over `spec.storageClassName`. */
export const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** Whether the object has the annotation, even with an empty value. */
export const isAnnotated = (object: JsonObject, name: string): boolean => annotationsOf(object)[name] !== undefined;

/** A copy of the object with these annotations. Undefined removes one. */
export function annotated<T extends JsonObject>(object: T, change: Readonly<Record<string, string | undefined>>): T {
  const annotations: JsonObject = {};
  for (const [name, value] of Object.entries({ ...annotationsOf(object), ...change }))
    if (value !== undefined) annotations[name] = value;
  const { annotations: _, ...metadata } = metadataOf(object);
  return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}
