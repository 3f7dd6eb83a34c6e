import type { JsonObject } from '#lib/machinery/json-value.ts';

/** What changed in the cluster that plugins tell apart: upstream's EventResource. */
export type EventResource =
  | 'Pod'
  | 'Node'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity'
  | 'VolumeAttachment'
  | 'Service'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass'
  | '*';

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

export interface ClusterEvent {
  readonly resource: EventResource;
  readonly actions: readonly Action[];
}

export interface ClusterEventWithHint {
  readonly event: ClusterEvent;
  /** Whether the change may help this pod. Absent: it may. An absent object was not there before, or is no longer. */
  hint?(pod: JsonObject, change: { readonly before?: JsonObject; readonly after?: JsonObject }): boolean;
}

/** A change as the queue is told of it: as fine as can be said. */
export interface IncomingEvent {
  readonly resource: EventResource;
  readonly action: Action;
}

/** Pods that waited too long are tried again whatever refused them. */
export const UNSCHEDULABLE_TIMEOUT: IncomingEvent = { resource: '*', action: 'Update' };
/** Pods that another had tried again. */
export const FORCE_ACTIVATE: IncomingEvent = { resource: '*', action: 'Update' };

export const isWildcard = ({ resource }: IncomingEvent): boolean => resource === '*';

/** Upstream's MatchClusterEvents: a change is what was registered, or finer. */
export function matchesEvent({ resource, actions }: ClusterEvent, incoming: IncomingEvent): boolean {
  if (resource !== '*' && resource !== incoming.resource) return false;
  if (actions.includes(incoming.action)) return true;
  return actions.includes('Update') && isUpdate(incoming.action);
}

const isUpdate = (action: Action): boolean => action === 'Other' || action.startsWith('Update');
