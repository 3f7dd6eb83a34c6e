import type { ReplicaSet, StatefulSet } from '#lib/api/types/apps.v1.ts';
import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  Service,
} from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import type { PodDisruptionBudget } from '#lib/api/types/policy.v1.ts';
import type { DeviceClass, ResourceClaim, ResourceSlice } from '#lib/api/types/resource.v1.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '#lib/api/types/storage.v1.ts';

/** The part of an object that selects pods. The scheduler stores only this part of such objects. */
export type Selecting<T extends { spec: { selector?: unknown } }> = {
  metadata: ObjectMeta;
  spec: Pick<T['spec'], 'selector'>;
};

/** The objects that the scheduler knows, by resource plural. Each has its stable group and version. */
export interface KnownObjects {
  nodes: Node;
  pods: Pod;
  namespaces: Namespace;
  persistentvolumeclaims: PersistentVolumeClaim;
  persistentvolumes: PersistentVolume;
  storageclasses: StorageClass;
  csinodes: CSINode;
  csidrivers: CSIDriver;
  csistoragecapacities: CSIStorageCapacity;
  volumeattachments: VolumeAttachment;
  poddisruptionbudgets: PodDisruptionBudget;
  services: Selecting<Service>;
  replicationcontrollers: Selecting<ReplicationController>;
  replicasets: Selecting<ReplicaSet>;
  statefulsets: Selecting<StatefulSet>;
  resourceclaims: ResourceClaim;
  resourceslices: ResourceSlice;
  deviceclasses: DeviceClass;
}

/** Resources that plugins can look up, by plural. Nodes are in the snapshot instead. */
export type Listed = Exclude<keyof KnownObjects, 'nodes'>;

/** The known objects of one resource. */
export interface Lister<T> {
  /** Returns the object, or undefined. The namespace of a cluster-scoped object is empty. */
  get(namespace: string, name: string): T | undefined;
  /** Returns the objects of a namespace, or of all namespaces. */
  list(namespace?: string): Iterable<T>;
}
