// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { Condition, LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Base64, Int64, IntOrString, MicroTime, Quantity, Time } from './scalars.ts';

/** A disk of AWS EBS, in the node's zone. */
export type AWSElasticBlockStoreVolumeSource = {
  [typed]?: 'core.v1.AWSElasticBlockStoreVolumeSource';
  volumeID: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
};

/** Rules that draw a pod to nodes and other pods, or keep it away. */
export type Affinity = {
  [typed]?: 'core.v1.Affinity';
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
};

/** The AppArmor profile of a container's processes. */
export type AppArmorProfile = {
  [typed]?: 'core.v1.AppArmorProfile';
  type: string;
  localhostProfile?: string;
};

/** A volume that is attached to a node. */
export type AttachedVolume = {
  [typed]?: 'core.v1.AttachedVolume';
  name: string;
  devicePath: string;
};

/** A data disk of Azure. */
export type AzureDiskVolumeSource = {
  [typed]?: 'core.v1.AzureDiskVolumeSource';
  diskName: string;
  diskURI: string;
  cachingMode?: string;
  fsType?: string;
  readOnly?: boolean;
  kind?: string;
};

/** A share of Azure Files as a persistent volume. */
export type AzureFilePersistentVolumeSource = {
  [typed]?: 'core.v1.AzureFilePersistentVolumeSource';
  secretName: string;
  shareName: string;
  readOnly?: boolean;
  secretNamespace: string | null;
};

/** A share of Azure Files. */
export type AzureFileVolumeSource = {
  [typed]?: 'core.v1.AzureFileVolumeSource';
  secretName: string;
  shareName: string;
  readOnly?: boolean;
};

/** Puts a pod on a node. */
export type Binding = {
  [typed]?: 'core.v1.Binding';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  target: ObjectReference;
};

/** Storage that an external CSI driver manages. */
export type CSIPersistentVolumeSource = {
  [typed]?: 'core.v1.CSIPersistentVolumeSource';
  driver: string;
  volumeHandle: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
};

/** A volume that a CSI driver makes for the pod and deletes with it. */
export type CSIVolumeSource = {
  [typed]?: 'core.v1.CSIVolumeSource';
  driver: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  nodePublishSecretRef?: LocalObjectReference;
};

/** Linux capabilities to add to and take from the runtime's default set. */
export type Capabilities = {
  [typed]?: 'core.v1.Capabilities';
  add?: string[];
  drop?: string[];
};

/** A Ceph file system as a persistent volume. No longer supported. */
export type CephFSPersistentVolumeSource = {
  [typed]?: 'core.v1.CephFSPersistentVolumeSource';
  monitors: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
};

/** A mount of a Ceph file system. No longer supported. */
export type CephFSVolumeSource = {
  [typed]?: 'core.v1.CephFSVolumeSource';
  monitors: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
};

/** A disk of OpenStack as a persistent volume. */
export type CinderPersistentVolumeSource = {
  [typed]?: 'core.v1.CinderPersistentVolumeSource';
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: SecretReference;
};

/** A disk of OpenStack, in the node's region. */
export type CinderVolumeSource = {
  [typed]?: 'core.v1.CinderVolumeSource';
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
};

/** Affinity by client address. */
export type ClientIPConfig = {
  [typed]?: 'core.v1.ClientIPConfig';
  timeoutSeconds?: number;
};

/** Certificates to trust, joined into one file in no certain order. */
export type ClusterTrustBundleProjection = {
  [typed]?: 'core.v1.ClusterTrustBundleProjection';
  name?: string;
  signerName?: string;
  labelSelector?: LabelSelector;
  optional?: boolean;
  path: string;
};

/** One aspect of a component's health. */
export type ComponentCondition = {
  [typed]?: 'core.v1.ComponentCondition';
  type: string;
  status: string;
  message?: string;
  error?: string;
};

/** Deprecated. Whether a component of the control plane is healthy. */
export type ComponentStatus = {
  [typed]?: 'core.v1.ComponentStatus';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  conditions?: ComponentCondition[];
};

/** A list of objects of kind ComponentStatus. */
export type ComponentStatusList = {
  [typed]?: 'core.v1.ComponentStatusList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ComponentStatus[] | null;
};

/** Settings that pods read as files, variables or arguments. */
export type ConfigMap = {
  [typed]?: 'core.v1.ConfigMap';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  binaryData?: Record<string, Base64 | null>;
};

/** Names a ConfigMap whose keys become variables. */
export type ConfigMapEnvSource = {
  [typed]?: 'core.v1.ConfigMapEnvSource';
  name?: string;
  optional?: boolean;
};

/** Names one key of a ConfigMap. */
export type ConfigMapKeySelector = {
  [typed]?: 'core.v1.ConfigMapKeySelector';
  name?: string;
  key: string;
  optional?: boolean;
};

/** A list of objects of kind ConfigMap. */
export type ConfigMapList = {
  [typed]?: 'core.v1.ConfigMapList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ConfigMap[] | null;
};

/** Deprecated. A ConfigMap with a kubelet's configuration. */
export type ConfigMapNodeConfigSource = {
  [typed]?: 'core.v1.ConfigMapNodeConfigSource';
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
};

/** A ConfigMap in a projected volume. */
export type ConfigMapProjection = {
  [typed]?: 'core.v1.ConfigMapProjection';
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
};

/** A ConfigMap as a directory: each key is a file, which follows the ConfigMap's changes. */
export type ConfigMapVolumeSource = {
  [typed]?: 'core.v1.ConfigMapVolumeSource';
  name?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
};

/** One container of a pod: an image, how it is started, and what it may use. */
export type Container = {
  [typed]?: 'core.v1.Container';
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
};

/** Tells which device request stands for an extended resource of a container. */
export type ContainerExtendedResourceRequest = {
  [typed]?: 'core.v1.ContainerExtendedResourceRequest';
  containerName: string;
  resourceName: string;
  requestName: string;
};

/** An image that a node has. */
export type ContainerImage = {
  [typed]?: 'core.v1.ContainerImage';
  names: string[] | null;
  sizeBytes?: Int64;
};

/** A port that a container listens on. */
export type ContainerPort = {
  [typed]?: 'core.v1.ContainerPort';
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: string;
  hostIP?: string;
};

