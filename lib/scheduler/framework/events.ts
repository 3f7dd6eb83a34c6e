import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, Service } from '#lib/api/types/core.v1.ts';
import type { DeviceClass, ResourceClaim, ResourceSlice } from '#lib/api/types/resource.v1.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '#lib/api/types/storage.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Selecting } from './objects.ts';

/** The object type of each resource that plugins register events for. `*` is any resource. */
export interface EventObjects {
  Pod: Pod;
  Node: Node;
  PersistentVolume: PersistentVolume;
  PersistentVolumeClaim: PersistentVolumeClaim;
  StorageClass: StorageClass;
  CSINode: CSINode;
  CSIDriver: CSIDriver;
  CSIStorageCapacity: CSIStorageCapacity;
  VolumeAttachment: VolumeAttachment;
  Service: Selecting<Service>;
  ResourceClaim: ResourceClaim;
  ResourceSlice: ResourceSlice;
  DeviceClass: DeviceClass;
  '*': JsonObject;
}

/** Upstream's EventResource. */
export type EventResource = keyof EventObjects;

/** Upstream's ActionType. `Update` covers all of the more specific updates. */
export type Action =
  | 'Add'
  | 'Delete'
  | 'Update'
  | 'UpdateNodeAllocatable'
  | 'UpdateNodeLabel'
  | 'UpdateNodeTaint'
  | 'UpdateNodeCondition'
  | 'UpdateNodeAnnotation'
  | 'UpdateNodeDeclaredFeature'
  | 'UpdatePodLabel'
  | 'UpdatePodScaleDown'
  | 'UpdatePodToleration'
  | 'UpdatePodSchedulingGatesEliminated'
  | 'UpdatePodGeneratedResourceClaim'
  | 'Other';

/** A kind of change that can make a pod schedulable: upstream's ClusterEvent. */
export interface ClusterEvent<R extends EventResource = EventResource> {
  readonly resource: R;
  readonly actions: readonly Action[];
}

/** An object before and after a change. The first is absent for an addition, the second for a deletion. */
export interface ObjectChange<T> {
  readonly before?: T;
  readonly after?: T;
}

interface EventWithHint<R extends EventResource> {
  readonly event: ClusterEvent<R>;
  /** Whether the change may help this pod. If absent, it may. */
  hint?(pod: Pod, change: ObjectChange<EventObjects[R]>): boolean;
}

/** An event and a plugin's hint for it: upstream's ClusterEventWithHint. */
export type ClusterEventWithHint = { [R in EventResource]: EventWithHint<R> }[EventResource];

/** Creates an event for changes of one resource, with a hint typed for its objects. */
export const clusterEvent = <R extends EventResource>(
  resource: R,
  actions: readonly Action[],
  hint?: (pod: Pod, change: ObjectChange<EventObjects[R]>) => boolean,
): EventWithHint<R> => ({ event: { resource, actions }, ...defined({ hint }) });

/** A change as reported to the queue, as specific as possible. */
export interface IncomingEvent {
  readonly resource: EventResource;
  readonly action: Action;
}

/** Requeues pods that have waited too long, whichever plugin refused them. */
export const UNSCHEDULABLE_TIMEOUT: IncomingEvent = { resource: '*', action: 'Update' };
/** Requeues pods on request of a plugin. */
export const FORCE_ACTIVATE: IncomingEvent = { resource: '*', action: 'Update' };

/** Whether the event covers every resource. */
export const isWildcard = ({ resource }: IncomingEvent): boolean => resource === '*';

/** Upstream's MatchClusterEvents: the change equals the registered event or is more specific. */
export function matchesEvent({ resource, actions }: ClusterEvent, incoming: IncomingEvent): boolean {
  if (resource !== '*' && resource !== incoming.resource) return false;
  if (actions.includes(incoming.action)) return true;
  return actions.includes('Update') && isUpdate(incoming.action);
}

const isUpdate = (action: Action): boolean => action === 'Other' || action.startsWith('Update');
