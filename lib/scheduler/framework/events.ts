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