/** Whether a change of one resource restarts the container. */
export type ContainerResizePolicy = {
  [typed]?: 'core.v1.ContainerResizePolicy';
  resourceName: string;
  restartPolicy: string;
};

/** A rule for a container that exits in a certain way. */
export type ContainerRestartRule = {
  [typed]?: 'core.v1.ContainerRestartRule';
  action?: string;
  exitCodes?: ContainerRestartRuleOnExitCodes;
};

/** Selects exits by their code. */
export type ContainerRestartRuleOnExitCodes = {
  [typed]?: 'core.v1.ContainerRestartRuleOnExitCodes';
  operator?: string;
  values?: number[];
};

/** The state of a container: exactly one of the fields is set, and none means waiting. */
export type ContainerState = {
  [typed]?: 'core.v1.ContainerState';
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
};

/** A running container. */
export type ContainerStateRunning = {
  [typed]?: 'core.v1.ContainerStateRunning';
  startedAt: Time | null;
};

/** How a container ended. */
export type ContainerStateTerminated = {
  [typed]?: 'core.v1.ContainerStateTerminated';
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt: Time | null;
  finishedAt: Time | null;
  containerID?: string;
};

/** Why a container does not run yet. */
export type ContainerStateWaiting = {
  [typed]?: 'core.v1.ContainerStateWaiting';
  reason?: string;
  message?: string;
};

/** The last observed status of one container. */
export type ContainerStatus = {
  [typed]?: 'core.v1.ContainerStatus';
  name: string;
  state: ContainerState;
  lastState: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: Record<string, Quantity>;
  resources?: ResourceRequirements;
  volumeMounts?: VolumeMountStatus[];
  user?: ContainerUser;
  allocatedResourcesStatus?: ResourceStatus[];
  stopSignal?: string;
};

/** The identity of a container's first process. */
export type ContainerUser = {
  [typed]?: 'core.v1.ContainerUser';
  linux?: LinuxContainerUser;
};

/** The port of a daemon. */
export type DaemonEndpoint = {
  [typed]?: 'core.v1.DaemonEndpoint';
  Port: number;
};

/** Fields of the pod itself in a projected volume. */
export type DownwardAPIProjection = {
  [typed]?: 'core.v1.DownwardAPIProjection';
  items?: DownwardAPIVolumeFile[];
};

/** A file that shows a field of the pod. */
export type DownwardAPIVolumeFile = {
  [typed]?: 'core.v1.DownwardAPIVolumeFile';
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
};

/** Files of a volume that show what the API knows of the pod. */
export type DownwardAPIVolumeSource = {
  [typed]?: 'core.v1.DownwardAPIVolumeSource';
  items?: DownwardAPIVolumeFile[];
  defaultMode?: number;
};

/** An empty directory of a pod: its medium and its size. */
export type EmptyDirVolumeSource = {
  [typed]?: 'core.v1.EmptyDirVolumeSource';
  medium?: string;
  sizeLimit?: Quantity;
};

/** One address. */
export type EndpointAddress = {
  [typed]?: 'core.v1.EndpointAddress';
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
};

/** One port. */
export type EndpointPort = {
  [typed]?: 'core.v1.EndpointPort';
  name?: string;
  port: number;
  protocol?: string;
  appProtocol?: string;
};

/** Addresses that share ports. */
export type EndpointSubset = {
  [typed]?: 'core.v1.EndpointSubset';
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
};

/** The addresses behind a Service. Deprecated: EndpointSlice has taken its place. */
export type Endpoints = {
  [typed]?: 'core.v1.Endpoints';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  subsets?: EndpointSubset[];
};

/** A list of objects of kind Endpoints. */
export type EndpointsList = {
  [typed]?: 'core.v1.EndpointsList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Endpoints[] | null;
};

/** A ConfigMap or Secret whose keys become variables. */
export type EnvFromSource = {
  [typed]?: 'core.v1.EnvFromSource';
  prefix?: string;
  configMapRef?: ConfigMapEnvSource;
  secretRef?: SecretEnvSource;
};

/** One environment variable. */
export type EnvVar = {
  [typed]?: 'core.v1.EnvVar';
  name: string;
  value?: string;
  valueFrom?: EnvVarSource;
};

/** The source of a variable's value: exactly one of the fields. */
export type EnvVarSource = {
  [typed]?: 'core.v1.EnvVarSource';
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: ConfigMapKeySelector;
  secretKeyRef?: SecretKeySelector;
  fileKeyRef?: FileKeySelector;
};

/** A container added to a running pod to look into it. It is never restarted, moved or removed, and has no guarantee of resources. */
export type EphemeralContainer = {
  [typed]?: 'core.v1.EphemeralContainer';
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  targetContainerName?: string;
};

/** Fields that an ephemeral container shares with other containers, though it may not use all of them. */
export type EphemeralContainerCommon = {
  [typed]?: 'core.v1.EphemeralContainerCommon';
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
};

/** A volume with a claim of its own. */
export type EphemeralVolumeSource = {
  [typed]?: 'core.v1.EphemeralVolumeSource';
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
};

/** Something that happened to an object, for people to read. Events go after about an hour. */
export type Event = {
  [typed]?: 'core.v1.Event';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source: EventSource;
  firstTimestamp: Time | null;
  lastTimestamp: Time | null;
  count?: number;
  type?: string;
  eventTime: MicroTime | null;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent: string;
  reportingInstance: string;
};

/** A list of objects of kind Event. */
export type EventList = {
  [typed]?: 'core.v1.EventList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Event[] | null;
};

/** An event that repeats. */
export type EventSeries = {
  [typed]?: 'core.v1.EventSeries';
  count?: number;
  lastObservedTime: MicroTime | null;
};

/** The component that reported an event. */
export type EventSource = {
  [typed]?: 'core.v1.EventSource';
  component?: string;
  host?: string;
};

/** A command that runs inside a container. */
export type ExecAction = {
  [typed]?: 'core.v1.ExecAction';
  command?: string[];
};

/** A disk reached by Fibre Channel: by targetWWNs and lun, or by wwids. */
export type FCVolumeSource = {
  [typed]?: 'core.v1.FCVolumeSource';
  targetWWNs?: string[];
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: string[];
};

