// Written by `npm run generate`.
import type { Json, typed } from '#lib/machinery/json-value.ts';
import type { PersistentVolumeClaim, PodTemplateSpec } from './core.v1.ts';
import type { LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Int64, IntOrString, Time } from './scalars.ts';

/** A kept state of a DaemonSet or StatefulSet, to roll back to. Its data cannot be changed. */
export type ControllerRevision = {
  [typed]?: 'apps.v1.ControllerRevision';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  data: Json;
  revision: Int64;
};

/** A list of objects of kind ControllerRevision. */
export type ControllerRevisionList = {
  [typed]?: 'apps.v1.ControllerRevisionList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ControllerRevision[] | null;
};

/** Runs one pod on each node that fits. */
export type DaemonSet = {
  [typed]?: 'apps.v1.DaemonSet';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: DaemonSetSpec;
  status: DaemonSetStatus;
};

/** One aspect of a DaemonSet's state, as last observed. */
export type DaemonSetCondition = {
  [typed]?: 'apps.v1.DaemonSetCondition';
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind DaemonSet. */
export type DaemonSetList = {
  [typed]?: 'apps.v1.DaemonSetList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: DaemonSet[] | null;
};

/** The pod that runs on each node, and how it is replaced. */
export type DaemonSetSpec = {
  [typed]?: 'apps.v1.DaemonSetSpec';
  selector: LabelSelector | null;
  template: PodTemplateSpec;
  updateStrategy: DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
};

/** The last observed status of a DaemonSet. */
export type DaemonSetStatus = {
  [typed]?: 'apps.v1.DaemonSetStatus';
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: Int64;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: DaemonSetCondition[];
};

/** Settings of an update of a DaemonSet: its type and what that type needs. */
export type DaemonSetUpdateStrategy = {
  [typed]?: 'apps.v1.DaemonSetUpdateStrategy';
  type?: string;
  rollingUpdate?: RollingUpdateDaemonSet;
};

/** Keeps a number of equal pods and replaces them step by step when their template changes. */
export type Deployment = {
  [typed]?: 'apps.v1.Deployment';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: DeploymentSpec;
  status: DeploymentStatus;
};

/** One aspect of a Deployment's state, as last observed. */
export type DeploymentCondition = {
  [typed]?: 'apps.v1.DeploymentCondition';
  type: string;
  status: string;
  lastUpdateTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind Deployment. */
export type DeploymentList = {
  [typed]?: 'apps.v1.DeploymentList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Deployment[] | null;
};

/** How many pods of what kind are wanted, and how they are replaced. */
export type DeploymentSpec = {
  [typed]?: 'apps.v1.DeploymentSpec';
  replicas?: number;
  selector: LabelSelector | null;
  template: PodTemplateSpec;
  strategy: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
  progressDeadlineSeconds?: number;
};

/** The last observed status of a Deployment. */
export type DeploymentStatus = {
  [typed]?: 'apps.v1.DeploymentStatus';
  observedGeneration?: Int64;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  conditions?: DeploymentCondition[];
  collisionCount?: number;
};

/** Settings of a rollout of a Deployment: its type and what that type needs. */
export type DeploymentStrategy = {
  [typed]?: 'apps.v1.DeploymentStrategy';
  type?: string;
  rollingUpdate?: RollingUpdateDeployment;
};

/** Keeps a number of equal pods; most belong to a Deployment, one for each of its templates. */
export type ReplicaSet = {
  [typed]?: 'apps.v1.ReplicaSet';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ReplicaSetSpec;
  status: ReplicaSetStatus;
};

/** One aspect of a ReplicaSet's state, as last observed. */
export type ReplicaSetCondition = {
  [typed]?: 'apps.v1.ReplicaSetCondition';
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind ReplicaSet. */
export type ReplicaSetList = {
  [typed]?: 'apps.v1.ReplicaSetList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ReplicaSet[] | null;
};

/** How many pods of what kind are wanted. */
export type ReplicaSetSpec = {
  [typed]?: 'apps.v1.ReplicaSetSpec';
  replicas?: number;
  minReadySeconds?: number;
  selector: LabelSelector | null;
  template: PodTemplateSpec;
};

/** The last observed status of a ReplicaSet. */
export type ReplicaSetStatus = {
  [typed]?: 'apps.v1.ReplicaSetStatus';
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: Int64;
  conditions?: ReplicaSetCondition[];
};

/** How many pods are replaced at a time. */
export type RollingUpdateDaemonSet = {
  [typed]?: 'apps.v1.RollingUpdateDaemonSet';
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
};

/** How many pods are replaced at a time. */
export type RollingUpdateDeployment = {
  [typed]?: 'apps.v1.RollingUpdateDeployment';
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
};

/** The pods that an update replaces, and how many at a time. */
export type RollingUpdateStatefulSetStrategy = {
  [typed]?: 'apps.v1.RollingUpdateStatefulSetStrategy';
  partition?: number;
  maxUnavailable?: IntOrString;
};

/** Keeps a number of pods, each with a name, an address and volumes of its own that stay when the pod is made anew. */
export type StatefulSet = {
  [typed]?: 'apps.v1.StatefulSet';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: StatefulSetSpec;
  status: StatefulSetStatus;
};

/** One aspect of a StatefulSet's state, as last observed. */
export type StatefulSetCondition = {
  [typed]?: 'apps.v1.StatefulSetCondition';
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind StatefulSet. */
export type StatefulSetList = {
  [typed]?: 'apps.v1.StatefulSetList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: StatefulSet[] | null;
};

/** How pods are numbered. */
export type StatefulSetOrdinals = {
  [typed]?: 'apps.v1.StatefulSetOrdinals';
  start: number;
};

/** The fate of claims of volumeClaimTemplates. */
export type StatefulSetPersistentVolumeClaimRetentionPolicy = {
  [typed]?: 'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy';
  whenDeleted?: string;
  whenScaled?: string;
};

/** How many pods of what kind are wanted, and how they are made and replaced. */
export type StatefulSetSpec = {
  [typed]?: 'apps.v1.StatefulSetSpec';
  replicas?: number;
  selector: LabelSelector | null;
  template: PodTemplateSpec;
  volumeClaimTemplates?: PersistentVolumeClaim[];
  serviceName: string;
  podManagementPolicy?: string;
  updateStrategy: StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  ordinals?: StatefulSetOrdinals;
};

/** The last observed status of a StatefulSet. */
export type StatefulSetStatus = {
  [typed]?: 'apps.v1.StatefulSetStatus';
  observedGeneration?: Int64;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: StatefulSetCondition[];
  availableReplicas: number;
};

/** Settings of an update of a StatefulSet: its type and what that type needs. */
export type StatefulSetUpdateStrategy = {
  [typed]?: 'apps.v1.StatefulSetUpdateStrategy';
  type?: string;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
};
