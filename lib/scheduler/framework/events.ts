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

/** The kinds of objects whose changes plugins tell apart, each with the type of its objects. `*` is any. */
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

/** Upstream's ActionType. `Update` stands for each of the finer ones. */
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

/** An object before and after a change. An absent object was not there before, or is no longer. */
export interface ObjectChange<T> {
  readonly before?: T;
  readonly after?: T;
}

interface EventWithHint<R extends EventResource> {
  readonly event: ClusterEvent<R>;
  /** Whether the change may help this pod. Absent: it may. */
  hint?(pod: Pod, change: ObjectChange<EventObjects[R]>): boolean;
}

/** An event and a plugin's hint for it: upstream's ClusterEventWithHint. */
export type ClusterEventWithHint = { [R in EventResource]: EventWithHint<R> }[EventResource];

/** Changes of one kind of object, with a hint that knows its type. */
export const clusterEvent = <R extends EventResource>(
  resource: R,
  actions: readonly Action[],
  hint?: (pod: Pod, change: ObjectChange<EventObjects[R]>) => boolean,
): EventWithHint<R> => ({ event: { resource, actions }, ...defined({ hint }) });

/** A change as the queue learns of it: as fine as can be said. */
export interface IncomingEvent {
  readonly resource: EventResource;
  readonly action: Action;
}

/** Pods that waited too long are tried again, whichever plugin refused them. */
export const UNSCHEDULABLE_TIMEOUT: IncomingEvent = { resource: '*', action: 'Update' };
/** Pods that a plugin has tried again. */
export const FORCE_ACTIVATE: IncomingEvent = { resource: '*', action: 'Update' };

/** Whether the event concerns every kind of object. */
export const isWildcard = ({ resource }: IncomingEvent): boolean => resource === '*';

/** Upstream's MatchClusterEvents: a change is what was registered, or finer. */
export function matchesEvent({ resource, actions }: ClusterEvent, incoming: IncomingEvent): boolean {
  if (resource !== '*' && resource !== incoming.resource) return false;
  if (actions.includes(incoming.action)) return true;
  return actions.includes('Update') && isUpdate(incoming.action);
}

const isUpdate = (action: Action): boolean => action === 'Other' || action.startsWith('Update');