/** Names one variable of an env file in a volume. */
export type FileKeySelector = {
  [typed]?: 'core.v1.FileKeySelector';
  volumeName: string;
  path: string;
  key: string;
  optional?: boolean;
};

/** A persistent volume of a program that is installed on the nodes. */
export type FlexPersistentVolumeSource = {
  [typed]?: 'core.v1.FlexPersistentVolumeSource';
  driver: string;
  fsType?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
  options?: Record<string, string>;
};

/** A volume of a program that is installed on the nodes. */
export type FlexVolumeSource = {
  [typed]?: 'core.v1.FlexVolumeSource';
  driver: string;
  fsType?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
  options?: Record<string, string>;
};

/** A dataset of a Flocker agent. No longer supported. */
export type FlockerVolumeSource = {
  [typed]?: 'core.v1.FlockerVolumeSource';
  datasetName?: string;
  datasetUUID?: string;
};

/** A disk of Google Compute Engine, in the node's project and zone. */
export type GCEPersistentDiskVolumeSource = {
  [typed]?: 'core.v1.GCEPersistentDiskVolumeSource';
  pdName: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
};

/** Calls gRPC's health service. */
export type GRPCAction = {
  [typed]?: 'core.v1.GRPCAction';
  port: number;
  service: string | null;
};

/** A checkout of a git repository, made before the containers start. */
export type GitRepoVolumeSource = {
  [typed]?: 'core.v1.GitRepoVolumeSource';
  repository: string;
  revision?: string;
  directory?: string;
};

/** A Glusterfs volume as a persistent volume. No longer supported. */
export type GlusterfsPersistentVolumeSource = {
  [typed]?: 'core.v1.GlusterfsPersistentVolumeSource';
  endpoints: string;
  path: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
};

/** A mount of a Glusterfs file system. No longer supported. */
export type GlusterfsVolumeSource = {
  [typed]?: 'core.v1.GlusterfsVolumeSource';
  endpoints: string;
  path: string;
  readOnly?: boolean;
};

/** An HTTP GET request and where it goes. */
export type HTTPGetAction = {
  [typed]?: 'core.v1.HTTPGetAction';
  path?: string;
  port: IntOrString;
  host?: string;
  scheme?: string;
  httpHeaders?: HTTPHeader[];
};

/** One header of an HTTP request. */
export type HTTPHeader = {
  [typed]?: 'core.v1.HTTPHeader';
  name: string;
  value: string;
};

/** One line of /etc/hosts. */
export type HostAlias = {
  [typed]?: 'core.v1.HostAlias';
  ip: string;
  hostnames?: string[];
};

/** One address of a pod's node. */
export type HostIP = {
  [typed]?: 'core.v1.HostIP';
  ip: string;
};

/** A path of the node's file system. */
export type HostPathVolumeSource = {
  [typed]?: 'core.v1.HostPathVolumeSource';
  path: string;
  type?: string;
};

/** A disk reached by iSCSI as a persistent volume. */
export type ISCSIPersistentVolumeSource = {
  [typed]?: 'core.v1.ISCSIPersistentVolumeSource';
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: SecretReference;
  initiatorName?: string;
};

/** An iSCSI disk that one node mounts to write at a time. */
export type ISCSIVolumeSource = {
  [typed]?: 'core.v1.ISCSIVolumeSource';
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: LocalObjectReference;
  initiatorName?: string;
};

/** An image reference, and when the image is pulled. */
export type ImageVolumeSource = {
  [typed]?: 'core.v1.ImageVolumeSource';
  reference?: string;
  pullPolicy?: string;
};

/** The image of an image volume. */
export type ImageVolumeStatus = {
  [typed]?: 'core.v1.ImageVolumeStatus';
  imageRef?: string;
};

/** A key and the file that shows it. */
export type KeyToPath = {
  [typed]?: 'core.v1.KeyToPath';
  key: string;
  path: string;
  mode?: number;
};

/** Actions at the beginning and at the end of a container's life. */
export type Lifecycle = {
  [typed]?: 'core.v1.Lifecycle';
  postStart?: LifecycleHandler;
  preStop?: LifecycleHandler;
  stopSignal?: string;
};

/** One action of a container's life: exactly one of the fields. */
export type LifecycleHandler = {
  [typed]?: 'core.v1.LifecycleHandler';
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  sleep?: SleepAction;
};

/** Limits and defaults for what single objects of a namespace ask for. */
export type LimitRange = {
  [typed]?: 'core.v1.LimitRange';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: LimitRangeSpec;
};

/** Limits of one type of object. */
export type LimitRangeItem = {
  [typed]?: 'core.v1.LimitRangeItem';
  type: string;
  max?: Record<string, Quantity>;
  min?: Record<string, Quantity>;
  default?: Record<string, Quantity>;
  defaultRequest?: Record<string, Quantity>;
  maxLimitRequestRatio?: Record<string, Quantity>;
};

/** A list of objects of kind LimitRange. */
export type LimitRangeList = {
  [typed]?: 'core.v1.LimitRangeList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: LimitRange[] | null;
};

/** The limits of a LimitRange. */
export type LimitRangeSpec = {
  [typed]?: 'core.v1.LimitRangeSpec';
  limits: LimitRangeItem[] | null;
};

/** User and groups of a process on Linux. */
export type LinuxContainerUser = {
  [typed]?: 'core.v1.LinuxContainerUser';
  uid: Int64;
  gid: Int64;
  supplementalGroups?: Int64[];
};

/** One entrance of a load balancer. */
export type LoadBalancerIngress = {
  [typed]?: 'core.v1.LoadBalancerIngress';
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: PortStatus[];
};

/** A load balancer. */
export type LoadBalancerStatus = {
  [typed]?: 'core.v1.LoadBalancerStatus';
  ingress?: LoadBalancerIngress[];
};

/** Names an object of the same namespace. */
export type LocalObjectReference = {
  [typed]?: 'core.v1.LocalObjectReference';
  name?: string;
};

/** Storage of one node, which does not move. */
export type LocalVolumeSource = {
  [typed]?: 'core.v1.LocalVolumeSource';
  path: string;
  fsType?: string;
};

