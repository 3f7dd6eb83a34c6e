import {
  CSI_DRIVERS,
  CSI_NODES,
  CSI_STORAGE_CAPACITIES,
  DEVICE_CLASSES,
  NAMESPACES,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  POD_DISRUPTION_BUDGETS,
  PODS,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  RESOURCE_CLAIMS,
  RESOURCE_SLICES,
  SERVICES,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  VOLUME_ATTACHMENTS,
} from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { KnownObjects } from './framework/objects.ts';

/** A resource that affects scheduling. */
export interface Watched<T extends JsonObject = JsonObject> {
  readonly resource: ResourceOf<T>;
  /** Whether only the selector of each object's spec is stored. */
  readonly isSelecting?: boolean;
}

/** The plural name of a resource that the scheduler watches. */
export type WatchedName = keyof KnownObjects;

/** All watched resources by plural. Nodes come before the pods on them, and objects that pods refer to come before both. */
export const WATCHED: { readonly [N in WatchedName]: Watched<KnownObjects[N]> } = {
  namespaces: { resource: NAMESPACES },
  storageclasses: { resource: STORAGE_CLASSES },
  csidrivers: { resource: CSI_DRIVERS },
  csinodes: { resource: CSI_NODES },
  csistoragecapacities: { resource: CSI_STORAGE_CAPACITIES },
  volumeattachments: { resource: VOLUME_ATTACHMENTS },
  persistentvolumes: { resource: PERSISTENT_VOLUMES },
  persistentvolumeclaims: { resource: PERSISTENT_VOLUME_CLAIMS },
  deviceclasses: { resource: DEVICE_CLASSES },
  resourceslices: { resource: RESOURCE_SLICES },
  resourceclaims: { resource: RESOURCE_CLAIMS },
  poddisruptionbudgets: { resource: POD_DISRUPTION_BUDGETS },
  services: { resource: SERVICES, isSelecting: true },
  replicationcontrollers: { resource: REPLICATION_CONTROLLERS, isSelecting: true },
  replicasets: { resource: REPLICA_SETS, isSelecting: true },
  statefulsets: { resource: STATEFUL_SETS, isSelecting: true },
  nodes: { resource: NODES },
  pods: { resource: PODS },
};

/** Whether the scheduler watches a resource with this plural. */
export const isWatchedName = (plural: string): plural is WatchedName => Object.hasOwn(WATCHED, plural);

/** The watched resource with that group and plural; undefined if none. */
export function watchedName(group: string, plural: string): WatchedName | undefined {
  return isWatchedName(plural) && WATCHED[plural].resource.group === group ? plural : undefined;
}
