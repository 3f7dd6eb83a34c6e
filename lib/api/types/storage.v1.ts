// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { PersistentVolumeSpec, TopologySelectorTerm } from './core.v1.ts';
import type { LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Int64, Quantity, Time } from './scalars.ts';

/** The abilities of a CSI driver that the cluster must know; its name is the driver's. */
export type CSIDriver = {
  [typed]?: 'storage.v1.CSIDriver';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: CSIDriverSpec;
};

/** A list of objects of kind CSIDriver. */
export type CSIDriverList = {
  [typed]?: 'storage.v1.CSIDriverList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: CSIDriver[] | null;
};

/** How a CSI driver works. */
export type CSIDriverSpec = {
  [typed]?: 'storage.v1.CSIDriverSpec';
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  volumeLifecycleModes?: string[];
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  tokenRequests?: TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  nodeAllocatableUpdatePeriodSeconds?: Int64;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
};

/** The CSI drivers that run on a node; its name is the node's. */
export type CSINode = {
  [typed]?: 'storage.v1.CSINode';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: CSINodeSpec;
};

/** A CSI driver on a node. */
export type CSINodeDriver = {
  [typed]?: 'storage.v1.CSINodeDriver';
  name: string;
  nodeID: string;
  topologyKeys: string[] | null;
  allocatable?: VolumeNodeResources;
};

/** A list of objects of kind CSINode. */
export type CSINodeList = {
  [typed]?: 'storage.v1.CSINodeList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: CSINode[] | null;
};

/** The drivers of a node. */
export type CSINodeSpec = {
  [typed]?: 'storage.v1.CSINodeSpec';
  drivers: CSINodeDriver[] | null;
};

/** How much room a StorageClass has in one place. */
export type CSIStorageCapacity = {
  [typed]?: 'storage.v1.CSIStorageCapacity';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  nodeTopology?: LabelSelector;
  storageClassName: string;
  capacity?: Quantity;
  maximumVolumeSize?: Quantity;
};

/** A list of objects of kind CSIStorageCapacity. */
export type CSIStorageCapacityList = {
  [typed]?: 'storage.v1.CSIStorageCapacityList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: CSIStorageCapacity[] | null;
};

/** A way to make volumes for claims. The annotation storageclass.kubernetes.io/is-default-class makes it the default. */
export type StorageClass = {
  [typed]?: 'storage.v1.StorageClass';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  provisioner: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: string;
  allowedTopologies?: TopologySelectorTerm[];
};

/** A list of objects of kind StorageClass. */
export type StorageClassList = {
  [typed]?: 'storage.v1.StorageClassList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: StorageClass[] | null;
};

/** A token that a CSI driver gets. */
export type TokenRequest = {
  [typed]?: 'storage.v1.TokenRequest';
  audience: string;
  expirationSeconds?: Int64;
};

/** Asks that a volume be attached to a node. */
export type VolumeAttachment = {
  [typed]?: 'storage.v1.VolumeAttachment';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: VolumeAttachmentSpec;
  status: VolumeAttachmentStatus;
};

/** A list of objects of kind VolumeAttachment. */
export type VolumeAttachmentList = {
  [typed]?: 'storage.v1.VolumeAttachmentList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: VolumeAttachment[] | null;
};

/** A volume, by exactly one of the fields. */
export type VolumeAttachmentSource = {
  [typed]?: 'storage.v1.VolumeAttachmentSource';
  persistentVolumeName?: string;
  inlineVolumeSpec?: PersistentVolumeSpec;
};

/** The volume, the node, and the driver that attaches it. It cannot be changed. */
export type VolumeAttachmentSpec = {
  [typed]?: 'storage.v1.VolumeAttachmentSpec';
  attacher: string;
  source: VolumeAttachmentSource;
  nodeName: string;
};

/** The last observed status of an attachment. */
export type VolumeAttachmentStatus = {
  [typed]?: 'storage.v1.VolumeAttachmentStatus';
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: VolumeError;
  detachError?: VolumeError;
};

/** Settings of volumes that can be changed while they are in use. */
export type VolumeAttributesClass = {
  [typed]?: 'storage.v1.VolumeAttributesClass';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  driverName: string;
  parameters?: Record<string, string>;
};

/** A list of objects of kind VolumeAttributesClass. */
export type VolumeAttributesClassList = {
  [typed]?: 'storage.v1.VolumeAttributesClassList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: VolumeAttributesClass[] | null;
};

/** A fault of a volume. */
export type VolumeError = {
  [typed]?: 'storage.v1.VolumeError';
  time: Time | null;
  message?: string;
  errorCode?: number;
};

/** How many volumes fit a node. */
export type VolumeNodeResources = {
  [typed]?: 'storage.v1.VolumeNodeResources';
  count?: number;
};