/** A change of a volume's attributes. */
export type ModifyVolumeStatus = {
  [typed]?: 'core.v1.ModifyVolumeStatus';
  targetVolumeAttributesClassName?: string;
  status: string;
};

/** An NFS share that lasts as long as its server keeps it. */
export type NFSVolumeSource = {
  [typed]?: 'core.v1.NFSVolumeSource';
  server: string;
  path: string;
  readOnly?: boolean;
};

/** A space for names, in which most objects live. */
export type Namespace = {
  [typed]?: 'core.v1.Namespace';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: NamespaceSpec;
  status: NamespaceStatus;
};

/** One aspect of a namespace's state, as last observed. */
export type NamespaceCondition = {
  [typed]?: 'core.v1.NamespaceCondition';
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind Namespace. */
export type NamespaceList = {
  [typed]?: 'core.v1.NamespaceList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Namespace[] | null;
};

/** The desired state of a namespace. */
export type NamespaceSpec = {
  [typed]?: 'core.v1.NamespaceSpec';
  finalizers?: string[];
};

/** The last observed status of a namespace. */
export type NamespaceStatus = {
  [typed]?: 'core.v1.NamespaceStatus';
  phase?: string;
  conditions?: NamespaceCondition[];
};

/** A machine that runs pods. */
export type Node = {
  [typed]?: 'core.v1.Node';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: NodeSpec;
  status: NodeStatus;
};

/** One name or address of a node. */
export type NodeAddress = {
  [typed]?: 'core.v1.NodeAddress';
  type: string;
  address: string;
};

/** The nodes that a pod needs or prefers. */
export type NodeAffinity = {
  [typed]?: 'core.v1.NodeAffinity';
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
};

/** The share that one claim takes of the node's own resources. */
export type NodeAllocatableResourceClaimStatus = {
  [typed]?: 'core.v1.NodeAllocatableResourceClaimStatus';
  resourceClaimName: string;
  containers?: string[];
  resources: Record<string, Quantity> | null;
};

/** One aspect of a node's state, as last observed. */
export type NodeCondition = {
  [typed]?: 'core.v1.NodeCondition';
  type: string;
  status: string;
  lastHeartbeatTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** Deprecated. A source of a kubelet's configuration. */
export type NodeConfigSource = {
  [typed]?: 'core.v1.NodeConfigSource';
  configMap?: ConfigMapNodeConfigSource;
};

/** Deprecated. Which configuration a kubelet uses. */
export type NodeConfigStatus = {
  [typed]?: 'core.v1.NodeConfigStatus';
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string;
};

/** The ports of daemons of a node. */
export type NodeDaemonEndpoints = {
  [typed]?: 'core.v1.NodeDaemonEndpoints';
  kubeletEndpoint: DaemonEndpoint;
};

/** Features of a node's container runtime, whatever the handler. */
export type NodeFeatures = {
  [typed]?: 'core.v1.NodeFeatures';
  supplementalGroupsPolicy?: boolean;
};

/** A list of objects of kind Node. */
export type NodeList = {
  [typed]?: 'core.v1.NodeList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Node[] | null;
};

/** Options of passing a request on to a node. */
export type NodeProxyOptions = {
  [typed]?: 'core.v1.NodeProxyOptions';
  kind?: string;
  apiVersion?: string;
  path?: string;
};

/** A handler of the container runtime. */
export type NodeRuntimeHandler = {
  [typed]?: 'core.v1.NodeRuntimeHandler';
  name: string;
  features?: NodeRuntimeHandlerFeatures;
};

/** Features of a handler of the container runtime. */
export type NodeRuntimeHandlerFeatures = {
  [typed]?: 'core.v1.NodeRuntimeHandlerFeatures';
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
};

/** Selects nodes: one of the terms must fit. */
export type NodeSelector = {
  [typed]?: 'core.v1.NodeSelector';
  nodeSelectorTerms: NodeSelectorTerm[] | null;
};

/** A condition on one label or field of a node. */
export type NodeSelectorRequirement = {
  [typed]?: 'core.v1.NodeSelectorRequirement';
  key: string;
  operator: string;
  values?: string[];
};

/** Selects nodes: all conditions must hold. An empty term selects none. */
export type NodeSelectorTerm = {
  [typed]?: 'core.v1.NodeSelectorTerm';
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
};

/** The desired state of a node. */
export type NodeSpec = {
  [typed]?: 'core.v1.NodeSpec';
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  configSource?: NodeConfigSource;
  externalID?: string;
};

/** The last observed status of a node. */
export type NodeStatus = {
  [typed]?: 'core.v1.NodeStatus';
  capacity?: Record<string, Quantity>;
  allocatable?: Record<string, Quantity>;
  phase?: string;
  conditions?: NodeCondition[];
  addresses?: NodeAddress[];
  daemonEndpoints: NodeDaemonEndpoints;
  nodeInfo: NodeSystemInfo;
  images?: ContainerImage[];
  volumesInUse?: string[];
  volumesAttached?: AttachedVolume[];
  config?: NodeConfigStatus;
  runtimeHandlers?: NodeRuntimeHandler[];
  features?: NodeFeatures;
  declaredFeatures?: string[];
};

/** A node's swap space. */
export type NodeSwapStatus = {
  [typed]?: 'core.v1.NodeSwapStatus';
  capacity?: Int64;
};

/** Ids and versions of a node's machine and software. */
export type NodeSystemInfo = {
  [typed]?: 'core.v1.NodeSystemInfo';
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion: string;
  operatingSystem: string;
  architecture: string;
  swap?: NodeSwapStatus;
};

/** Names a field of the pod. */
export type ObjectFieldSelector = {
  [typed]?: 'core.v1.ObjectFieldSelector';
  apiVersion?: string;
  fieldPath: string;
};

/** Names an object, or a part of one. */
export type ObjectReference = {
  [typed]?: 'core.v1.ObjectReference';
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
};

/** Storage of the cluster that outlives pods; a claim binds it. */
export type PersistentVolume = {
  [typed]?: 'core.v1.PersistentVolume';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: PersistentVolumeSpec;
  status: PersistentVolumeStatus;
};

/** Asks for storage; it is bound to a persistent volume that fits, or to one made for it. */
export type PersistentVolumeClaim = {
  [typed]?: 'core.v1.PersistentVolumeClaim';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
  status: PersistentVolumeClaimStatus;
};

/** One aspect of a claim's state, as last observed. */
export type PersistentVolumeClaimCondition = {
  [typed]?: 'core.v1.PersistentVolumeClaimCondition';
  type: string;
  status: string;
  lastProbeTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind PersistentVolumeClaim. */
export type PersistentVolumeClaimList = {
  [typed]?: 'core.v1.PersistentVolumeClaimList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: PersistentVolumeClaim[] | null;
};

/** The storage that is asked for. */
export type PersistentVolumeClaimSpec = {
  [typed]?: 'core.v1.PersistentVolumeClaimSpec';
  accessModes?: string[];
  selector?: LabelSelector;
  resources: VolumeResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  volumeAttributesClassName?: string;
};

/** The last observed status of a claim. */
export type PersistentVolumeClaimStatus = {
  [typed]?: 'core.v1.PersistentVolumeClaimStatus';
  phase?: string;
  accessModes?: string[];
  capacity?: Record<string, Quantity>;
  conditions?: PersistentVolumeClaimCondition[];
  allocatedResources?: Record<string, Quantity>;
  allocatedResourceStatuses?: Record<string, string>;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: ModifyVolumeStatus;
};

/** The metadata and spec of a pod's own claim. */
export type PersistentVolumeClaimTemplate = {
  [typed]?: 'core.v1.PersistentVolumeClaimTemplate';
  metadata: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
};

/** The volume that a claim is bound to. */
export type PersistentVolumeClaimVolumeSource = {
  [typed]?: 'core.v1.PersistentVolumeClaimVolumeSource';
  claimName: string;
  readOnly?: boolean;
};

/** A list of objects of kind PersistentVolume. */
export type PersistentVolumeList = {
  [typed]?: 'core.v1.PersistentVolumeList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: PersistentVolume[] | null;
};

/** The source of a persistent volume: exactly one of the fields. */
export type PersistentVolumeSource = {
  [typed]?: 'core.v1.PersistentVolumeSource';
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
};

/** The source of a persistent volume, and how it is used. */
export type PersistentVolumeSpec = {
  [typed]?: 'core.v1.PersistentVolumeSpec';
  capacity?: Record<string, Quantity>;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
  accessModes?: string[];
  claimRef?: ObjectReference;
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  mountOptions?: string[];
  volumeMode?: string;
  nodeAffinity?: VolumeNodeAffinity;
  volumeAttributesClassName?: string;
};

/** The last observed status of a persistent volume. */
export type PersistentVolumeStatus = {
  [typed]?: 'core.v1.PersistentVolumeStatus';
  phase?: string;
  message?: string;
  reason?: string;
  lastPhaseTransitionTime?: Time;
};

/** A persistent disk of Photon. No longer supported. */
export type PhotonPersistentDiskVolumeSource = {
  [typed]?: 'core.v1.PhotonPersistentDiskVolumeSource';
  pdID: string;
  fsType?: string;
};

/** Containers that run together on one node and share its network and volumes. The smallest thing that is scheduled. */
export type Pod = {
  [typed]?: 'core.v1.Pod';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: PodSpec;
  status: PodStatus;
};

/** Near which other pods a pod must or should run. */
export type PodAffinity = {
  [typed]?: 'core.v1.PodAffinity';
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
};

/** Other pods, and what near means: on nodes with the same value of a label. */
export type PodAffinityTerm = {
  [typed]?: 'core.v1.PodAffinityTerm';
  labelSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
};

/** Away from which other pods a pod must or should run. */
export type PodAntiAffinity = {
  [typed]?: 'core.v1.PodAntiAffinity';
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
};

/** Options of attaching to a container. */
export type PodAttachOptions = {
  [typed]?: 'core.v1.PodAttachOptions';
  kind?: string;
  apiVersion?: string;
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
};

/** A private key of the pod and a certificate that a signer gives it. */
export type PodCertificateProjection = {
  [typed]?: 'core.v1.PodCertificateProjection';
  signerName?: string;
  keyType?: string;
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: Record<string, string>;
};

/** One aspect of a pod's state, as last observed. */
export type PodCondition = {
  [typed]?: 'core.v1.PodCondition';
  type: string;
  observedGeneration?: Int64;
  status: string;
  lastProbeTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** DNS settings that are added to those of the DNS policy. */
export type PodDNSConfig = {
  [typed]?: 'core.v1.PodDNSConfig';
  nameservers?: string[];
  searches?: string[];
  options?: PodDNSConfigOption[];
};

/** One option of the resolver. */
export type PodDNSConfigOption = {
  [typed]?: 'core.v1.PodDNSConfigOption';
  name?: string;
  value?: string;
};

/** Options of running a command in a container. */
export type PodExecOptions = {
  [typed]?: 'core.v1.PodExecOptions';
  kind?: string;
  apiVersion?: string;
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
  command: string[] | null;
};

/** The claim that stands for a pod's extended resources. */
export type PodExtendedResourceClaimStatus = {
  [typed]?: 'core.v1.PodExtendedResourceClaimStatus';
  requestMappings: ContainerExtendedResourceRequest[] | null;
  resourceClaimName: string;
};

/** One address of a pod. */
export type PodIP = {
  [typed]?: 'core.v1.PodIP';
  ip: string;
};

/** A list of objects of kind Pod. */
export type PodList = {
  [typed]?: 'core.v1.PodList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Pod[] | null;
};

/** Options of reading a container's log. */
export type PodLogOptions = {
  [typed]?: 'core.v1.PodLogOptions';
  kind?: string;
  apiVersion?: string;
  container?: string;
  follow?: boolean;
  previous?: boolean;
  sinceSeconds?: Int64;
  sinceTime?: Time;
  timestamps?: boolean;
  tailLines?: Int64;
  limitBytes?: Int64;
  insecureSkipTLSVerifyBackend?: boolean;
  stream?: string;
};

/** An operating system. */
export type PodOS = {
  [typed]?: 'core.v1.PodOS';
  name: string;
};

/** Options of forwarding connections to a pod. */
export type PodPortForwardOptions = {
  [typed]?: 'core.v1.PodPortForwardOptions';
  kind?: string;
  apiVersion?: string;
  ports?: number[];
};

/** Options of passing a request on to a pod. */
export type PodProxyOptions = {
  [typed]?: 'core.v1.PodProxyOptions';
  kind?: string;
  apiVersion?: string;
  path?: string;
};

/** A condition that a pod's readiness waits for. */
export type PodReadinessGate = {
  [typed]?: 'core.v1.PodReadinessGate';
  conditionType: string;
};

/** A claim of devices under a name of the pod's own; exactly one source is set. */
export type PodResourceClaim = {
  [typed]?: 'core.v1.PodResourceClaim';
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
};

/** The claim that was made for one entry of spec.resourceClaims. */
export type PodResourceClaimStatus = {
  [typed]?: 'core.v1.PodResourceClaimStatus';
  name: string;
  resourceClaimName?: string;
};

/** Something that holds a pod's scheduling back. */
export type PodSchedulingGate = {
  [typed]?: 'core.v1.PodSchedulingGate';
  name: string;
};

/** The group that a pod is scheduled with. */
export type PodSchedulingGroup = {
  [typed]?: 'core.v1.PodSchedulingGroup';
  podGroupName?: string;
};

/** Rights of all containers of a pod, unless one says otherwise, and settings of the pod as a whole. */
export type PodSecurityContext = {
  [typed]?: 'core.v1.PodSecurityContext';
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  supplementalGroups?: Int64[];
  supplementalGroupsPolicy?: string;
  fsGroup?: Int64;
  sysctls?: Sysctl[];
  fsGroupChangePolicy?: string;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
  seLinuxChangePolicy?: string;
};

/** The containers of a pod, the nodes they fit, and their rights. */
export type PodSpec = {
  [typed]?: 'core.v1.PodSpec';
  volumes?: Volume[];
  initContainers?: Container[];
  containers: Container[] | null;
  ephemeralContainers?: EphemeralContainer[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: Int64;
  activeDeadlineSeconds?: Int64;
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: LocalObjectReference[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: HostAlias[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: PodDNSConfig;
  readinessGates?: PodReadinessGate[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: string;
  overhead?: Record<string, Quantity>;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: PodOS;
  hostUsers?: boolean;
  schedulingGates?: PodSchedulingGate[];
  resourceClaims?: PodResourceClaim[];
  resources?: ResourceRequirements;
  hostnameOverride?: string;
  schedulingGroup?: PodSchedulingGroup;
};

/** The last observed status of a pod. */
export type PodStatus = {
  [typed]?: 'core.v1.PodStatus';
  observedGeneration?: Int64;
  phase?: string;
  conditions?: PodCondition[];
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: HostIP[];
  podIP?: string;
  podIPs?: PodIP[];
  startTime?: Time;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  qosClass?: string;
  ephemeralContainerStatuses?: ContainerStatus[];
  resize?: string;
  resourceClaimStatuses?: PodResourceClaimStatus[];
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  allocatedResources?: Record<string, Quantity>;
  resources?: ResourceRequirements;
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[];
};

/** A pod's status as the node reports it. */
export type PodStatusResult = {
  [typed]?: 'core.v1.PodStatusResult';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  status: PodStatus;
};

/** A kept description of pods, for others to copy. */
export type PodTemplate = {
  [typed]?: 'core.v1.PodTemplate';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  template: PodTemplateSpec;
};

/** A list of objects of kind PodTemplate. */
export type PodTemplateList = {
  [typed]?: 'core.v1.PodTemplateList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: PodTemplate[] | null;
};

/** The metadata and spec of pods that are made from this. */
export type PodTemplateSpec = {
  [typed]?: 'core.v1.PodTemplateSpec';
  metadata: ObjectMeta;
  spec: PodSpec;
};

/** One port of a load balancer. */
export type PortStatus = {
  [typed]?: 'core.v1.PortStatus';
  port: number;
  protocol: string;
  error?: string;
};

/** A Portworx volume. */
export type PortworxVolumeSource = {
  [typed]?: 'core.v1.PortworxVolumeSource';
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
};

/** A preference for nodes, with its weight. An empty one fits every node and counts nothing. */
export type PreferredSchedulingTerm = {
  [typed]?: 'core.v1.PreferredSchedulingTerm';
  weight: number;
  preference: NodeSelectorTerm;
};

/** How and how often a container is checked. */
export type Probe = {
  [typed]?: 'core.v1.Probe';
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: Int64;
};

/** One way to check a container: exactly one of the fields. */
export type ProbeHandler = {
  [typed]?: 'core.v1.ProbeHandler';
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
};

/** Several sources in one directory. */
export type ProjectedVolumeSource = {
  [typed]?: 'core.v1.ProjectedVolumeSource';
  sources: VolumeProjection[] | null;
  defaultMode?: number;
};

/** A mount of a Quobyte file system. No longer supported. */
export type QuobyteVolumeSource = {
  [typed]?: 'core.v1.QuobyteVolumeSource';
  registry: string;
  volume: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
};

/** A Rados block device of Ceph as a persistent volume. No longer supported. */
export type RBDPersistentVolumeSource = {
  [typed]?: 'core.v1.RBDPersistentVolumeSource';
  monitors: string[] | null;
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
};

/** A mount of a Rados block device. No longer supported. */
export type RBDVolumeSource = {
  [typed]?: 'core.v1.RBDVolumeSource';
  monitors: string[] | null;
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
};

/** A range of numbers or addresses and which of them are taken; for storage only. */
export type RangeAllocation = {
  [typed]?: 'core.v1.RangeAllocation';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  range: string;
  data: Base64 | null;
};

/** Keeps a number of equal pods. Deployments have taken its place. */
export type ReplicationController = {
  [typed]?: 'core.v1.ReplicationController';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ReplicationControllerSpec;
  status: ReplicationControllerStatus;
};

/** One aspect of a ReplicationController's state, as last observed. */
export type ReplicationControllerCondition = {
  [typed]?: 'core.v1.ReplicationControllerCondition';
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind ReplicationController. */
export type ReplicationControllerList = {
  [typed]?: 'core.v1.ReplicationControllerList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ReplicationController[] | null;
};

/** How many pods of what kind are wanted. */
export type ReplicationControllerSpec = {
  [typed]?: 'core.v1.ReplicationControllerSpec';
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec;
};

/** The last observed status of a ReplicationController. */
export type ReplicationControllerStatus = {
  [typed]?: 'core.v1.ReplicationControllerStatus';
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: Int64;
  conditions?: ReplicationControllerCondition[];
};

/** Names a claim of the pod that a container uses. */
export type ResourceClaim = {
  [typed]?: 'core.v1.ResourceClaim';
  name: string;
  request?: string;
};

/** Names a request or limit of a container. */
export type ResourceFieldSelector = {
  [typed]?: 'core.v1.ResourceFieldSelector';
  containerName?: string;
  resource: string;
  divisor: Quantity;
};

/** The health of one device or other resource. */
export type ResourceHealth = {
  [typed]?: 'core.v1.ResourceHealth';
  resourceID: string;
  health?: string;
  message?: string;
};

/** Limits what all objects of a namespace use together. */
export type ResourceQuota = {
  [typed]?: 'core.v1.ResourceQuota';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ResourceQuotaSpec;
  status: ResourceQuotaStatus;
};

/** A list of objects of kind ResourceQuota. */
export type ResourceQuotaList = {
  [typed]?: 'core.v1.ResourceQuotaList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ResourceQuota[] | null;
};

/** The limits of a ResourceQuota. */
export type ResourceQuotaSpec = {
  [typed]?: 'core.v1.ResourceQuotaSpec';
  hard?: Record<string, Quantity>;
  scopes?: string[];
  scopeSelector?: ScopeSelector;
};

/** Limits that are enforced, and what is used. */
export type ResourceQuotaStatus = {
  [typed]?: 'core.v1.ResourceQuotaStatus';
  hard?: Record<string, Quantity>;
  used?: Record<string, Quantity>;
};

/** How much of each resource is asked for and allowed. */
export type ResourceRequirements = {
  [typed]?: 'core.v1.ResourceRequirements';
  limits?: Record<string, Quantity>;
  requests?: Record<string, Quantity>;
  claims?: ResourceClaim[];
};

/** The health of what a container was given under one name. */
export type ResourceStatus = {
  [typed]?: 'core.v1.ResourceStatus';
  name: string;
  resources?: ResourceHealth[];
};

/** SELinux labels of a container's processes. */
export type SELinuxOptions = {
  [typed]?: 'core.v1.SELinuxOptions';
  user?: string;
  role?: string;
  type?: string;
  level?: string;
};

/** A ScaleIO volume as a persistent volume. No longer supported. */
export type ScaleIOPersistentVolumeSource = {
  [typed]?: 'core.v1.ScaleIOPersistentVolumeSource';
  gateway: string;
  system: string;
  secretRef: SecretReference | null;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
};

/** A persistent volume of ScaleIO. No longer supported. */
export type ScaleIOVolumeSource = {
  [typed]?: 'core.v1.ScaleIOVolumeSource';
  gateway: string;
  system: string;
  secretRef: LocalObjectReference | null;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
};

/** Selects objects by scope: all conditions must hold. */
export type ScopeSelector = {
  [typed]?: 'core.v1.ScopeSelector';
  matchExpressions?: ScopedResourceSelectorRequirement[];
};

/** A condition on one scope. */
export type ScopedResourceSelectorRequirement = {
  [typed]?: 'core.v1.ScopedResourceSelectorRequirement';
  scopeName: string;
  operator: string;
  values?: string[];
};

/** The system calls that a container may make. */
export type SeccompProfile = {
  [typed]?: 'core.v1.SeccompProfile';
  type: string;
  localhostProfile?: string;
};

/** Secret data that pods read as files or variables. At most 1 MiB. */
export type Secret = {
  [typed]?: 'core.v1.Secret';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  immutable?: boolean;
  data?: Record<string, Base64 | null>;
  stringData?: Record<string, string>;
  type?: string;
};

/** Names a Secret whose keys become variables. */
export type SecretEnvSource = {
  [typed]?: 'core.v1.SecretEnvSource';
  name?: string;
  optional?: boolean;
};

/** Names one key of a Secret. */
export type SecretKeySelector = {
  [typed]?: 'core.v1.SecretKeySelector';
  name?: string;
  key: string;
  optional?: boolean;
};

/** A list of objects of kind Secret. */
export type SecretList = {
  [typed]?: 'core.v1.SecretList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Secret[] | null;
};

/** A Secret in a projected volume. */
export type SecretProjection = {
  [typed]?: 'core.v1.SecretProjection';
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
};

/** Names a Secret, also in another namespace. */
export type SecretReference = {
  [typed]?: 'core.v1.SecretReference';
  name?: string;
  namespace?: string;
};

/** A Secret as a directory: each key is a file in memory, which follows the Secret's changes. */
export type SecretVolumeSource = {
  [typed]?: 'core.v1.SecretVolumeSource';
  secretName?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
};

/** The rights of one container. What is set here wins over the pod's. */
export type SecurityContext = {
  [typed]?: 'core.v1.SecurityContext';
  capabilities?: Capabilities;
  privileged?: boolean;
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: string;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
};

/** A reference as a text of its own. */
export type SerializedReference = {
  [typed]?: 'core.v1.SerializedReference';
  kind?: string;
  apiVersion?: string;
  reference: ObjectReference;
};

/** A name and an address for a set of pods, which stay while pods come and go. */
export type Service = {
  [typed]?: 'core.v1.Service';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ServiceSpec;
  status: ServiceStatus;
};

/** An identity for programs, in pods above all. */
export type ServiceAccount = {
  [typed]?: 'core.v1.ServiceAccount';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  secrets?: ObjectReference[];
  imagePullSecrets?: LocalObjectReference[];
  automountServiceAccountToken?: boolean;
};

/** A list of objects of kind ServiceAccount. */
export type ServiceAccountList = {
  [typed]?: 'core.v1.ServiceAccountList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ServiceAccount[] | null;
};

/** A token of the pod's service account, renewed before it expires. */
export type ServiceAccountTokenProjection = {
  [typed]?: 'core.v1.ServiceAccountTokenProjection';
  audience?: string;
  expirationSeconds?: Int64;
  path: string;
};

/** A list of objects of kind Service. */
export type ServiceList = {
  [typed]?: 'core.v1.ServiceList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Service[] | null;
};

/** One port of a Service. */
export type ServicePort = {
  [typed]?: 'core.v1.ServicePort';
  name?: string;
  protocol?: string;
  appProtocol?: string;
  port: number;
  targetPort: IntOrString;
  nodePort?: number;
};

/** Options of passing a request on to a Service. */
export type ServiceProxyOptions = {
  [typed]?: 'core.v1.ServiceProxyOptions';
  kind?: string;
  apiVersion?: string;
  path?: string;
};

/** The pods that a Service leads to, on which ports, and from where. */
export type ServiceSpec = {
  [typed]?: 'core.v1.ServiceSpec';
  ports?: ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  type?: string;
  externalIPs?: string[];
  sessionAffinity?: string;
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  externalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: SessionAffinityConfig;
  ipFamilies?: string[];
  ipFamilyPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: string;
  trafficDistribution?: string;
};

/** The last observed status of a Service. */
export type ServiceStatus = {
  [typed]?: 'core.v1.ServiceStatus';
  loadBalancer: LoadBalancerStatus;
  conditions?: Condition[];
};

/** Settings of session affinity. */
export type SessionAffinityConfig = {
  [typed]?: 'core.v1.SessionAffinityConfig';
  clientIP?: ClientIPConfig;
};

/** Waits. */
export type SleepAction = {
  [typed]?: 'core.v1.SleepAction';
  seconds: Int64;
};

/** A StorageOS volume as a persistent volume. No longer supported. */
export type StorageOSPersistentVolumeSource = {
  [typed]?: 'core.v1.StorageOSPersistentVolumeSource';
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: ObjectReference;
};

/** A persistent volume of StorageOS. No longer supported. */
export type StorageOSVolumeSource = {
  [typed]?: 'core.v1.StorageOSVolumeSource';
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
};

/** A kernel parameter. */
export type Sysctl = {
  [typed]?: 'core.v1.Sysctl';
  name: string;
  value: string;
};

/** Opens a TCP connection. */
export type TCPSocketAction = {
  [typed]?: 'core.v1.TCPSocketAction';
  port: IntOrString;
  host?: string;
};

/** Keeps away pods that do not tolerate it. */
export type Taint = {
  [typed]?: 'core.v1.Taint';
  key: string;
  value?: string;
  effect: string;
  timeAdded?: Time;
};

/** Lets a pod onto nodes with the taints that it fits. */
export type Toleration = {
  [typed]?: 'core.v1.Toleration';
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: Int64;
};

/** A condition on one node label. */
export type TopologySelectorLabelRequirement = {
  [typed]?: 'core.v1.TopologySelectorLabelRequirement';
  key: string;
  values: string[] | null;
};

/** Selects places for volumes: all conditions must hold. */
export type TopologySelectorTerm = {
  [typed]?: 'core.v1.TopologySelectorTerm';
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
};

/** How evenly pods are spread over the values of a node label. */
export type TopologySpreadConstraint = {
  [typed]?: 'core.v1.TopologySpreadConstraint';
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: string;
  labelSelector?: LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
};

/** Names an object of the same namespace. */
export type TypedLocalObjectReference = {
  [typed]?: 'core.v1.TypedLocalObjectReference';
  apiGroup: string | null;
  kind: string;
  name: string;
};

/** Names an object, also in another namespace. */
export type TypedObjectReference = {
  [typed]?: 'core.v1.TypedObjectReference';
  apiGroup: string | null;
  kind: string;
  name: string;
  namespace?: string;
};

/** A volume that the pod's containers can mount. */
export type Volume = {
  [typed]?: 'core.v1.Volume';
  name: string;
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
};

/** A block volume in a container. */
export type VolumeDevice = {
  [typed]?: 'core.v1.VolumeDevice';
  name: string;
  devicePath: string;
};

/** A volume in a container's file system. */
export type VolumeMount = {
  [typed]?: 'core.v1.VolumeMount';
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath: string;
  subPath?: string;
  mountPropagation?: string;
  subPathExpr?: string;
};

/** A mount as it was made. */
export type VolumeMountStatus = {
  [typed]?: 'core.v1.VolumeMountStatus';
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  volumeStatus?: VolumeStatus;
};

/** The nodes that can reach a volume. */
export type VolumeNodeAffinity = {
  [typed]?: 'core.v1.VolumeNodeAffinity';
  required?: NodeSelector;
};

/** One source of a projected volume: exactly one of the fields. */
export type VolumeProjection = {
  [typed]?: 'core.v1.VolumeProjection';
  secret?: SecretProjection;
  downwardAPI?: DownwardAPIProjection;
  configMap?: ConfigMapProjection;
  serviceAccountToken?: ServiceAccountTokenProjection;
  clusterTrustBundle?: ClusterTrustBundleProjection;
  podCertificate?: PodCertificateProjection;
};

/** How much storage is asked for and allowed. */
export type VolumeResourceRequirements = {
  [typed]?: 'core.v1.VolumeResourceRequirements';
  limits?: Record<string, Quantity>;
  requests?: Record<string, Quantity>;
};

/** The source of a volume of a pod: exactly one of the fields. */
export type VolumeSource = {
  [typed]?: 'core.v1.VolumeSource';
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
};

/** The state of a mounted volume. */
export type VolumeStatus = {
  [typed]?: 'core.v1.VolumeStatus';
  image?: ImageVolumeStatus;
};

/** A disk of vSphere. */
export type VsphereVirtualDiskVolumeSource = {
  [typed]?: 'core.v1.VsphereVirtualDiskVolumeSource';
  volumePath: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
};

/** A term with its weight. */
export type WeightedPodAffinityTerm = {
  [typed]?: 'core.v1.WeightedPodAffinityTerm';
  weight: number;
  podAffinityTerm: PodAffinityTerm;
};

/** Rights of containers on Windows. */
export type WindowsSecurityContextOptions = {
  [typed]?: 'core.v1.WindowsSecurityContextOptions';
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
};
