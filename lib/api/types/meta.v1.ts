// Written by `npm run generate`.
import type { Json, typed } from '#lib/machinery/json-value.ts';
import type { Int64, Time } from './scalars.ts';

/** A group of the API, with its versions. */
export type APIGroup = {
  [typed]?: 'meta.v1.APIGroup';
  kind?: string;
  apiVersion?: string;
  name: string;
  versions: GroupVersionForDiscovery[] | null;
  preferredVersion: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
};

/** All groups of the API, for clients that discover what is served. */
export type APIGroupList = {
  [typed]?: 'meta.v1.APIGroupList';
  kind?: string;
  apiVersion?: string;
  groups: APIGroup[] | null;
};

/** One resource: its names, its scope and what can be done with it. */
export type APIResource = {
  [typed]?: 'meta.v1.APIResource';
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: string[] | null;
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
};

/** The resources of one group and version. */
export type APIResourceList = {
  [typed]?: 'meta.v1.APIResourceList';
  kind?: string;
  apiVersion?: string;
  groupVersion: string;
  resources: APIResource[] | null;
};

/** The versions of the group without a name. */
export type APIVersions = {
  [typed]?: 'meta.v1.APIVersions';
  kind?: string;
  apiVersion?: string;
  versions: string[] | null;
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[] | null;
};

/** One aspect of an object's state, as last observed. */
export type Condition = {
  [typed]?: 'meta.v1.Condition';
  type: string;
  status: string;
  observedGeneration?: Int64;
  lastTransitionTime: Time | null;
  reason: string;
  message: string;
};

/** Options of a creation. */
export type CreateOptions = {
  [typed]?: 'meta.v1.CreateOptions';
  kind?: string;
  apiVersion?: string;
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
};

/** Options of a deletion. */
export type DeleteOptions = {
  [typed]?: 'meta.v1.DeleteOptions';
  kind?: string;
  apiVersion?: string;
  gracePeriodSeconds?: Int64;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
};

/** A condition on one field. */
export type FieldSelectorRequirement = {
  [typed]?: 'meta.v1.FieldSelectorRequirement';
  key: string;
  operator: string;
  values?: string[];
};

/** Options of a read. */
export type GetOptions = {
  [typed]?: 'meta.v1.GetOptions';
  kind?: string;
  apiVersion?: string;
  resourceVersion?: string;
};

/** A version of a group. */
export type GroupVersionForDiscovery = {
  [typed]?: 'meta.v1.GroupVersionForDiscovery';
  groupVersion: string;
  version: string;
};

/** Names a kind. */
export type GroupVersionKind = {
  [typed]?: 'meta.v1.GroupVersionKind';
  group: string;
  version: string;
  kind: string;
};

/** Selects objects by their labels: all conditions must hold. An empty selector takes every object, an absent one none. */
export type LabelSelector = {
  [typed]?: 'meta.v1.LabelSelector';
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
};

/** A condition on one label. */
export type LabelSelectorRequirement = {
  [typed]?: 'meta.v1.LabelSelectorRequirement';
  key: string;
  operator: string;
  values?: string[];
};

/** Metadata of a list. */
export type ListMeta = {
  [typed]?: 'meta.v1.ListMeta';
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: Int64;
  shardInfo?: ShardInfo;
};

/** Options of a list or watch. */
export type ListOptions = {
  [typed]?: 'meta.v1.ListOptions';
  kind?: string;
  apiVersion?: string;
  labelSelector?: string;
  fieldSelector?: string;
  watch?: boolean;
  allowWatchBookmarks?: boolean;
  resourceVersion?: string;
  resourceVersionMatch?: string;
  timeoutSeconds?: Int64;
  limit?: Int64;
  continue?: string;
  sendInitialEvents?: boolean;
  shardSelector?: string;
};

/** The fields of an object that one manager has set, in one version. */
export type ManagedFieldsEntry = {
  [typed]?: 'meta.v1.ManagedFieldsEntry';
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: Time;
  fieldsType?: string;
  fieldsV1?: Json;
  subresource?: string;
};

/** Metadata that every object has: its names, its identity, its versions, its labels, its owners. */
export type ObjectMeta = {
  [typed]?: 'meta.v1.ObjectMeta';
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: Int64;
  creationTimestamp?: Time;
  deletionTimestamp?: Time;
  deletionGracePeriodSeconds?: Int64;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
};

/** Names an owner: an object of the same namespace, or of the cluster. */
export type OwnerReference = {
  [typed]?: 'meta.v1.OwnerReference';
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** An object of any kind, of which only the metadata is shown. */
export type PartialObjectMetadata = {
  [typed]?: 'meta.v1.PartialObjectMetadata';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
};

/** A list of objects' metadata. */
export type PartialObjectMetadataList = {
  [typed]?: 'meta.v1.PartialObjectMetadataList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: PartialObjectMetadata[] | null;
};

/** A patch, in the form that its media type names. */
export type Patch = {
  [typed]?: 'meta.v1.Patch';
};

/** Options of a patch. */
export type PatchOptions = {
  [typed]?: 'meta.v1.PatchOptions';
  kind?: string;
  apiVersion?: string;
  dryRun?: string[];
  force?: boolean;
  fieldManager?: string;
  fieldValidation?: string;
};

/** Conditions that must hold before a write. */
export type Preconditions = {
  [typed]?: 'meta.v1.Preconditions';
  uid?: string;
  resourceVersion?: string;
};

/** An address of the server for clients of one network. */
export type ServerAddressByClientCIDR = {
  [typed]?: 'meta.v1.ServerAddressByClientCIDR';
  clientCIDR: string;
  serverAddress: string;
};

/** The shard that a list holds. */
export type ShardInfo = {
  [typed]?: 'meta.v1.ShardInfo';
  selector: string;
};

/** The answer to a request that returns no other object: an error, or that all went well. */
export type Status = {
  [typed]?: 'meta.v1.Status';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
};

/** One of the causes of a failure. */
export type StatusCause = {
  [typed]?: 'meta.v1.StatusCause';
  reason?: string;
  message?: string;
  field?: string;
};

/** The object and the causes of a failure. */
export type StatusDetails = {
  [typed]?: 'meta.v1.StatusDetails';
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
};

/** Options of an update. */
export type UpdateOptions = {
  [typed]?: 'meta.v1.UpdateOptions';
  kind?: string;
  apiVersion?: string;
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
};

/** One change in a watch. */
export type WatchEvent = {
  [typed]?: 'meta.v1.WatchEvent';
  type: string;
  object: Json;
};
