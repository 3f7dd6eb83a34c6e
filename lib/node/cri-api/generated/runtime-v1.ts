// Written by `npm run generate:grpc`.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

export const Protocol = { TCP: 0, UDP: 1, SCTP: 2, UNRECOGNIZED: -1 } as const;

export type Protocol = typeof Protocol[keyof typeof Protocol];

export const MountPropagation = {
  PROPAGATION_PRIVATE: 0,
  PROPAGATION_HOST_TO_CONTAINER: 1,
  PROPAGATION_BIDIRECTIONAL: 2,
  UNRECOGNIZED: -1,
} as const;

export type MountPropagation = typeof MountPropagation[keyof typeof MountPropagation];

export const NamespaceMode = {
  POD: 0,
  CONTAINER: 1,
  NODE: 2,
  TARGET: 3,
  UNRECOGNIZED: -1,
} as const;

export type NamespaceMode = typeof NamespaceMode[keyof typeof NamespaceMode];

export const SupplementalGroupsPolicy = {
  Merge: 0,
  Strict: 1,
  UNRECOGNIZED: -1,
} as const;

export type SupplementalGroupsPolicy = typeof SupplementalGroupsPolicy[keyof typeof SupplementalGroupsPolicy];

export const PodSandboxState = { SANDBOX_READY: 0, SANDBOX_NOTREADY: 1, UNRECOGNIZED: -1 } as const;

export type PodSandboxState = typeof PodSandboxState[keyof typeof PodSandboxState];

export const Signal = {
  RUNTIME_DEFAULT: 0,
  SIGABRT: 1,
  SIGALRM: 2,
  SIGBUS: 3,
  SIGCHLD: 4,
  SIGCLD: 5,
  SIGCONT: 6,
  SIGFPE: 7,
  SIGHUP: 8,
  SIGILL: 9,
  SIGINT: 10,
  SIGIO: 11,
  SIGIOT: 12,
  SIGKILL: 13,
  SIGPIPE: 14,
  SIGPOLL: 15,
  SIGPROF: 16,
  SIGPWR: 17,
  SIGQUIT: 18,
  SIGSEGV: 19,
  SIGSTKFLT: 20,
  SIGSTOP: 21,
  SIGSYS: 22,
  SIGTERM: 23,
  SIGTRAP: 24,
  SIGTSTP: 25,
  SIGTTIN: 26,
  SIGTTOU: 27,
  SIGURG: 28,
  SIGUSR1: 29,
  SIGUSR2: 30,
  SIGVTALRM: 31,
  SIGWINCH: 32,
  SIGXCPU: 33,
  SIGXFSZ: 34,
  SIGRTMIN: 35,
  SIGRTMINPLUS1: 36,
  SIGRTMINPLUS2: 37,
  SIGRTMINPLUS3: 38,
  SIGRTMINPLUS4: 39,
  SIGRTMINPLUS5: 40,
  SIGRTMINPLUS6: 41,
  SIGRTMINPLUS7: 42,
  SIGRTMINPLUS8: 43,
  SIGRTMINPLUS9: 44,
  SIGRTMINPLUS10: 45,
  SIGRTMINPLUS11: 46,
  SIGRTMINPLUS12: 47,
  SIGRTMINPLUS13: 48,
  SIGRTMINPLUS14: 49,
  SIGRTMINPLUS15: 50,
  SIGRTMAXMINUS14: 51,
  SIGRTMAXMINUS13: 52,
  SIGRTMAXMINUS12: 53,
  SIGRTMAXMINUS11: 54,
  SIGRTMAXMINUS10: 55,
  SIGRTMAXMINUS9: 56,
  SIGRTMAXMINUS8: 57,
  SIGRTMAXMINUS7: 58,
  SIGRTMAXMINUS6: 59,
  SIGRTMAXMINUS5: 60,
  SIGRTMAXMINUS4: 61,
  SIGRTMAXMINUS3: 62,
  SIGRTMAXMINUS2: 63,
  SIGRTMAXMINUS1: 64,
  SIGRTMAX: 65,
  UNRECOGNIZED: -1,
} as const;

export type Signal = typeof Signal[keyof typeof Signal];

export const ContainerState = {
  CONTAINER_CREATED: 0,
  CONTAINER_RUNNING: 1,
  CONTAINER_EXITED: 2,
  CONTAINER_UNKNOWN: 3,
  UNRECOGNIZED: -1,
} as const;

export type ContainerState = typeof ContainerState[keyof typeof ContainerState];

export const ContainerEventType = {
  CONTAINER_CREATED_EVENT: 0,
  CONTAINER_STARTED_EVENT: 1,
  CONTAINER_STOPPED_EVENT: 2,
  CONTAINER_DELETED_EVENT: 3,
  UNRECOGNIZED: -1,
} as const;

export type ContainerEventType = typeof ContainerEventType[keyof typeof ContainerEventType];

export const MetricType = { COUNTER: 0, GAUGE: 1, UNRECOGNIZED: -1 } as const;

export type MetricType = typeof MetricType[keyof typeof MetricType];

export const CgroupDriver = { SYSTEMD: 0, CGROUPFS: 1, UNRECOGNIZED: -1 } as const;

export type CgroupDriver = typeof CgroupDriver[keyof typeof CgroupDriver];

export interface VersionRequest {
  version: string;
}

export interface VersionResponse {
  version: string;
  runtimeName: string;
  runtimeVersion: string;
  runtimeApiVersion: string;
}

export interface DNSConfig {
  servers: string[];
  searches: string[];
  options: string[];
}

export interface PortMapping {
  protocol: Protocol;
  containerPort: number;
  hostPort: number;
  hostIp: string;
}

export interface Mount {
  containerPath: string;
  hostPath: string;
  readonly: boolean;
  selinuxRelabel: boolean;
  propagation: MountPropagation;
  uidMappings: IDMapping[];
  gidMappings: IDMapping[];
  recursiveReadOnly: boolean;
  image:
    | ImageSpec
    | undefined;
  imageSubPath: string;
}

export interface IDMapping {
  hostId: number;
  containerId: number;
  length: number;
}

export interface UserNamespace {
  mode: NamespaceMode;
  uids: IDMapping[];
  gids: IDMapping[];
}

export interface NamespaceOption {
  network: NamespaceMode;
  pid: NamespaceMode;
  ipc: NamespaceMode;
  targetId: string;
  usernsOptions: UserNamespace | undefined;
}

export interface Int64Value {
  value: bigint;
}

export interface LinuxSandboxSecurityContext {
  namespaceOptions:
    | NamespaceOption
    | undefined;
  selinuxOptions:
    | SELinuxOption
    | undefined;
  runAsUser:
    | Int64Value
    | undefined;
  runAsGroup:
    | Int64Value
    | undefined;
  readonlyRootfs: boolean;
  supplementalGroups: bigint[];
  supplementalGroupsPolicy: SupplementalGroupsPolicy;
  privileged: boolean;
  seccomp:
    | SecurityProfile
    | undefined;
  apparmor:
    | SecurityProfile
    | undefined;
  seccompProfilePath: string;
}

export interface SecurityProfile {
  profileType: SecurityProfile_ProfileType;
  localhostRef: string;
}

export const SecurityProfile_ProfileType = {
  RuntimeDefault: 0,
  Unconfined: 1,
  Localhost: 2,
  UNRECOGNIZED: -1,
} as const;

export type SecurityProfile_ProfileType = typeof SecurityProfile_ProfileType[keyof typeof SecurityProfile_ProfileType];

export interface LinuxPodSandboxConfig {
  cgroupParent: string;
  securityContext:
    | LinuxSandboxSecurityContext
    | undefined;
  sysctls: { [key: string]: string };
  overhead:
    | LinuxContainerResources
    | undefined;
  resources: LinuxContainerResources | undefined;
}

export interface LinuxPodSandboxConfig_SysctlsEntry {
  key: string;
  value: string;
}

export interface PodSandboxMetadata {
  name: string;
  uid: string;
  namespace: string;
  attempt: number;
}

export interface PodSandboxConfig {
  metadata:
    | PodSandboxMetadata
    | undefined;
  hostname: string;
  logDirectory: string;
  dnsConfig:
    | DNSConfig
    | undefined;
  portMappings: PortMapping[];
  labels: { [key: string]: string };
  annotations: { [key: string]: string };
  linux:
    | LinuxPodSandboxConfig
    | undefined;
  windows: WindowsPodSandboxConfig | undefined;
}

export interface PodSandboxConfig_LabelsEntry {
  key: string;
  value: string;
}

export interface PodSandboxConfig_AnnotationsEntry {
  key: string;
  value: string;
}

export interface RunPodSandboxRequest {
  config:
    | PodSandboxConfig
    | undefined;
  runtimeHandler: string;
}

export interface RunPodSandboxResponse {
  podSandboxId: string;
}

export interface StopPodSandboxRequest {
  podSandboxId: string;
}

export interface StopPodSandboxResponse {
}

export interface RemovePodSandboxRequest {
  podSandboxId: string;
}

export interface RemovePodSandboxResponse {
}

export interface PodSandboxStatusRequest {
  podSandboxId: string;
  verbose: boolean;
}

export interface PodIP {
  ip: string;
}

export interface PodSandboxNetworkStatus {
  ip: string;
  additionalIps: PodIP[];
}

export interface Namespace {
  options: NamespaceOption | undefined;
}

export interface LinuxPodSandboxStatus {
  namespaces: Namespace | undefined;
}

export interface PodSandboxStatus {
  id: string;
  metadata:
    | PodSandboxMetadata
    | undefined;
  state: PodSandboxState;
  createdAt: bigint;
  network:
    | PodSandboxNetworkStatus
    | undefined;
  linux:
    | LinuxPodSandboxStatus
    | undefined;
  labels: { [key: string]: string };
  annotations: { [key: string]: string };
  runtimeHandler: string;
}

export interface PodSandboxStatus_LabelsEntry {
  key: string;
  value: string;
}

export interface PodSandboxStatus_AnnotationsEntry {
  key: string;
  value: string;
}

export interface PodSandboxStatusResponse {
  status:
    | PodSandboxStatus
    | undefined;
  info: { [key: string]: string };
  containersStatuses: ContainerStatus[];
  timestamp: bigint;
}

export interface PodSandboxStatusResponse_InfoEntry {
  key: string;
  value: string;
}

export interface PodSandboxStateValue {
  state: PodSandboxState;
}

export interface PodSandboxFilter {
  id: string;
  state:
    | PodSandboxStateValue
    | undefined;
  labelSelector: { [key: string]: string };
}

export interface PodSandboxFilter_LabelSelectorEntry {
  key: string;
  value: string;
}

export interface ListPodSandboxRequest {
  filter: PodSandboxFilter | undefined;
}

export interface PodSandbox {
  id: string;
  metadata:
    | PodSandboxMetadata
    | undefined;
  state: PodSandboxState;
  createdAt: bigint;
  labels: { [key: string]: string };
  annotations: { [key: string]: string };
  runtimeHandler: string;
}

export interface PodSandbox_LabelsEntry {
  key: string;
  value: string;
}

export interface PodSandbox_AnnotationsEntry {
  key: string;
  value: string;
}

export interface ListPodSandboxResponse {
  items: PodSandbox[];
}

export interface StreamPodSandboxesRequest {
  filter: PodSandboxFilter | undefined;
}

export interface StreamPodSandboxesResponse {
  podSandboxes: PodSandbox[];
}

export interface PodSandboxStatsRequest {
  podSandboxId: string;
}

export interface PodSandboxStatsResponse {
  stats: PodSandboxStats | undefined;
}

export interface PodSandboxStatsFilter {
  id: string;
  labelSelector: { [key: string]: string };
}

export interface PodSandboxStatsFilter_LabelSelectorEntry {
  key: string;
  value: string;
}

export interface ListPodSandboxStatsRequest {
  filter: PodSandboxStatsFilter | undefined;
}

export interface ListPodSandboxStatsResponse {
  stats: PodSandboxStats[];
}

export interface StreamPodSandboxStatsRequest {
  filter: PodSandboxStatsFilter | undefined;
}

export interface StreamPodSandboxStatsResponse {
  podSandboxStats: PodSandboxStats[];
}

export interface PodSandboxAttributes {
  id: string;
  metadata:
    | PodSandboxMetadata
    | undefined;
  labels: { [key: string]: string };
  annotations: { [key: string]: string };
}

export interface PodSandboxAttributes_LabelsEntry {
  key: string;
  value: string;
}

export interface PodSandboxAttributes_AnnotationsEntry {
  key: string;
  value: string;
}

export interface PodSandboxStats {
  attributes:
    | PodSandboxAttributes
    | undefined;
  linux:
    | LinuxPodSandboxStats
    | undefined;
  windows: WindowsPodSandboxStats | undefined;
}

export interface LinuxPodSandboxStats {
  cpu:
    | CpuUsage
    | undefined;
  memory:
    | MemoryUsage
    | undefined;
  network:
    | NetworkUsage
    | undefined;
  process:
    | ProcessUsage
    | undefined;
  containers: ContainerStats[];
  io: IoUsage | undefined;
}

export interface WindowsPodSandboxStats {
  cpu:
    | WindowsCpuUsage
    | undefined;
  memory:
    | WindowsMemoryUsage
    | undefined;
  network:
    | WindowsNetworkUsage
    | undefined;
  process:
    | WindowsProcessUsage
    | undefined;
  containers: WindowsContainerStats[];
}

export interface NetworkUsage {
  timestamp: bigint;
  defaultInterface:
    | NetworkInterfaceUsage
    | undefined;
  interfaces: NetworkInterfaceUsage[];
}

export interface WindowsNetworkUsage {
  timestamp: bigint;
  defaultInterface:
    | WindowsNetworkInterfaceUsage
    | undefined;
  interfaces: WindowsNetworkInterfaceUsage[];
}

export interface NetworkInterfaceUsage {
  name: string;
  rxBytes:
    | UInt64Value
    | undefined;
  rxErrors:
    | UInt64Value
    | undefined;
  txBytes:
    | UInt64Value
    | undefined;
  txErrors: UInt64Value | undefined;
}

export interface WindowsNetworkInterfaceUsage {
  name: string;
  rxBytes:
    | UInt64Value
    | undefined;
  rxPacketsDropped:
    | UInt64Value
    | undefined;
  txBytes:
    | UInt64Value
    | undefined;
  txPacketsDropped: UInt64Value | undefined;
}

export interface ProcessUsage {
  timestamp: bigint;
  processCount: UInt64Value | undefined;
}

export interface WindowsProcessUsage {
  timestamp: bigint;
  processCount: UInt64Value | undefined;
}

export interface ImageSpec {
  image: string;
  annotations: { [key: string]: string };
  userSpecifiedImage: string;
  runtimeHandler: string;
  imageRef: string;
}

export interface ImageSpec_AnnotationsEntry {
  key: string;
  value: string;
}

export interface KeyValue {
  key: string;
  value: Buffer;
}

export interface LinuxContainerResources {
  cpuPeriod: bigint;
  cpuQuota: bigint;
  cpuShares: bigint;
  memoryLimitInBytes: bigint;
  oomScoreAdj: bigint;
  cpusetCpus: string;
  cpusetMems: string;
  hugepageLimits: HugepageLimit[];
  unified: { [key: string]: string };
  memorySwapLimitInBytes: bigint;
}

export interface LinuxContainerResources_UnifiedEntry {
  key: string;
  value: string;
}

export interface HugepageLimit {
  pageSize: string;
  limit: bigint;
}

export interface SELinuxOption {
  user: string;
  role: string;
  type: string;
  level: string;
}

export interface Capability {
  addCapabilities: string[];
  dropCapabilities: string[];
  addAmbientCapabilities: string[];
}

export interface LinuxContainerSecurityContext {
  capabilities:
    | Capability
    | undefined;
  privileged: boolean;
  namespaceOptions:
    | NamespaceOption
    | undefined;
  selinuxOptions:
    | SELinuxOption
    | undefined;
  runAsUser:
    | Int64Value
    | undefined;
  runAsGroup:
    | Int64Value
    | undefined;
  runAsUsername: string;
  readonlyRootfs: boolean;
  supplementalGroups: bigint[];
  supplementalGroupsPolicy: SupplementalGroupsPolicy;
  noNewPrivs: boolean;
  maskedPaths: string[];
  readonlyPaths: string[];
  seccomp:
    | SecurityProfile
    | undefined;
  apparmor:
    | SecurityProfile
    | undefined;
  apparmorProfile: string;
  seccompProfilePath: string;
}

export interface LinuxContainerConfig {
  resources:
    | LinuxContainerResources
    | undefined;
  securityContext: LinuxContainerSecurityContext | undefined;
}

export interface LinuxContainerUser {
  uid: bigint;
  gid: bigint;
  supplementalGroups: bigint[];
}

export interface WindowsNamespaceOption {
  network: NamespaceMode;
}

export interface WindowsSandboxSecurityContext {
  runAsUsername: string;
  credentialSpec: string;
  hostProcess: boolean;
  namespaceOptions: WindowsNamespaceOption | undefined;
}

export interface WindowsPodSandboxConfig {
  securityContext: WindowsSandboxSecurityContext | undefined;
}

export interface WindowsContainerSecurityContext {
  runAsUsername: string;
  credentialSpec: string;
  hostProcess: boolean;
}

export interface WindowsContainerConfig {
  resources:
    | WindowsContainerResources
    | undefined;
  securityContext: WindowsContainerSecurityContext | undefined;
}

export interface WindowsContainerResources {
  cpuShares: bigint;
  cpuCount: bigint;
  cpuMaximum: bigint;
  memoryLimitInBytes: bigint;
  rootfsSizeInBytes: bigint;
  affinityCpus: WindowsCpuGroupAffinity[];
}

export interface WindowsCpuGroupAffinity {
  cpuMask: bigint;
  cpuGroup: number;
}

export interface ContainerMetadata {
  name: string;
  attempt: number;
}

export interface Device {
  containerPath: string;
  hostPath: string;
  permissions: string;
}

export interface CDIDevice {
  name: string;
}

export interface ContainerConfig {
  metadata:
    | ContainerMetadata
    | undefined;
  image:
    | ImageSpec
    | undefined;
  command: string[];
  args: string[];
  workingDir: string;
  envs: KeyValue[];
  mounts: Mount[];
  devices: Device[];
  labels: { [key: string]: string };
  annotations: { [key: string]: string };
  logPath: string;
  stdin: boolean;
  stdinOnce: boolean;
  tty: boolean;
  linux:
    | LinuxContainerConfig
    | undefined;
  windows:
    | WindowsContainerConfig
    | undefined;
  CDIDevices: CDIDevice[];
  stopSignal: Signal;
}

export interface ContainerConfig_LabelsEntry {
  key: string;
  value: string;
}

export interface ContainerConfig_AnnotationsEntry {
  key: string;
  value: string;
}

export interface CreateContainerRequest {
  podSandboxId: string;
  config:
    | ContainerConfig
    | undefined;
  sandboxConfig: PodSandboxConfig | undefined;
}

export interface CreateContainerResponse {
  containerId: string;
}

export interface StartContainerRequest {
  containerId: string;
}

export interface StartContainerResponse {
}

export interface StopContainerRequest {
  containerId: string;
  timeout: bigint;
}

export interface StopContainerResponse {
}

export interface RemoveContainerRequest {
  containerId: string;
}

export interface RemoveContainerResponse {
}

export interface ContainerStateValue {
  state: ContainerState;
}

export interface ContainerFilter {
  id: string;
  state:
    | ContainerStateValue
    | undefined;
  podSandboxId: string;
  labelSelector: { [key: string]: string };
}

export interface ContainerFilter_LabelSelectorEntry {
  key: string;
  value: string;
}

export interface ListContainersRequest {
  filter: ContainerFilter | undefined;
}

export interface Container {
  id: string;
  podSandboxId: string;
  metadata:
    | ContainerMetadata
    | undefined;
  image:
    | ImageSpec
    | undefined;
  imageRef: string;
  state: ContainerState;
  createdAt: bigint;
  labels: { [key: string]: string };
  annotations: { [key: string]: string };
  imageId: string;
}

export interface Container_LabelsEntry {
  key: string;
  value: string;
}

export interface Container_AnnotationsEntry {
  key: string;
  value: string;
}

export interface ListContainersResponse {
  containers: Container[];
}

export interface StreamContainersRequest {
  filter: ContainerFilter | undefined;
}

export interface StreamContainersResponse {
  containers: Container[];
}

export interface ContainerStatusRequest {
  containerId: string;
  verbose: boolean;
}

export interface ContainerStatus {
  id: string;
  metadata:
    | ContainerMetadata
    | undefined;
  state: ContainerState;
  createdAt: bigint;
  startedAt: bigint;
  finishedAt: bigint;
  exitCode: number;
  image:
    | ImageSpec
    | undefined;
  imageRef: string;
  reason: string;
  message: string;
  labels: { [key: string]: string };
  annotations: { [key: string]: string };
  mounts: Mount[];
  logPath: string;
  resources:
    | ContainerResources
    | undefined;
  imageId: string;
  user:
    | ContainerUser
    | undefined;
  stopSignal: Signal;
}

export interface ContainerStatus_LabelsEntry {
  key: string;
  value: string;
}

export interface ContainerStatus_AnnotationsEntry {
  key: string;
  value: string;
}

export interface ContainerStatusResponse {
  status:
    | ContainerStatus
    | undefined;
  info: { [key: string]: string };
}

export interface ContainerStatusResponse_InfoEntry {
  key: string;
  value: string;
}

export interface ContainerResources {
  linux:
    | LinuxContainerResources
    | undefined;
  windows: WindowsContainerResources | undefined;
}

export interface ContainerUser {
  linux: LinuxContainerUser | undefined;
}

export interface UpdateContainerResourcesRequest {
  containerId: string;
  linux:
    | LinuxContainerResources
    | undefined;
  windows:
    | WindowsContainerResources
    | undefined;
  annotations: { [key: string]: string };
}

export interface UpdateContainerResourcesRequest_AnnotationsEntry {
  key: string;
  value: string;
}

export interface UpdateContainerResourcesResponse {
}

export interface ExecSyncRequest {
  containerId: string;
  cmd: string[];
  timeout: bigint;
}

export interface ExecSyncResponse {
  stdout: Buffer;
  stderr: Buffer;
  exitCode: number;
}

export interface ExecRequest {
  containerId: string;
  cmd: string[];
  tty: boolean;
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
}

export interface ExecResponse {
  url: string;
}

export interface AttachRequest {
  containerId: string;
  stdin: boolean;
  tty: boolean;
  stdout: boolean;
  stderr: boolean;
}

export interface AttachResponse {
  url: string;
}

export interface PortForwardRequest {
  podSandboxId: string;
  port: number[];
}

export interface PortForwardResponse {
  url: string;
}

export interface ImageFilter {
  image: ImageSpec | undefined;
}

export interface ListImagesRequest {
  filter: ImageFilter | undefined;
}

export interface Image {
  id: string;
  repoTags: string[];
  repoDigests: string[];
  size: bigint;
  uid:
    | Int64Value
    | undefined;
  username: string;
  spec:
    | ImageSpec
    | undefined;
  pinned: boolean;
}

export interface ListImagesResponse {
  images: Image[];
}

export interface StreamImagesRequest {
  filter: ImageFilter | undefined;
}

export interface StreamImagesResponse {
  images: Image[];
}

export interface ImageStatusRequest {
  image:
    | ImageSpec
    | undefined;
  verbose: boolean;
}

export interface ImageStatusResponse {
  image:
    | Image
    | undefined;
  info: { [key: string]: string };
}

export interface ImageStatusResponse_InfoEntry {
  key: string;
  value: string;
}

export interface AuthConfig {
  username: string;
  password: string;
  auth: string;
  serverAddress: string;
  identityToken: string;
  registryToken: string;
}

export interface PullImageRequest {
  image:
    | ImageSpec
    | undefined;
  auth:
    | AuthConfig
    | undefined;
  sandboxConfig: PodSandboxConfig | undefined;
}

export interface PullImageResponse {
  imageRef: string;
}

export interface RemoveImageRequest {
  image: ImageSpec | undefined;
}

export interface RemoveImageResponse {
}

export interface NetworkConfig {
  podCidr: string;
}

export interface RuntimeConfig {
  networkConfig: NetworkConfig | undefined;
}

export interface UpdateRuntimeConfigRequest {
  runtimeConfig: RuntimeConfig | undefined;
}

export interface UpdateRuntimeConfigResponse {
}

export interface RuntimeCondition {
  type: string;
  status: boolean;
  reason: string;
  message: string;
}

export interface RuntimeStatus {
  conditions: RuntimeCondition[];
}

export interface StatusRequest {
  verbose: boolean;
}

export interface RuntimeHandlerFeatures {
  recursiveReadOnlyMounts: boolean;
  userNamespaces: boolean;
}

export interface RuntimeHandler {
  name: string;
  features: RuntimeHandlerFeatures | undefined;
}

export interface RuntimeFeatures {
  supplementalGroupsPolicy: boolean;
  userNamespacesHostNetwork: boolean;
}

export interface StatusResponse {
  status:
    | RuntimeStatus
    | undefined;
  info: { [key: string]: string };
  runtimeHandlers: RuntimeHandler[];
  features: RuntimeFeatures | undefined;
}

export interface StatusResponse_InfoEntry {
  key: string;
  value: string;
}

export interface ImageFsInfoRequest {
}

export interface UInt64Value {
  value: bigint;
}

export interface FilesystemIdentifier {
  mountpoint: string;
}

export interface FilesystemUsage {
  timestamp: bigint;
  fsId:
    | FilesystemIdentifier
    | undefined;
  usedBytes:
    | UInt64Value
    | undefined;
  inodesUsed: UInt64Value | undefined;
}

export interface WindowsFilesystemUsage {
  timestamp: bigint;
  fsId:
    | FilesystemIdentifier
    | undefined;
  usedBytes: UInt64Value | undefined;
}

export interface ImageFsInfoResponse {
  imageFilesystems: FilesystemUsage[];
  containerFilesystems: FilesystemUsage[];
}

export interface ContainerStatsRequest {
  containerId: string;
}

export interface ContainerStatsResponse {
  stats: ContainerStats | undefined;
}

export interface ListContainerStatsRequest {
  filter: ContainerStatsFilter | undefined;
}

export interface ContainerStatsFilter {
  id: string;
  podSandboxId: string;
  labelSelector: { [key: string]: string };
}

export interface ContainerStatsFilter_LabelSelectorEntry {
  key: string;
  value: string;
}

export interface ListContainerStatsResponse {
  stats: ContainerStats[];
}

export interface StreamContainerStatsRequest {
  filter: ContainerStatsFilter | undefined;
}

export interface StreamContainerStatsResponse {
  containerStats: ContainerStats[];
}

export interface ContainerAttributes {
  id: string;
  metadata:
    | ContainerMetadata
    | undefined;
  labels: { [key: string]: string };
  annotations: { [key: string]: string };
}

export interface ContainerAttributes_LabelsEntry {
  key: string;
  value: string;
}

export interface ContainerAttributes_AnnotationsEntry {
  key: string;
  value: string;
}

export interface ContainerStats {
  attributes:
    | ContainerAttributes
    | undefined;
  cpu:
    | CpuUsage
    | undefined;
  memory:
    | MemoryUsage
    | undefined;
  writableLayer:
    | FilesystemUsage
    | undefined;
  swap:
    | SwapUsage
    | undefined;
  io: IoUsage | undefined;
}

export interface WindowsContainerStats {
  attributes:
    | ContainerAttributes
    | undefined;
  cpu:
    | WindowsCpuUsage
    | undefined;
  memory:
    | WindowsMemoryUsage
    | undefined;
  writableLayer: WindowsFilesystemUsage | undefined;
}

export interface PsiStats {
  Full:
    | PsiData
    | undefined;
  Some: PsiData | undefined;
}

export interface PsiData {
  Total: bigint;
  Avg10: number;
  Avg60: number;
  Avg300: number;
}

export interface CpuUsage {
  timestamp: bigint;
  usageCoreNanoSeconds:
    | UInt64Value
    | undefined;
  usageNanoCores:
    | UInt64Value
    | undefined;
  psi: PsiStats | undefined;
}

export interface WindowsCpuUsage {
  timestamp: bigint;
  usageCoreNanoSeconds:
    | UInt64Value
    | undefined;
  usageNanoCores: UInt64Value | undefined;
}

export interface MemoryUsage {
  timestamp: bigint;
  workingSetBytes:
    | UInt64Value
    | undefined;
  availableBytes:
    | UInt64Value
    | undefined;
  usageBytes:
    | UInt64Value
    | undefined;
  rssBytes:
    | UInt64Value
    | undefined;
  pageFaults:
    | UInt64Value
    | undefined;
  majorPageFaults:
    | UInt64Value
    | undefined;
  psi: PsiStats | undefined;
}

export interface IoUsage {
  timestamp: bigint;
  psi: PsiStats | undefined;
}

export interface SwapUsage {
  timestamp: bigint;
  swapAvailableBytes:
    | UInt64Value
    | undefined;
  swapUsageBytes: UInt64Value | undefined;
}

export interface WindowsMemoryUsage {
  timestamp: bigint;
  workingSetBytes:
    | UInt64Value
    | undefined;
  availableBytes:
    | UInt64Value
    | undefined;
  pageFaults:
    | UInt64Value
    | undefined;
  commitMemoryBytes: UInt64Value | undefined;
}

export interface ReopenContainerLogRequest {
  containerId: string;
}

export interface ReopenContainerLogResponse {
}

export interface CheckpointContainerRequest {
  containerId: string;
  location: string;
  timeout: bigint;
}

export interface CheckpointContainerResponse {
}

export interface GetEventsRequest {
}

export interface ContainerEventResponse {
  containerId: string;
  containerEventType: ContainerEventType;
  createdAt: bigint;
  podSandboxStatus:
    | PodSandboxStatus
    | undefined;
  containersStatuses: ContainerStatus[];
}

export interface ListMetricDescriptorsRequest {
}

export interface ListMetricDescriptorsResponse {
  descriptors: MetricDescriptor[];
}

export interface MetricDescriptor {
  name: string;
  help: string;
  labelKeys: string[];
}

export interface ListPodSandboxMetricsRequest {
}

export interface ListPodSandboxMetricsResponse {
  podMetrics: PodSandboxMetrics[];
}

export interface StreamPodSandboxMetricsRequest {
}

export interface StreamPodSandboxMetricsResponse {
  podSandboxMetrics: PodSandboxMetrics[];
}

export interface PodSandboxMetrics {
  podSandboxId: string;
  metrics: Metric[];
  containerMetrics: ContainerMetrics[];
}

export interface ContainerMetrics {
  containerId: string;
  metrics: Metric[];
}

export interface Metric {
  name: string;
  timestamp: bigint;
  metricType: MetricType;
  labelValues: string[];
  value: UInt64Value | undefined;
}

export interface RuntimeConfigRequest {
}

export interface RuntimeConfigResponse {
  linux: LinuxRuntimeConfiguration | undefined;
}

export interface LinuxRuntimeConfiguration {
  cgroupDriver: CgroupDriver;
}

export interface UpdatePodSandboxResourcesRequest {
  podSandboxId: string;
  overhead:
    | LinuxContainerResources
    | undefined;
  resources: LinuxContainerResources | undefined;
}

export interface UpdatePodSandboxResourcesResponse {
}

function createBaseVersionRequest(): VersionRequest {
  return { version: "" };
}

export const VersionRequest: MessageFns<VersionRequest> = {
  encode(message: VersionRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.version !== "") {
      writer.uint32(10).string(message.version);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VersionRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVersionRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.version = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VersionRequest>): VersionRequest {
    return VersionRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VersionRequest>): VersionRequest {
    const message = createBaseVersionRequest();
    message.version = object.version ?? "";
    return message;
  },
};

function createBaseVersionResponse(): VersionResponse {
  return { version: "", runtimeName: "", runtimeVersion: "", runtimeApiVersion: "" };
}

export const VersionResponse: MessageFns<VersionResponse> = {
  encode(message: VersionResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.version !== "") {
      writer.uint32(10).string(message.version);
    }
    if (message.runtimeName !== "") {
      writer.uint32(18).string(message.runtimeName);
    }
    if (message.runtimeVersion !== "") {
      writer.uint32(26).string(message.runtimeVersion);
    }
    if (message.runtimeApiVersion !== "") {
      writer.uint32(34).string(message.runtimeApiVersion);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VersionResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVersionResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.version = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.runtimeName = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.runtimeVersion = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.runtimeApiVersion = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VersionResponse>): VersionResponse {
    return VersionResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VersionResponse>): VersionResponse {
    const message = createBaseVersionResponse();
    message.version = object.version ?? "";
    message.runtimeName = object.runtimeName ?? "";
    message.runtimeVersion = object.runtimeVersion ?? "";
    message.runtimeApiVersion = object.runtimeApiVersion ?? "";
    return message;
  },
};

function createBaseDNSConfig(): DNSConfig {
  return { servers: [], searches: [], options: [] };
}

export const DNSConfig: MessageFns<DNSConfig> = {
  encode(message: DNSConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.servers) {
      writer.uint32(10).string(v!);
    }
    for (const v of message.searches) {
      writer.uint32(18).string(v!);
    }
    for (const v of message.options) {
      writer.uint32(26).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DNSConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDNSConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.servers.push(reader.string());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.searches.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.options.push(reader.string());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DNSConfig>): DNSConfig {
    return DNSConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DNSConfig>): DNSConfig {
    const message = createBaseDNSConfig();
    message.servers = object.servers?.map((e) => e) || [];
    message.searches = object.searches?.map((e) => e) || [];
    message.options = object.options?.map((e) => e) || [];
    return message;
  },
};

function createBasePortMapping(): PortMapping {
  return { protocol: 0, containerPort: 0, hostPort: 0, hostIp: "" };
}

export const PortMapping: MessageFns<PortMapping> = {
  encode(message: PortMapping, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.protocol !== 0) {
      writer.uint32(8).int32(message.protocol);
    }
    if (message.containerPort !== 0) {
      writer.uint32(16).int32(message.containerPort);
    }
    if (message.hostPort !== 0) {
      writer.uint32(24).int32(message.hostPort);
    }
    if (message.hostIp !== "") {
      writer.uint32(34).string(message.hostIp);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PortMapping {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePortMapping();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.protocol = reader.int32() as any;
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.containerPort = reader.int32();
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.hostPort = reader.int32();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.hostIp = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PortMapping>): PortMapping {
    return PortMapping.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PortMapping>): PortMapping {
    const message = createBasePortMapping();
    message.protocol = object.protocol ?? 0;
    message.containerPort = object.containerPort ?? 0;
    message.hostPort = object.hostPort ?? 0;
    message.hostIp = object.hostIp ?? "";
    return message;
  },
};

function createBaseMount(): Mount {
  return {
    containerPath: "",
    hostPath: "",
    readonly: false,
    selinuxRelabel: false,
    propagation: 0,
    uidMappings: [],
    gidMappings: [],
    recursiveReadOnly: false,
    image: undefined,
    imageSubPath: "",
  };
}

export const Mount: MessageFns<Mount> = {
  encode(message: Mount, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerPath !== "") {
      writer.uint32(10).string(message.containerPath);
    }
    if (message.hostPath !== "") {
      writer.uint32(18).string(message.hostPath);
    }
    if (message.readonly !== false) {
      writer.uint32(24).bool(message.readonly);
    }
    if (message.selinuxRelabel !== false) {
      writer.uint32(32).bool(message.selinuxRelabel);
    }
    if (message.propagation !== 0) {
      writer.uint32(40).int32(message.propagation);
    }
    for (const v of message.uidMappings) {
      IDMapping.encode(v!, writer.uint32(50).fork()).join();
    }
    for (const v of message.gidMappings) {
      IDMapping.encode(v!, writer.uint32(58).fork()).join();
    }
    if (message.recursiveReadOnly !== false) {
      writer.uint32(64).bool(message.recursiveReadOnly);
    }
    if (message.image !== undefined) {
      ImageSpec.encode(message.image, writer.uint32(74).fork()).join();
    }
    if (message.imageSubPath !== "") {
      writer.uint32(82).string(message.imageSubPath);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Mount {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseMount();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerPath = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.hostPath = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.readonly = reader.bool();
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.selinuxRelabel = reader.bool();
            continue;
          }
          case 5: {
            if (tag !== 40) {
              break;
            }

            message.propagation = reader.int32() as any;
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.uidMappings.push(IDMapping.decode(reader, reader.uint32()));
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            message.gidMappings.push(IDMapping.decode(reader, reader.uint32()));
            continue;
          }
          case 8: {
            if (tag !== 64) {
              break;
            }

            message.recursiveReadOnly = reader.bool();
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            message.image = ImageSpec.decode(reader, reader.uint32());
            continue;
          }
          case 10: {
            if (tag !== 82) {
              break;
            }

            message.imageSubPath = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Mount>): Mount {
    return Mount.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Mount>): Mount {
    const message = createBaseMount();
    message.containerPath = object.containerPath ?? "";
    message.hostPath = object.hostPath ?? "";
    message.readonly = object.readonly ?? false;
    message.selinuxRelabel = object.selinuxRelabel ?? false;
    message.propagation = object.propagation ?? 0;
    message.uidMappings = object.uidMappings?.map((e) => IDMapping.fromPartial(e)) || [];
    message.gidMappings = object.gidMappings?.map((e) => IDMapping.fromPartial(e)) || [];
    message.recursiveReadOnly = object.recursiveReadOnly ?? false;
    message.image = (object.image !== undefined && object.image !== null)
      ? ImageSpec.fromPartial(object.image)
      : undefined;
    message.imageSubPath = object.imageSubPath ?? "";
    return message;
  },
};

function createBaseIDMapping(): IDMapping {
  return { hostId: 0, containerId: 0, length: 0 };
}

export const IDMapping: MessageFns<IDMapping> = {
  encode(message: IDMapping, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.hostId !== 0) {
      writer.uint32(8).uint32(message.hostId);
    }
    if (message.containerId !== 0) {
      writer.uint32(16).uint32(message.containerId);
    }
    if (message.length !== 0) {
      writer.uint32(24).uint32(message.length);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): IDMapping {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseIDMapping();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.hostId = reader.uint32();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.containerId = reader.uint32();
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.length = reader.uint32();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<IDMapping>): IDMapping {
    return IDMapping.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<IDMapping>): IDMapping {
    const message = createBaseIDMapping();
    message.hostId = object.hostId ?? 0;
    message.containerId = object.containerId ?? 0;
    message.length = object.length ?? 0;
    return message;
  },
};

function createBaseUserNamespace(): UserNamespace {
  return { mode: 0, uids: [], gids: [] };
}

export const UserNamespace: MessageFns<UserNamespace> = {
  encode(message: UserNamespace, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.mode !== 0) {
      writer.uint32(8).int32(message.mode);
    }
    for (const v of message.uids) {
      IDMapping.encode(v!, writer.uint32(18).fork()).join();
    }
    for (const v of message.gids) {
      IDMapping.encode(v!, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UserNamespace {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUserNamespace();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.mode = reader.int32() as any;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.uids.push(IDMapping.decode(reader, reader.uint32()));
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.gids.push(IDMapping.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UserNamespace>): UserNamespace {
    return UserNamespace.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<UserNamespace>): UserNamespace {
    const message = createBaseUserNamespace();
    message.mode = object.mode ?? 0;
    message.uids = object.uids?.map((e) => IDMapping.fromPartial(e)) || [];
    message.gids = object.gids?.map((e) => IDMapping.fromPartial(e)) || [];
    return message;
  },
};

function createBaseNamespaceOption(): NamespaceOption {
  return { network: 0, pid: 0, ipc: 0, targetId: "", usernsOptions: undefined };
}

export const NamespaceOption: MessageFns<NamespaceOption> = {
  encode(message: NamespaceOption, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.network !== 0) {
      writer.uint32(8).int32(message.network);
    }
    if (message.pid !== 0) {
      writer.uint32(16).int32(message.pid);
    }
    if (message.ipc !== 0) {
      writer.uint32(24).int32(message.ipc);
    }
    if (message.targetId !== "") {
      writer.uint32(34).string(message.targetId);
    }
    if (message.usernsOptions !== undefined) {
      UserNamespace.encode(message.usernsOptions, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NamespaceOption {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNamespaceOption();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.network = reader.int32() as any;
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.pid = reader.int32() as any;
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.ipc = reader.int32() as any;
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.targetId = reader.string();
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.usernsOptions = UserNamespace.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NamespaceOption>): NamespaceOption {
    return NamespaceOption.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NamespaceOption>): NamespaceOption {
    const message = createBaseNamespaceOption();
    message.network = object.network ?? 0;
    message.pid = object.pid ?? 0;
    message.ipc = object.ipc ?? 0;
    message.targetId = object.targetId ?? "";
    message.usernsOptions = (object.usernsOptions !== undefined && object.usernsOptions !== null)
      ? UserNamespace.fromPartial(object.usernsOptions)
      : undefined;
    return message;
  },
};

function createBaseInt64Value(): Int64Value {
  return { value: 0n };
}

export const Int64Value: MessageFns<Int64Value> = {
  encode(message: Int64Value, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.value !== 0n) {
      if (BigInt.asIntN(64, message.value) !== message.value) {
        throw new globalThis.Error("value provided for field message.value of type int64 too large");
      }
      writer.uint32(8).int64(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Int64Value {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseInt64Value();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.value = reader.int64() as bigint;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Int64Value>): Int64Value {
    return Int64Value.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Int64Value>): Int64Value {
    const message = createBaseInt64Value();
    message.value = (object.value !== undefined && object.value !== null) ? BigInt(object.value) : 0n;
    return message;
  },
};

function createBaseLinuxSandboxSecurityContext(): LinuxSandboxSecurityContext {
  return {
    namespaceOptions: undefined,
    selinuxOptions: undefined,
    runAsUser: undefined,
    runAsGroup: undefined,
    readonlyRootfs: false,
    supplementalGroups: [],
    supplementalGroupsPolicy: 0,
    privileged: false,
    seccomp: undefined,
    apparmor: undefined,
    seccompProfilePath: "",
  };
}

export const LinuxSandboxSecurityContext: MessageFns<LinuxSandboxSecurityContext> = {
  encode(message: LinuxSandboxSecurityContext, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.namespaceOptions !== undefined) {
      NamespaceOption.encode(message.namespaceOptions, writer.uint32(10).fork()).join();
    }
    if (message.selinuxOptions !== undefined) {
      SELinuxOption.encode(message.selinuxOptions, writer.uint32(18).fork()).join();
    }
    if (message.runAsUser !== undefined) {
      Int64Value.encode(message.runAsUser, writer.uint32(26).fork()).join();
    }
    if (message.runAsGroup !== undefined) {
      Int64Value.encode(message.runAsGroup, writer.uint32(66).fork()).join();
    }
    if (message.readonlyRootfs !== false) {
      writer.uint32(32).bool(message.readonlyRootfs);
    }
    if (message.supplementalGroups.length !== 0) {
      writer.uint32(42).fork();
      for (const v of message.supplementalGroups) {
        if (BigInt.asIntN(64, v) !== v) {
          throw new globalThis.Error("a value provided in array field supplementalGroups of type int64 is too large");
        }
        writer.int64(v);
      }
      writer.join();
    }
    if (message.supplementalGroupsPolicy !== 0) {
      writer.uint32(88).int32(message.supplementalGroupsPolicy);
    }
    if (message.privileged !== false) {
      writer.uint32(48).bool(message.privileged);
    }
    if (message.seccomp !== undefined) {
      SecurityProfile.encode(message.seccomp, writer.uint32(74).fork()).join();
    }
    if (message.apparmor !== undefined) {
      SecurityProfile.encode(message.apparmor, writer.uint32(82).fork()).join();
    }
    if (message.seccompProfilePath !== "") {
      writer.uint32(58).string(message.seccompProfilePath);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxSandboxSecurityContext {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxSandboxSecurityContext();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.namespaceOptions = NamespaceOption.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.selinuxOptions = SELinuxOption.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.runAsUser = Int64Value.decode(reader, reader.uint32());
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            message.runAsGroup = Int64Value.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.readonlyRootfs = reader.bool();
            continue;
          }
          case 5: {
            if (tag === 40) {
              message.supplementalGroups.push(reader.int64() as bigint);

              continue;
            }

            if (tag === 42) {
              const end2 = reader.uint32() + reader.pos;
              while (reader.pos < end2) {
                message.supplementalGroups.push(reader.int64() as bigint);
              }

              continue;
            }

            break;
          }
          case 11: {
            if (tag !== 88) {
              break;
            }

            message.supplementalGroupsPolicy = reader.int32() as any;
            continue;
          }
          case 6: {
            if (tag !== 48) {
              break;
            }

            message.privileged = reader.bool();
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            message.seccomp = SecurityProfile.decode(reader, reader.uint32());
            continue;
          }
          case 10: {
            if (tag !== 82) {
              break;
            }

            message.apparmor = SecurityProfile.decode(reader, reader.uint32());
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            message.seccompProfilePath = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxSandboxSecurityContext>): LinuxSandboxSecurityContext {
    return LinuxSandboxSecurityContext.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxSandboxSecurityContext>): LinuxSandboxSecurityContext {
    const message = createBaseLinuxSandboxSecurityContext();
    message.namespaceOptions = (object.namespaceOptions !== undefined && object.namespaceOptions !== null)
      ? NamespaceOption.fromPartial(object.namespaceOptions)
      : undefined;
    message.selinuxOptions = (object.selinuxOptions !== undefined && object.selinuxOptions !== null)
      ? SELinuxOption.fromPartial(object.selinuxOptions)
      : undefined;
    message.runAsUser = (object.runAsUser !== undefined && object.runAsUser !== null)
      ? Int64Value.fromPartial(object.runAsUser)
      : undefined;
    message.runAsGroup = (object.runAsGroup !== undefined && object.runAsGroup !== null)
      ? Int64Value.fromPartial(object.runAsGroup)
      : undefined;
    message.readonlyRootfs = object.readonlyRootfs ?? false;
    message.supplementalGroups = object.supplementalGroups?.map((e) => BigInt(e)) || [];
    message.supplementalGroupsPolicy = object.supplementalGroupsPolicy ?? 0;
    message.privileged = object.privileged ?? false;
    message.seccomp = (object.seccomp !== undefined && object.seccomp !== null)
      ? SecurityProfile.fromPartial(object.seccomp)
      : undefined;
    message.apparmor = (object.apparmor !== undefined && object.apparmor !== null)
      ? SecurityProfile.fromPartial(object.apparmor)
      : undefined;
    message.seccompProfilePath = object.seccompProfilePath ?? "";
    return message;
  },
};

function createBaseSecurityProfile(): SecurityProfile {
  return { profileType: 0, localhostRef: "" };
}

export const SecurityProfile: MessageFns<SecurityProfile> = {
  encode(message: SecurityProfile, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.profileType !== 0) {
      writer.uint32(8).int32(message.profileType);
    }
    if (message.localhostRef !== "") {
      writer.uint32(18).string(message.localhostRef);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): SecurityProfile {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseSecurityProfile();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.profileType = reader.int32() as any;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.localhostRef = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<SecurityProfile>): SecurityProfile {
    return SecurityProfile.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<SecurityProfile>): SecurityProfile {
    const message = createBaseSecurityProfile();
    message.profileType = object.profileType ?? 0;
    message.localhostRef = object.localhostRef ?? "";
    return message;
  },
};

function createBaseLinuxPodSandboxConfig(): LinuxPodSandboxConfig {
  return { cgroupParent: "", securityContext: undefined, sysctls: {}, overhead: undefined, resources: undefined };
}

export const LinuxPodSandboxConfig: MessageFns<LinuxPodSandboxConfig> = {
  encode(message: LinuxPodSandboxConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.cgroupParent !== "") {
      writer.uint32(10).string(message.cgroupParent);
    }
    if (message.securityContext !== undefined) {
      LinuxSandboxSecurityContext.encode(message.securityContext, writer.uint32(18).fork()).join();
    }
    globalThis.Object.entries(message.sysctls).forEach(([key, value]: [string, string]) => {
      LinuxPodSandboxConfig_SysctlsEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    if (message.overhead !== undefined) {
      LinuxContainerResources.encode(message.overhead, writer.uint32(34).fork()).join();
    }
    if (message.resources !== undefined) {
      LinuxContainerResources.encode(message.resources, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxPodSandboxConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxPodSandboxConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.cgroupParent = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.securityContext = LinuxSandboxSecurityContext.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = LinuxPodSandboxConfig_SysctlsEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.sysctls[entry3.key] = entry3.value;
            }
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.overhead = LinuxContainerResources.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.resources = LinuxContainerResources.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxPodSandboxConfig>): LinuxPodSandboxConfig {
    return LinuxPodSandboxConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxPodSandboxConfig>): LinuxPodSandboxConfig {
    const message = createBaseLinuxPodSandboxConfig();
    message.cgroupParent = object.cgroupParent ?? "";
    message.securityContext = (object.securityContext !== undefined && object.securityContext !== null)
      ? LinuxSandboxSecurityContext.fromPartial(object.securityContext)
      : undefined;
    message.sysctls = (globalThis.Object.entries(object.sysctls ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.overhead = (object.overhead !== undefined && object.overhead !== null)
      ? LinuxContainerResources.fromPartial(object.overhead)
      : undefined;
    message.resources = (object.resources !== undefined && object.resources !== null)
      ? LinuxContainerResources.fromPartial(object.resources)
      : undefined;
    return message;
  },
};

function createBaseLinuxPodSandboxConfig_SysctlsEntry(): LinuxPodSandboxConfig_SysctlsEntry {
  return { key: "", value: "" };
}

export const LinuxPodSandboxConfig_SysctlsEntry: MessageFns<LinuxPodSandboxConfig_SysctlsEntry> = {
  encode(message: LinuxPodSandboxConfig_SysctlsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxPodSandboxConfig_SysctlsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxPodSandboxConfig_SysctlsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxPodSandboxConfig_SysctlsEntry>): LinuxPodSandboxConfig_SysctlsEntry {
    return LinuxPodSandboxConfig_SysctlsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxPodSandboxConfig_SysctlsEntry>): LinuxPodSandboxConfig_SysctlsEntry {
    const message = createBaseLinuxPodSandboxConfig_SysctlsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBasePodSandboxMetadata(): PodSandboxMetadata {
  return { name: "", uid: "", namespace: "", attempt: 0 };
}

export const PodSandboxMetadata: MessageFns<PodSandboxMetadata> = {
  encode(message: PodSandboxMetadata, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.uid !== "") {
      writer.uint32(18).string(message.uid);
    }
    if (message.namespace !== "") {
      writer.uint32(26).string(message.namespace);
    }
    if (message.attempt !== 0) {
      writer.uint32(32).uint32(message.attempt);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxMetadata {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxMetadata();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.uid = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.namespace = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.attempt = reader.uint32();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxMetadata>): PodSandboxMetadata {
    return PodSandboxMetadata.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxMetadata>): PodSandboxMetadata {
    const message = createBasePodSandboxMetadata();
    message.name = object.name ?? "";
    message.uid = object.uid ?? "";
    message.namespace = object.namespace ?? "";
    message.attempt = object.attempt ?? 0;
    return message;
  },
};

function createBasePodSandboxConfig(): PodSandboxConfig {
  return {
    metadata: undefined,
    hostname: "",
    logDirectory: "",
    dnsConfig: undefined,
    portMappings: [],
    labels: {},
    annotations: {},
    linux: undefined,
    windows: undefined,
  };
}

export const PodSandboxConfig: MessageFns<PodSandboxConfig> = {
  encode(message: PodSandboxConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.metadata !== undefined) {
      PodSandboxMetadata.encode(message.metadata, writer.uint32(10).fork()).join();
    }
    if (message.hostname !== "") {
      writer.uint32(18).string(message.hostname);
    }
    if (message.logDirectory !== "") {
      writer.uint32(26).string(message.logDirectory);
    }
    if (message.dnsConfig !== undefined) {
      DNSConfig.encode(message.dnsConfig, writer.uint32(34).fork()).join();
    }
    for (const v of message.portMappings) {
      PortMapping.encode(v!, writer.uint32(42).fork()).join();
    }
    globalThis.Object.entries(message.labels).forEach(([key, value]: [string, string]) => {
      PodSandboxConfig_LabelsEntry.encode({ key: key as any, value }, writer.uint32(50).fork()).join();
    });
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      PodSandboxConfig_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(58).fork()).join();
    });
    if (message.linux !== undefined) {
      LinuxPodSandboxConfig.encode(message.linux, writer.uint32(66).fork()).join();
    }
    if (message.windows !== undefined) {
      WindowsPodSandboxConfig.encode(message.windows, writer.uint32(74).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.metadata = PodSandboxMetadata.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.hostname = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.logDirectory = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.dnsConfig = DNSConfig.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.portMappings.push(PortMapping.decode(reader, reader.uint32()));
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            const entry6 = PodSandboxConfig_LabelsEntry.decode(reader, reader.uint32());
            if (entry6.value !== undefined) {
              message.labels[entry6.key] = entry6.value;
            }
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            const entry7 = PodSandboxConfig_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry7.value !== undefined) {
              message.annotations[entry7.key] = entry7.value;
            }
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            message.linux = LinuxPodSandboxConfig.decode(reader, reader.uint32());
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            message.windows = WindowsPodSandboxConfig.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxConfig>): PodSandboxConfig {
    return PodSandboxConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxConfig>): PodSandboxConfig {
    const message = createBasePodSandboxConfig();
    message.metadata = (object.metadata !== undefined && object.metadata !== null)
      ? PodSandboxMetadata.fromPartial(object.metadata)
      : undefined;
    message.hostname = object.hostname ?? "";
    message.logDirectory = object.logDirectory ?? "";
    message.dnsConfig = (object.dnsConfig !== undefined && object.dnsConfig !== null)
      ? DNSConfig.fromPartial(object.dnsConfig)
      : undefined;
    message.portMappings = object.portMappings?.map((e) => PortMapping.fromPartial(e)) || [];
    message.labels = (globalThis.Object.entries(object.labels ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.linux = (object.linux !== undefined && object.linux !== null)
      ? LinuxPodSandboxConfig.fromPartial(object.linux)
      : undefined;
    message.windows = (object.windows !== undefined && object.windows !== null)
      ? WindowsPodSandboxConfig.fromPartial(object.windows)
      : undefined;
    return message;
  },
};

function createBasePodSandboxConfig_LabelsEntry(): PodSandboxConfig_LabelsEntry {
  return { key: "", value: "" };
}

export const PodSandboxConfig_LabelsEntry: MessageFns<PodSandboxConfig_LabelsEntry> = {
  encode(message: PodSandboxConfig_LabelsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxConfig_LabelsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxConfig_LabelsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxConfig_LabelsEntry>): PodSandboxConfig_LabelsEntry {
    return PodSandboxConfig_LabelsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxConfig_LabelsEntry>): PodSandboxConfig_LabelsEntry {
    const message = createBasePodSandboxConfig_LabelsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBasePodSandboxConfig_AnnotationsEntry(): PodSandboxConfig_AnnotationsEntry {
  return { key: "", value: "" };
}

export const PodSandboxConfig_AnnotationsEntry: MessageFns<PodSandboxConfig_AnnotationsEntry> = {
  encode(message: PodSandboxConfig_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxConfig_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxConfig_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxConfig_AnnotationsEntry>): PodSandboxConfig_AnnotationsEntry {
    return PodSandboxConfig_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxConfig_AnnotationsEntry>): PodSandboxConfig_AnnotationsEntry {
    const message = createBasePodSandboxConfig_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseRunPodSandboxRequest(): RunPodSandboxRequest {
  return { config: undefined, runtimeHandler: "" };
}

export const RunPodSandboxRequest: MessageFns<RunPodSandboxRequest> = {
  encode(message: RunPodSandboxRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.config !== undefined) {
      PodSandboxConfig.encode(message.config, writer.uint32(10).fork()).join();
    }
    if (message.runtimeHandler !== "") {
      writer.uint32(18).string(message.runtimeHandler);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RunPodSandboxRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRunPodSandboxRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.config = PodSandboxConfig.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.runtimeHandler = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RunPodSandboxRequest>): RunPodSandboxRequest {
    return RunPodSandboxRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RunPodSandboxRequest>): RunPodSandboxRequest {
    const message = createBaseRunPodSandboxRequest();
    message.config = (object.config !== undefined && object.config !== null)
      ? PodSandboxConfig.fromPartial(object.config)
      : undefined;
    message.runtimeHandler = object.runtimeHandler ?? "";
    return message;
  },
};

function createBaseRunPodSandboxResponse(): RunPodSandboxResponse {
  return { podSandboxId: "" };
}

export const RunPodSandboxResponse: MessageFns<RunPodSandboxResponse> = {
  encode(message: RunPodSandboxResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podSandboxId !== "") {
      writer.uint32(10).string(message.podSandboxId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RunPodSandboxResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRunPodSandboxResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RunPodSandboxResponse>): RunPodSandboxResponse {
    return RunPodSandboxResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RunPodSandboxResponse>): RunPodSandboxResponse {
    const message = createBaseRunPodSandboxResponse();
    message.podSandboxId = object.podSandboxId ?? "";
    return message;
  },
};

function createBaseStopPodSandboxRequest(): StopPodSandboxRequest {
  return { podSandboxId: "" };
}

export const StopPodSandboxRequest: MessageFns<StopPodSandboxRequest> = {
  encode(message: StopPodSandboxRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podSandboxId !== "") {
      writer.uint32(10).string(message.podSandboxId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StopPodSandboxRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStopPodSandboxRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StopPodSandboxRequest>): StopPodSandboxRequest {
    return StopPodSandboxRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StopPodSandboxRequest>): StopPodSandboxRequest {
    const message = createBaseStopPodSandboxRequest();
    message.podSandboxId = object.podSandboxId ?? "";
    return message;
  },
};

function createBaseStopPodSandboxResponse(): StopPodSandboxResponse {
  return {};
}

export const StopPodSandboxResponse: MessageFns<StopPodSandboxResponse> = {
  encode(_: StopPodSandboxResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StopPodSandboxResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStopPodSandboxResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StopPodSandboxResponse>): StopPodSandboxResponse {
    return StopPodSandboxResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<StopPodSandboxResponse>): StopPodSandboxResponse {
    const message = createBaseStopPodSandboxResponse();
    return message;
  },
};

function createBaseRemovePodSandboxRequest(): RemovePodSandboxRequest {
  return { podSandboxId: "" };
}

export const RemovePodSandboxRequest: MessageFns<RemovePodSandboxRequest> = {
  encode(message: RemovePodSandboxRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podSandboxId !== "") {
      writer.uint32(10).string(message.podSandboxId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RemovePodSandboxRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRemovePodSandboxRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RemovePodSandboxRequest>): RemovePodSandboxRequest {
    return RemovePodSandboxRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RemovePodSandboxRequest>): RemovePodSandboxRequest {
    const message = createBaseRemovePodSandboxRequest();
    message.podSandboxId = object.podSandboxId ?? "";
    return message;
  },
};

function createBaseRemovePodSandboxResponse(): RemovePodSandboxResponse {
  return {};
}

export const RemovePodSandboxResponse: MessageFns<RemovePodSandboxResponse> = {
  encode(_: RemovePodSandboxResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RemovePodSandboxResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRemovePodSandboxResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RemovePodSandboxResponse>): RemovePodSandboxResponse {
    return RemovePodSandboxResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<RemovePodSandboxResponse>): RemovePodSandboxResponse {
    const message = createBaseRemovePodSandboxResponse();
    return message;
  },
};

function createBasePodSandboxStatusRequest(): PodSandboxStatusRequest {
  return { podSandboxId: "", verbose: false };
}

export const PodSandboxStatusRequest: MessageFns<PodSandboxStatusRequest> = {
  encode(message: PodSandboxStatusRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podSandboxId !== "") {
      writer.uint32(10).string(message.podSandboxId);
    }
    if (message.verbose !== false) {
      writer.uint32(16).bool(message.verbose);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatusRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatusRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.verbose = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatusRequest>): PodSandboxStatusRequest {
    return PodSandboxStatusRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatusRequest>): PodSandboxStatusRequest {
    const message = createBasePodSandboxStatusRequest();
    message.podSandboxId = object.podSandboxId ?? "";
    message.verbose = object.verbose ?? false;
    return message;
  },
};

function createBasePodIP(): PodIP {
  return { ip: "" };
}

export const PodIP: MessageFns<PodIP> = {
  encode(message: PodIP, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.ip !== "") {
      writer.uint32(10).string(message.ip);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodIP {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodIP();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.ip = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodIP>): PodIP {
    return PodIP.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodIP>): PodIP {
    const message = createBasePodIP();
    message.ip = object.ip ?? "";
    return message;
  },
};

function createBasePodSandboxNetworkStatus(): PodSandboxNetworkStatus {
  return { ip: "", additionalIps: [] };
}

export const PodSandboxNetworkStatus: MessageFns<PodSandboxNetworkStatus> = {
  encode(message: PodSandboxNetworkStatus, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.ip !== "") {
      writer.uint32(10).string(message.ip);
    }
    for (const v of message.additionalIps) {
      PodIP.encode(v!, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxNetworkStatus {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxNetworkStatus();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.ip = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.additionalIps.push(PodIP.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxNetworkStatus>): PodSandboxNetworkStatus {
    return PodSandboxNetworkStatus.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxNetworkStatus>): PodSandboxNetworkStatus {
    const message = createBasePodSandboxNetworkStatus();
    message.ip = object.ip ?? "";
    message.additionalIps = object.additionalIps?.map((e) => PodIP.fromPartial(e)) || [];
    return message;
  },
};

function createBaseNamespace(): Namespace {
  return { options: undefined };
}

export const Namespace: MessageFns<Namespace> = {
  encode(message: Namespace, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.options !== undefined) {
      NamespaceOption.encode(message.options, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Namespace {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNamespace();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.options = NamespaceOption.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Namespace>): Namespace {
    return Namespace.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Namespace>): Namespace {
    const message = createBaseNamespace();
    message.options = (object.options !== undefined && object.options !== null)
      ? NamespaceOption.fromPartial(object.options)
      : undefined;
    return message;
  },
};

function createBaseLinuxPodSandboxStatus(): LinuxPodSandboxStatus {
  return { namespaces: undefined };
}

export const LinuxPodSandboxStatus: MessageFns<LinuxPodSandboxStatus> = {
  encode(message: LinuxPodSandboxStatus, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.namespaces !== undefined) {
      Namespace.encode(message.namespaces, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxPodSandboxStatus {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxPodSandboxStatus();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.namespaces = Namespace.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxPodSandboxStatus>): LinuxPodSandboxStatus {
    return LinuxPodSandboxStatus.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxPodSandboxStatus>): LinuxPodSandboxStatus {
    const message = createBaseLinuxPodSandboxStatus();
    message.namespaces = (object.namespaces !== undefined && object.namespaces !== null)
      ? Namespace.fromPartial(object.namespaces)
      : undefined;
    return message;
  },
};

function createBasePodSandboxStatus(): PodSandboxStatus {
  return {
    id: "",
    metadata: undefined,
    state: 0,
    createdAt: 0n,
    network: undefined,
    linux: undefined,
    labels: {},
    annotations: {},
    runtimeHandler: "",
  };
}

export const PodSandboxStatus: MessageFns<PodSandboxStatus> = {
  encode(message: PodSandboxStatus, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    if (message.metadata !== undefined) {
      PodSandboxMetadata.encode(message.metadata, writer.uint32(18).fork()).join();
    }
    if (message.state !== 0) {
      writer.uint32(24).int32(message.state);
    }
    if (message.createdAt !== 0n) {
      if (BigInt.asIntN(64, message.createdAt) !== message.createdAt) {
        throw new globalThis.Error("value provided for field message.createdAt of type int64 too large");
      }
      writer.uint32(32).int64(message.createdAt);
    }
    if (message.network !== undefined) {
      PodSandboxNetworkStatus.encode(message.network, writer.uint32(42).fork()).join();
    }
    if (message.linux !== undefined) {
      LinuxPodSandboxStatus.encode(message.linux, writer.uint32(50).fork()).join();
    }
    globalThis.Object.entries(message.labels).forEach(([key, value]: [string, string]) => {
      PodSandboxStatus_LabelsEntry.encode({ key: key as any, value }, writer.uint32(58).fork()).join();
    });
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      PodSandboxStatus_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(66).fork()).join();
    });
    if (message.runtimeHandler !== "") {
      writer.uint32(74).string(message.runtimeHandler);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatus {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatus();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.metadata = PodSandboxMetadata.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.state = reader.int32() as any;
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.createdAt = reader.int64() as bigint;
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.network = PodSandboxNetworkStatus.decode(reader, reader.uint32());
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.linux = LinuxPodSandboxStatus.decode(reader, reader.uint32());
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            const entry7 = PodSandboxStatus_LabelsEntry.decode(reader, reader.uint32());
            if (entry7.value !== undefined) {
              message.labels[entry7.key] = entry7.value;
            }
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            const entry8 = PodSandboxStatus_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry8.value !== undefined) {
              message.annotations[entry8.key] = entry8.value;
            }
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            message.runtimeHandler = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatus>): PodSandboxStatus {
    return PodSandboxStatus.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatus>): PodSandboxStatus {
    const message = createBasePodSandboxStatus();
    message.id = object.id ?? "";
    message.metadata = (object.metadata !== undefined && object.metadata !== null)
      ? PodSandboxMetadata.fromPartial(object.metadata)
      : undefined;
    message.state = object.state ?? 0;
    message.createdAt = (object.createdAt !== undefined && object.createdAt !== null) ? BigInt(object.createdAt) : 0n;
    message.network = (object.network !== undefined && object.network !== null)
      ? PodSandboxNetworkStatus.fromPartial(object.network)
      : undefined;
    message.linux = (object.linux !== undefined && object.linux !== null)
      ? LinuxPodSandboxStatus.fromPartial(object.linux)
      : undefined;
    message.labels = (globalThis.Object.entries(object.labels ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.runtimeHandler = object.runtimeHandler ?? "";
    return message;
  },
};

function createBasePodSandboxStatus_LabelsEntry(): PodSandboxStatus_LabelsEntry {
  return { key: "", value: "" };
}

export const PodSandboxStatus_LabelsEntry: MessageFns<PodSandboxStatus_LabelsEntry> = {
  encode(message: PodSandboxStatus_LabelsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatus_LabelsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatus_LabelsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatus_LabelsEntry>): PodSandboxStatus_LabelsEntry {
    return PodSandboxStatus_LabelsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatus_LabelsEntry>): PodSandboxStatus_LabelsEntry {
    const message = createBasePodSandboxStatus_LabelsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBasePodSandboxStatus_AnnotationsEntry(): PodSandboxStatus_AnnotationsEntry {
  return { key: "", value: "" };
}

export const PodSandboxStatus_AnnotationsEntry: MessageFns<PodSandboxStatus_AnnotationsEntry> = {
  encode(message: PodSandboxStatus_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatus_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatus_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatus_AnnotationsEntry>): PodSandboxStatus_AnnotationsEntry {
    return PodSandboxStatus_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatus_AnnotationsEntry>): PodSandboxStatus_AnnotationsEntry {
    const message = createBasePodSandboxStatus_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBasePodSandboxStatusResponse(): PodSandboxStatusResponse {
  return { status: undefined, info: {}, containersStatuses: [], timestamp: 0n };
}

export const PodSandboxStatusResponse: MessageFns<PodSandboxStatusResponse> = {
  encode(message: PodSandboxStatusResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.status !== undefined) {
      PodSandboxStatus.encode(message.status, writer.uint32(10).fork()).join();
    }
    globalThis.Object.entries(message.info).forEach(([key, value]: [string, string]) => {
      PodSandboxStatusResponse_InfoEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    for (const v of message.containersStatuses) {
      ContainerStatus.encode(v!, writer.uint32(26).fork()).join();
    }
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(32).int64(message.timestamp);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatusResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatusResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.status = PodSandboxStatus.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = PodSandboxStatusResponse_InfoEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.info[entry2.key] = entry2.value;
            }
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.containersStatuses.push(ContainerStatus.decode(reader, reader.uint32()));
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatusResponse>): PodSandboxStatusResponse {
    return PodSandboxStatusResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatusResponse>): PodSandboxStatusResponse {
    const message = createBasePodSandboxStatusResponse();
    message.status = (object.status !== undefined && object.status !== null)
      ? PodSandboxStatus.fromPartial(object.status)
      : undefined;
    message.info = (globalThis.Object.entries(object.info ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.containersStatuses = object.containersStatuses?.map((e) => ContainerStatus.fromPartial(e)) || [];
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    return message;
  },
};

function createBasePodSandboxStatusResponse_InfoEntry(): PodSandboxStatusResponse_InfoEntry {
  return { key: "", value: "" };
}

export const PodSandboxStatusResponse_InfoEntry: MessageFns<PodSandboxStatusResponse_InfoEntry> = {
  encode(message: PodSandboxStatusResponse_InfoEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatusResponse_InfoEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatusResponse_InfoEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatusResponse_InfoEntry>): PodSandboxStatusResponse_InfoEntry {
    return PodSandboxStatusResponse_InfoEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatusResponse_InfoEntry>): PodSandboxStatusResponse_InfoEntry {
    const message = createBasePodSandboxStatusResponse_InfoEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBasePodSandboxStateValue(): PodSandboxStateValue {
  return { state: 0 };
}

export const PodSandboxStateValue: MessageFns<PodSandboxStateValue> = {
  encode(message: PodSandboxStateValue, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.state !== 0) {
      writer.uint32(8).int32(message.state);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStateValue {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStateValue();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.state = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStateValue>): PodSandboxStateValue {
    return PodSandboxStateValue.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStateValue>): PodSandboxStateValue {
    const message = createBasePodSandboxStateValue();
    message.state = object.state ?? 0;
    return message;
  },
};

function createBasePodSandboxFilter(): PodSandboxFilter {
  return { id: "", state: undefined, labelSelector: {} };
}

export const PodSandboxFilter: MessageFns<PodSandboxFilter> = {
  encode(message: PodSandboxFilter, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    if (message.state !== undefined) {
      PodSandboxStateValue.encode(message.state, writer.uint32(18).fork()).join();
    }
    globalThis.Object.entries(message.labelSelector).forEach(([key, value]: [string, string]) => {
      PodSandboxFilter_LabelSelectorEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxFilter {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxFilter();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.state = PodSandboxStateValue.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = PodSandboxFilter_LabelSelectorEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.labelSelector[entry3.key] = entry3.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxFilter>): PodSandboxFilter {
    return PodSandboxFilter.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxFilter>): PodSandboxFilter {
    const message = createBasePodSandboxFilter();
    message.id = object.id ?? "";
    message.state = (object.state !== undefined && object.state !== null)
      ? PodSandboxStateValue.fromPartial(object.state)
      : undefined;
    message.labelSelector = (globalThis.Object.entries(object.labelSelector ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBasePodSandboxFilter_LabelSelectorEntry(): PodSandboxFilter_LabelSelectorEntry {
  return { key: "", value: "" };
}

export const PodSandboxFilter_LabelSelectorEntry: MessageFns<PodSandboxFilter_LabelSelectorEntry> = {
  encode(message: PodSandboxFilter_LabelSelectorEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxFilter_LabelSelectorEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxFilter_LabelSelectorEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxFilter_LabelSelectorEntry>): PodSandboxFilter_LabelSelectorEntry {
    return PodSandboxFilter_LabelSelectorEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxFilter_LabelSelectorEntry>): PodSandboxFilter_LabelSelectorEntry {
    const message = createBasePodSandboxFilter_LabelSelectorEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseListPodSandboxRequest(): ListPodSandboxRequest {
  return { filter: undefined };
}

export const ListPodSandboxRequest: MessageFns<ListPodSandboxRequest> = {
  encode(message: ListPodSandboxRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      PodSandboxFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodSandboxRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodSandboxRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = PodSandboxFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListPodSandboxRequest>): ListPodSandboxRequest {
    return ListPodSandboxRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListPodSandboxRequest>): ListPodSandboxRequest {
    const message = createBaseListPodSandboxRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? PodSandboxFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBasePodSandbox(): PodSandbox {
  return { id: "", metadata: undefined, state: 0, createdAt: 0n, labels: {}, annotations: {}, runtimeHandler: "" };
}

export const PodSandbox: MessageFns<PodSandbox> = {
  encode(message: PodSandbox, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    if (message.metadata !== undefined) {
      PodSandboxMetadata.encode(message.metadata, writer.uint32(18).fork()).join();
    }
    if (message.state !== 0) {
      writer.uint32(24).int32(message.state);
    }
    if (message.createdAt !== 0n) {
      if (BigInt.asIntN(64, message.createdAt) !== message.createdAt) {
        throw new globalThis.Error("value provided for field message.createdAt of type int64 too large");
      }
      writer.uint32(32).int64(message.createdAt);
    }
    globalThis.Object.entries(message.labels).forEach(([key, value]: [string, string]) => {
      PodSandbox_LabelsEntry.encode({ key: key as any, value }, writer.uint32(42).fork()).join();
    });
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      PodSandbox_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(50).fork()).join();
    });
    if (message.runtimeHandler !== "") {
      writer.uint32(58).string(message.runtimeHandler);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandbox {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandbox();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.metadata = PodSandboxMetadata.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.state = reader.int32() as any;
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.createdAt = reader.int64() as bigint;
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            const entry5 = PodSandbox_LabelsEntry.decode(reader, reader.uint32());
            if (entry5.value !== undefined) {
              message.labels[entry5.key] = entry5.value;
            }
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            const entry6 = PodSandbox_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry6.value !== undefined) {
              message.annotations[entry6.key] = entry6.value;
            }
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            message.runtimeHandler = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandbox>): PodSandbox {
    return PodSandbox.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandbox>): PodSandbox {
    const message = createBasePodSandbox();
    message.id = object.id ?? "";
    message.metadata = (object.metadata !== undefined && object.metadata !== null)
      ? PodSandboxMetadata.fromPartial(object.metadata)
      : undefined;
    message.state = object.state ?? 0;
    message.createdAt = (object.createdAt !== undefined && object.createdAt !== null) ? BigInt(object.createdAt) : 0n;
    message.labels = (globalThis.Object.entries(object.labels ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.runtimeHandler = object.runtimeHandler ?? "";
    return message;
  },
};

function createBasePodSandbox_LabelsEntry(): PodSandbox_LabelsEntry {
  return { key: "", value: "" };
}

export const PodSandbox_LabelsEntry: MessageFns<PodSandbox_LabelsEntry> = {
  encode(message: PodSandbox_LabelsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandbox_LabelsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandbox_LabelsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandbox_LabelsEntry>): PodSandbox_LabelsEntry {
    return PodSandbox_LabelsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandbox_LabelsEntry>): PodSandbox_LabelsEntry {
    const message = createBasePodSandbox_LabelsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBasePodSandbox_AnnotationsEntry(): PodSandbox_AnnotationsEntry {
  return { key: "", value: "" };
}

export const PodSandbox_AnnotationsEntry: MessageFns<PodSandbox_AnnotationsEntry> = {
  encode(message: PodSandbox_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandbox_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandbox_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandbox_AnnotationsEntry>): PodSandbox_AnnotationsEntry {
    return PodSandbox_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandbox_AnnotationsEntry>): PodSandbox_AnnotationsEntry {
    const message = createBasePodSandbox_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseListPodSandboxResponse(): ListPodSandboxResponse {
  return { items: [] };
}

export const ListPodSandboxResponse: MessageFns<ListPodSandboxResponse> = {
  encode(message: ListPodSandboxResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.items) {
      PodSandbox.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodSandboxResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodSandboxResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.items.push(PodSandbox.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListPodSandboxResponse>): ListPodSandboxResponse {
    return ListPodSandboxResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListPodSandboxResponse>): ListPodSandboxResponse {
    const message = createBaseListPodSandboxResponse();
    message.items = object.items?.map((e) => PodSandbox.fromPartial(e)) || [];
    return message;
  },
};

function createBaseStreamPodSandboxesRequest(): StreamPodSandboxesRequest {
  return { filter: undefined };
}

export const StreamPodSandboxesRequest: MessageFns<StreamPodSandboxesRequest> = {
  encode(message: StreamPodSandboxesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      PodSandboxFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamPodSandboxesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamPodSandboxesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = PodSandboxFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamPodSandboxesRequest>): StreamPodSandboxesRequest {
    return StreamPodSandboxesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamPodSandboxesRequest>): StreamPodSandboxesRequest {
    const message = createBaseStreamPodSandboxesRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? PodSandboxFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBaseStreamPodSandboxesResponse(): StreamPodSandboxesResponse {
  return { podSandboxes: [] };
}

export const StreamPodSandboxesResponse: MessageFns<StreamPodSandboxesResponse> = {
  encode(message: StreamPodSandboxesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.podSandboxes) {
      PodSandbox.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamPodSandboxesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamPodSandboxesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxes.push(PodSandbox.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamPodSandboxesResponse>): StreamPodSandboxesResponse {
    return StreamPodSandboxesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamPodSandboxesResponse>): StreamPodSandboxesResponse {
    const message = createBaseStreamPodSandboxesResponse();
    message.podSandboxes = object.podSandboxes?.map((e) => PodSandbox.fromPartial(e)) || [];
    return message;
  },
};

function createBasePodSandboxStatsRequest(): PodSandboxStatsRequest {
  return { podSandboxId: "" };
}

export const PodSandboxStatsRequest: MessageFns<PodSandboxStatsRequest> = {
  encode(message: PodSandboxStatsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podSandboxId !== "") {
      writer.uint32(10).string(message.podSandboxId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatsRequest>): PodSandboxStatsRequest {
    return PodSandboxStatsRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatsRequest>): PodSandboxStatsRequest {
    const message = createBasePodSandboxStatsRequest();
    message.podSandboxId = object.podSandboxId ?? "";
    return message;
  },
};

function createBasePodSandboxStatsResponse(): PodSandboxStatsResponse {
  return { stats: undefined };
}

export const PodSandboxStatsResponse: MessageFns<PodSandboxStatsResponse> = {
  encode(message: PodSandboxStatsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.stats !== undefined) {
      PodSandboxStats.encode(message.stats, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.stats = PodSandboxStats.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatsResponse>): PodSandboxStatsResponse {
    return PodSandboxStatsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatsResponse>): PodSandboxStatsResponse {
    const message = createBasePodSandboxStatsResponse();
    message.stats = (object.stats !== undefined && object.stats !== null)
      ? PodSandboxStats.fromPartial(object.stats)
      : undefined;
    return message;
  },
};

function createBasePodSandboxStatsFilter(): PodSandboxStatsFilter {
  return { id: "", labelSelector: {} };
}

export const PodSandboxStatsFilter: MessageFns<PodSandboxStatsFilter> = {
  encode(message: PodSandboxStatsFilter, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    globalThis.Object.entries(message.labelSelector).forEach(([key, value]: [string, string]) => {
      PodSandboxStatsFilter_LabelSelectorEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatsFilter {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatsFilter();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = PodSandboxStatsFilter_LabelSelectorEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.labelSelector[entry2.key] = entry2.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatsFilter>): PodSandboxStatsFilter {
    return PodSandboxStatsFilter.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatsFilter>): PodSandboxStatsFilter {
    const message = createBasePodSandboxStatsFilter();
    message.id = object.id ?? "";
    message.labelSelector = (globalThis.Object.entries(object.labelSelector ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBasePodSandboxStatsFilter_LabelSelectorEntry(): PodSandboxStatsFilter_LabelSelectorEntry {
  return { key: "", value: "" };
}

export const PodSandboxStatsFilter_LabelSelectorEntry: MessageFns<PodSandboxStatsFilter_LabelSelectorEntry> = {
  encode(message: PodSandboxStatsFilter_LabelSelectorEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStatsFilter_LabelSelectorEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStatsFilter_LabelSelectorEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStatsFilter_LabelSelectorEntry>): PodSandboxStatsFilter_LabelSelectorEntry {
    return PodSandboxStatsFilter_LabelSelectorEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStatsFilter_LabelSelectorEntry>): PodSandboxStatsFilter_LabelSelectorEntry {
    const message = createBasePodSandboxStatsFilter_LabelSelectorEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseListPodSandboxStatsRequest(): ListPodSandboxStatsRequest {
  return { filter: undefined };
}

export const ListPodSandboxStatsRequest: MessageFns<ListPodSandboxStatsRequest> = {
  encode(message: ListPodSandboxStatsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      PodSandboxStatsFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodSandboxStatsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodSandboxStatsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = PodSandboxStatsFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListPodSandboxStatsRequest>): ListPodSandboxStatsRequest {
    return ListPodSandboxStatsRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListPodSandboxStatsRequest>): ListPodSandboxStatsRequest {
    const message = createBaseListPodSandboxStatsRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? PodSandboxStatsFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBaseListPodSandboxStatsResponse(): ListPodSandboxStatsResponse {
  return { stats: [] };
}

export const ListPodSandboxStatsResponse: MessageFns<ListPodSandboxStatsResponse> = {
  encode(message: ListPodSandboxStatsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.stats) {
      PodSandboxStats.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodSandboxStatsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodSandboxStatsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.stats.push(PodSandboxStats.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListPodSandboxStatsResponse>): ListPodSandboxStatsResponse {
    return ListPodSandboxStatsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListPodSandboxStatsResponse>): ListPodSandboxStatsResponse {
    const message = createBaseListPodSandboxStatsResponse();
    message.stats = object.stats?.map((e) => PodSandboxStats.fromPartial(e)) || [];
    return message;
  },
};

function createBaseStreamPodSandboxStatsRequest(): StreamPodSandboxStatsRequest {
  return { filter: undefined };
}

export const StreamPodSandboxStatsRequest: MessageFns<StreamPodSandboxStatsRequest> = {
  encode(message: StreamPodSandboxStatsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      PodSandboxStatsFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamPodSandboxStatsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamPodSandboxStatsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = PodSandboxStatsFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamPodSandboxStatsRequest>): StreamPodSandboxStatsRequest {
    return StreamPodSandboxStatsRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamPodSandboxStatsRequest>): StreamPodSandboxStatsRequest {
    const message = createBaseStreamPodSandboxStatsRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? PodSandboxStatsFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBaseStreamPodSandboxStatsResponse(): StreamPodSandboxStatsResponse {
  return { podSandboxStats: [] };
}

export const StreamPodSandboxStatsResponse: MessageFns<StreamPodSandboxStatsResponse> = {
  encode(message: StreamPodSandboxStatsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.podSandboxStats) {
      PodSandboxStats.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamPodSandboxStatsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamPodSandboxStatsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxStats.push(PodSandboxStats.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamPodSandboxStatsResponse>): StreamPodSandboxStatsResponse {
    return StreamPodSandboxStatsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamPodSandboxStatsResponse>): StreamPodSandboxStatsResponse {
    const message = createBaseStreamPodSandboxStatsResponse();
    message.podSandboxStats = object.podSandboxStats?.map((e) => PodSandboxStats.fromPartial(e)) || [];
    return message;
  },
};

function createBasePodSandboxAttributes(): PodSandboxAttributes {
  return { id: "", metadata: undefined, labels: {}, annotations: {} };
}

export const PodSandboxAttributes: MessageFns<PodSandboxAttributes> = {
  encode(message: PodSandboxAttributes, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    if (message.metadata !== undefined) {
      PodSandboxMetadata.encode(message.metadata, writer.uint32(18).fork()).join();
    }
    globalThis.Object.entries(message.labels).forEach(([key, value]: [string, string]) => {
      PodSandboxAttributes_LabelsEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      PodSandboxAttributes_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(34).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxAttributes {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxAttributes();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.metadata = PodSandboxMetadata.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = PodSandboxAttributes_LabelsEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.labels[entry3.key] = entry3.value;
            }
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = PodSandboxAttributes_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.annotations[entry4.key] = entry4.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxAttributes>): PodSandboxAttributes {
    return PodSandboxAttributes.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxAttributes>): PodSandboxAttributes {
    const message = createBasePodSandboxAttributes();
    message.id = object.id ?? "";
    message.metadata = (object.metadata !== undefined && object.metadata !== null)
      ? PodSandboxMetadata.fromPartial(object.metadata)
      : undefined;
    message.labels = (globalThis.Object.entries(object.labels ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBasePodSandboxAttributes_LabelsEntry(): PodSandboxAttributes_LabelsEntry {
  return { key: "", value: "" };
}

export const PodSandboxAttributes_LabelsEntry: MessageFns<PodSandboxAttributes_LabelsEntry> = {
  encode(message: PodSandboxAttributes_LabelsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxAttributes_LabelsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxAttributes_LabelsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxAttributes_LabelsEntry>): PodSandboxAttributes_LabelsEntry {
    return PodSandboxAttributes_LabelsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxAttributes_LabelsEntry>): PodSandboxAttributes_LabelsEntry {
    const message = createBasePodSandboxAttributes_LabelsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBasePodSandboxAttributes_AnnotationsEntry(): PodSandboxAttributes_AnnotationsEntry {
  return { key: "", value: "" };
}

export const PodSandboxAttributes_AnnotationsEntry: MessageFns<PodSandboxAttributes_AnnotationsEntry> = {
  encode(message: PodSandboxAttributes_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxAttributes_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxAttributes_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxAttributes_AnnotationsEntry>): PodSandboxAttributes_AnnotationsEntry {
    return PodSandboxAttributes_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxAttributes_AnnotationsEntry>): PodSandboxAttributes_AnnotationsEntry {
    const message = createBasePodSandboxAttributes_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBasePodSandboxStats(): PodSandboxStats {
  return { attributes: undefined, linux: undefined, windows: undefined };
}

export const PodSandboxStats: MessageFns<PodSandboxStats> = {
  encode(message: PodSandboxStats, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.attributes !== undefined) {
      PodSandboxAttributes.encode(message.attributes, writer.uint32(10).fork()).join();
    }
    if (message.linux !== undefined) {
      LinuxPodSandboxStats.encode(message.linux, writer.uint32(18).fork()).join();
    }
    if (message.windows !== undefined) {
      WindowsPodSandboxStats.encode(message.windows, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxStats {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxStats();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.attributes = PodSandboxAttributes.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.linux = LinuxPodSandboxStats.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.windows = WindowsPodSandboxStats.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxStats>): PodSandboxStats {
    return PodSandboxStats.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxStats>): PodSandboxStats {
    const message = createBasePodSandboxStats();
    message.attributes = (object.attributes !== undefined && object.attributes !== null)
      ? PodSandboxAttributes.fromPartial(object.attributes)
      : undefined;
    message.linux = (object.linux !== undefined && object.linux !== null)
      ? LinuxPodSandboxStats.fromPartial(object.linux)
      : undefined;
    message.windows = (object.windows !== undefined && object.windows !== null)
      ? WindowsPodSandboxStats.fromPartial(object.windows)
      : undefined;
    return message;
  },
};

function createBaseLinuxPodSandboxStats(): LinuxPodSandboxStats {
  return { cpu: undefined, memory: undefined, network: undefined, process: undefined, containers: [], io: undefined };
}

export const LinuxPodSandboxStats: MessageFns<LinuxPodSandboxStats> = {
  encode(message: LinuxPodSandboxStats, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.cpu !== undefined) {
      CpuUsage.encode(message.cpu, writer.uint32(10).fork()).join();
    }
    if (message.memory !== undefined) {
      MemoryUsage.encode(message.memory, writer.uint32(18).fork()).join();
    }
    if (message.network !== undefined) {
      NetworkUsage.encode(message.network, writer.uint32(26).fork()).join();
    }
    if (message.process !== undefined) {
      ProcessUsage.encode(message.process, writer.uint32(34).fork()).join();
    }
    for (const v of message.containers) {
      ContainerStats.encode(v!, writer.uint32(42).fork()).join();
    }
    if (message.io !== undefined) {
      IoUsage.encode(message.io, writer.uint32(50).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxPodSandboxStats {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxPodSandboxStats();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.cpu = CpuUsage.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.memory = MemoryUsage.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.network = NetworkUsage.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.process = ProcessUsage.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.containers.push(ContainerStats.decode(reader, reader.uint32()));
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.io = IoUsage.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxPodSandboxStats>): LinuxPodSandboxStats {
    return LinuxPodSandboxStats.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxPodSandboxStats>): LinuxPodSandboxStats {
    const message = createBaseLinuxPodSandboxStats();
    message.cpu = (object.cpu !== undefined && object.cpu !== null) ? CpuUsage.fromPartial(object.cpu) : undefined;
    message.memory = (object.memory !== undefined && object.memory !== null)
      ? MemoryUsage.fromPartial(object.memory)
      : undefined;
    message.network = (object.network !== undefined && object.network !== null)
      ? NetworkUsage.fromPartial(object.network)
      : undefined;
    message.process = (object.process !== undefined && object.process !== null)
      ? ProcessUsage.fromPartial(object.process)
      : undefined;
    message.containers = object.containers?.map((e) => ContainerStats.fromPartial(e)) || [];
    message.io = (object.io !== undefined && object.io !== null) ? IoUsage.fromPartial(object.io) : undefined;
    return message;
  },
};

function createBaseWindowsPodSandboxStats(): WindowsPodSandboxStats {
  return { cpu: undefined, memory: undefined, network: undefined, process: undefined, containers: [] };
}

export const WindowsPodSandboxStats: MessageFns<WindowsPodSandboxStats> = {
  encode(message: WindowsPodSandboxStats, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.cpu !== undefined) {
      WindowsCpuUsage.encode(message.cpu, writer.uint32(10).fork()).join();
    }
    if (message.memory !== undefined) {
      WindowsMemoryUsage.encode(message.memory, writer.uint32(18).fork()).join();
    }
    if (message.network !== undefined) {
      WindowsNetworkUsage.encode(message.network, writer.uint32(26).fork()).join();
    }
    if (message.process !== undefined) {
      WindowsProcessUsage.encode(message.process, writer.uint32(34).fork()).join();
    }
    for (const v of message.containers) {
      WindowsContainerStats.encode(v!, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsPodSandboxStats {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsPodSandboxStats();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.cpu = WindowsCpuUsage.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.memory = WindowsMemoryUsage.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.network = WindowsNetworkUsage.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.process = WindowsProcessUsage.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.containers.push(WindowsContainerStats.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsPodSandboxStats>): WindowsPodSandboxStats {
    return WindowsPodSandboxStats.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsPodSandboxStats>): WindowsPodSandboxStats {
    const message = createBaseWindowsPodSandboxStats();
    message.cpu = (object.cpu !== undefined && object.cpu !== null)
      ? WindowsCpuUsage.fromPartial(object.cpu)
      : undefined;
    message.memory = (object.memory !== undefined && object.memory !== null)
      ? WindowsMemoryUsage.fromPartial(object.memory)
      : undefined;
    message.network = (object.network !== undefined && object.network !== null)
      ? WindowsNetworkUsage.fromPartial(object.network)
      : undefined;
    message.process = (object.process !== undefined && object.process !== null)
      ? WindowsProcessUsage.fromPartial(object.process)
      : undefined;
    message.containers = object.containers?.map((e) => WindowsContainerStats.fromPartial(e)) || [];
    return message;
  },
};

function createBaseNetworkUsage(): NetworkUsage {
  return { timestamp: 0n, defaultInterface: undefined, interfaces: [] };
}

export const NetworkUsage: MessageFns<NetworkUsage> = {
  encode(message: NetworkUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.defaultInterface !== undefined) {
      NetworkInterfaceUsage.encode(message.defaultInterface, writer.uint32(18).fork()).join();
    }
    for (const v of message.interfaces) {
      NetworkInterfaceUsage.encode(v!, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NetworkUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNetworkUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.defaultInterface = NetworkInterfaceUsage.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.interfaces.push(NetworkInterfaceUsage.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NetworkUsage>): NetworkUsage {
    return NetworkUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NetworkUsage>): NetworkUsage {
    const message = createBaseNetworkUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.defaultInterface = (object.defaultInterface !== undefined && object.defaultInterface !== null)
      ? NetworkInterfaceUsage.fromPartial(object.defaultInterface)
      : undefined;
    message.interfaces = object.interfaces?.map((e) => NetworkInterfaceUsage.fromPartial(e)) || [];
    return message;
  },
};

function createBaseWindowsNetworkUsage(): WindowsNetworkUsage {
  return { timestamp: 0n, defaultInterface: undefined, interfaces: [] };
}

export const WindowsNetworkUsage: MessageFns<WindowsNetworkUsage> = {
  encode(message: WindowsNetworkUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.defaultInterface !== undefined) {
      WindowsNetworkInterfaceUsage.encode(message.defaultInterface, writer.uint32(18).fork()).join();
    }
    for (const v of message.interfaces) {
      WindowsNetworkInterfaceUsage.encode(v!, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsNetworkUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsNetworkUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.defaultInterface = WindowsNetworkInterfaceUsage.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.interfaces.push(WindowsNetworkInterfaceUsage.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsNetworkUsage>): WindowsNetworkUsage {
    return WindowsNetworkUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsNetworkUsage>): WindowsNetworkUsage {
    const message = createBaseWindowsNetworkUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.defaultInterface = (object.defaultInterface !== undefined && object.defaultInterface !== null)
      ? WindowsNetworkInterfaceUsage.fromPartial(object.defaultInterface)
      : undefined;
    message.interfaces = object.interfaces?.map((e) => WindowsNetworkInterfaceUsage.fromPartial(e)) || [];
    return message;
  },
};

function createBaseNetworkInterfaceUsage(): NetworkInterfaceUsage {
  return { name: "", rxBytes: undefined, rxErrors: undefined, txBytes: undefined, txErrors: undefined };
}

export const NetworkInterfaceUsage: MessageFns<NetworkInterfaceUsage> = {
  encode(message: NetworkInterfaceUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.rxBytes !== undefined) {
      UInt64Value.encode(message.rxBytes, writer.uint32(18).fork()).join();
    }
    if (message.rxErrors !== undefined) {
      UInt64Value.encode(message.rxErrors, writer.uint32(26).fork()).join();
    }
    if (message.txBytes !== undefined) {
      UInt64Value.encode(message.txBytes, writer.uint32(34).fork()).join();
    }
    if (message.txErrors !== undefined) {
      UInt64Value.encode(message.txErrors, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NetworkInterfaceUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNetworkInterfaceUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.rxBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.rxErrors = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.txBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.txErrors = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NetworkInterfaceUsage>): NetworkInterfaceUsage {
    return NetworkInterfaceUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NetworkInterfaceUsage>): NetworkInterfaceUsage {
    const message = createBaseNetworkInterfaceUsage();
    message.name = object.name ?? "";
    message.rxBytes = (object.rxBytes !== undefined && object.rxBytes !== null)
      ? UInt64Value.fromPartial(object.rxBytes)
      : undefined;
    message.rxErrors = (object.rxErrors !== undefined && object.rxErrors !== null)
      ? UInt64Value.fromPartial(object.rxErrors)
      : undefined;
    message.txBytes = (object.txBytes !== undefined && object.txBytes !== null)
      ? UInt64Value.fromPartial(object.txBytes)
      : undefined;
    message.txErrors = (object.txErrors !== undefined && object.txErrors !== null)
      ? UInt64Value.fromPartial(object.txErrors)
      : undefined;
    return message;
  },
};

function createBaseWindowsNetworkInterfaceUsage(): WindowsNetworkInterfaceUsage {
  return { name: "", rxBytes: undefined, rxPacketsDropped: undefined, txBytes: undefined, txPacketsDropped: undefined };
}

export const WindowsNetworkInterfaceUsage: MessageFns<WindowsNetworkInterfaceUsage> = {
  encode(message: WindowsNetworkInterfaceUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.rxBytes !== undefined) {
      UInt64Value.encode(message.rxBytes, writer.uint32(18).fork()).join();
    }
    if (message.rxPacketsDropped !== undefined) {
      UInt64Value.encode(message.rxPacketsDropped, writer.uint32(26).fork()).join();
    }
    if (message.txBytes !== undefined) {
      UInt64Value.encode(message.txBytes, writer.uint32(34).fork()).join();
    }
    if (message.txPacketsDropped !== undefined) {
      UInt64Value.encode(message.txPacketsDropped, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsNetworkInterfaceUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsNetworkInterfaceUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.rxBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.rxPacketsDropped = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.txBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.txPacketsDropped = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsNetworkInterfaceUsage>): WindowsNetworkInterfaceUsage {
    return WindowsNetworkInterfaceUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsNetworkInterfaceUsage>): WindowsNetworkInterfaceUsage {
    const message = createBaseWindowsNetworkInterfaceUsage();
    message.name = object.name ?? "";
    message.rxBytes = (object.rxBytes !== undefined && object.rxBytes !== null)
      ? UInt64Value.fromPartial(object.rxBytes)
      : undefined;
    message.rxPacketsDropped = (object.rxPacketsDropped !== undefined && object.rxPacketsDropped !== null)
      ? UInt64Value.fromPartial(object.rxPacketsDropped)
      : undefined;
    message.txBytes = (object.txBytes !== undefined && object.txBytes !== null)
      ? UInt64Value.fromPartial(object.txBytes)
      : undefined;
    message.txPacketsDropped = (object.txPacketsDropped !== undefined && object.txPacketsDropped !== null)
      ? UInt64Value.fromPartial(object.txPacketsDropped)
      : undefined;
    return message;
  },
};

function createBaseProcessUsage(): ProcessUsage {
  return { timestamp: 0n, processCount: undefined };
}

export const ProcessUsage: MessageFns<ProcessUsage> = {
  encode(message: ProcessUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.processCount !== undefined) {
      UInt64Value.encode(message.processCount, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ProcessUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseProcessUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.processCount = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ProcessUsage>): ProcessUsage {
    return ProcessUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ProcessUsage>): ProcessUsage {
    const message = createBaseProcessUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.processCount = (object.processCount !== undefined && object.processCount !== null)
      ? UInt64Value.fromPartial(object.processCount)
      : undefined;
    return message;
  },
};

function createBaseWindowsProcessUsage(): WindowsProcessUsage {
  return { timestamp: 0n, processCount: undefined };
}

export const WindowsProcessUsage: MessageFns<WindowsProcessUsage> = {
  encode(message: WindowsProcessUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.processCount !== undefined) {
      UInt64Value.encode(message.processCount, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsProcessUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsProcessUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.processCount = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsProcessUsage>): WindowsProcessUsage {
    return WindowsProcessUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsProcessUsage>): WindowsProcessUsage {
    const message = createBaseWindowsProcessUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.processCount = (object.processCount !== undefined && object.processCount !== null)
      ? UInt64Value.fromPartial(object.processCount)
      : undefined;
    return message;
  },
};

function createBaseImageSpec(): ImageSpec {
  return { image: "", annotations: {}, userSpecifiedImage: "", runtimeHandler: "", imageRef: "" };
}

export const ImageSpec: MessageFns<ImageSpec> = {
  encode(message: ImageSpec, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.image !== "") {
      writer.uint32(10).string(message.image);
    }
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      ImageSpec_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    if (message.userSpecifiedImage !== "") {
      writer.uint32(146).string(message.userSpecifiedImage);
    }
    if (message.runtimeHandler !== "") {
      writer.uint32(154).string(message.runtimeHandler);
    }
    if (message.imageRef !== "") {
      writer.uint32(162).string(message.imageRef);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ImageSpec {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseImageSpec();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.image = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = ImageSpec_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.annotations[entry2.key] = entry2.value;
            }
            continue;
          }
          case 18: {
            if (tag !== 146) {
              break;
            }

            message.userSpecifiedImage = reader.string();
            continue;
          }
          case 19: {
            if (tag !== 154) {
              break;
            }

            message.runtimeHandler = reader.string();
            continue;
          }
          case 20: {
            if (tag !== 162) {
              break;
            }

            message.imageRef = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ImageSpec>): ImageSpec {
    return ImageSpec.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ImageSpec>): ImageSpec {
    const message = createBaseImageSpec();
    message.image = object.image ?? "";
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.userSpecifiedImage = object.userSpecifiedImage ?? "";
    message.runtimeHandler = object.runtimeHandler ?? "";
    message.imageRef = object.imageRef ?? "";
    return message;
  },
};

function createBaseImageSpec_AnnotationsEntry(): ImageSpec_AnnotationsEntry {
  return { key: "", value: "" };
}

export const ImageSpec_AnnotationsEntry: MessageFns<ImageSpec_AnnotationsEntry> = {
  encode(message: ImageSpec_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ImageSpec_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseImageSpec_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ImageSpec_AnnotationsEntry>): ImageSpec_AnnotationsEntry {
    return ImageSpec_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ImageSpec_AnnotationsEntry>): ImageSpec_AnnotationsEntry {
    const message = createBaseImageSpec_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseKeyValue(): KeyValue {
  return { key: "", value: Buffer.alloc(0) };
}

export const KeyValue: MessageFns<KeyValue> = {
  encode(message: KeyValue, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value.length !== 0) {
      writer.uint32(18).bytes(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): KeyValue {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseKeyValue();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = Buffer.from(reader.bytes());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<KeyValue>): KeyValue {
    return KeyValue.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<KeyValue>): KeyValue {
    const message = createBaseKeyValue();
    message.key = object.key ?? "";
    message.value = object.value ?? Buffer.alloc(0);
    return message;
  },
};

function createBaseLinuxContainerResources(): LinuxContainerResources {
  return {
    cpuPeriod: 0n,
    cpuQuota: 0n,
    cpuShares: 0n,
    memoryLimitInBytes: 0n,
    oomScoreAdj: 0n,
    cpusetCpus: "",
    cpusetMems: "",
    hugepageLimits: [],
    unified: {},
    memorySwapLimitInBytes: 0n,
  };
}

export const LinuxContainerResources: MessageFns<LinuxContainerResources> = {
  encode(message: LinuxContainerResources, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.cpuPeriod !== 0n) {
      if (BigInt.asIntN(64, message.cpuPeriod) !== message.cpuPeriod) {
        throw new globalThis.Error("value provided for field message.cpuPeriod of type int64 too large");
      }
      writer.uint32(8).int64(message.cpuPeriod);
    }
    if (message.cpuQuota !== 0n) {
      if (BigInt.asIntN(64, message.cpuQuota) !== message.cpuQuota) {
        throw new globalThis.Error("value provided for field message.cpuQuota of type int64 too large");
      }
      writer.uint32(16).int64(message.cpuQuota);
    }
    if (message.cpuShares !== 0n) {
      if (BigInt.asIntN(64, message.cpuShares) !== message.cpuShares) {
        throw new globalThis.Error("value provided for field message.cpuShares of type int64 too large");
      }
      writer.uint32(24).int64(message.cpuShares);
    }
    if (message.memoryLimitInBytes !== 0n) {
      if (BigInt.asIntN(64, message.memoryLimitInBytes) !== message.memoryLimitInBytes) {
        throw new globalThis.Error("value provided for field message.memoryLimitInBytes of type int64 too large");
      }
      writer.uint32(32).int64(message.memoryLimitInBytes);
    }
    if (message.oomScoreAdj !== 0n) {
      if (BigInt.asIntN(64, message.oomScoreAdj) !== message.oomScoreAdj) {
        throw new globalThis.Error("value provided for field message.oomScoreAdj of type int64 too large");
      }
      writer.uint32(40).int64(message.oomScoreAdj);
    }
    if (message.cpusetCpus !== "") {
      writer.uint32(50).string(message.cpusetCpus);
    }
    if (message.cpusetMems !== "") {
      writer.uint32(58).string(message.cpusetMems);
    }
    for (const v of message.hugepageLimits) {
      HugepageLimit.encode(v!, writer.uint32(66).fork()).join();
    }
    globalThis.Object.entries(message.unified).forEach(([key, value]: [string, string]) => {
      LinuxContainerResources_UnifiedEntry.encode({ key: key as any, value }, writer.uint32(74).fork()).join();
    });
    if (message.memorySwapLimitInBytes !== 0n) {
      if (BigInt.asIntN(64, message.memorySwapLimitInBytes) !== message.memorySwapLimitInBytes) {
        throw new globalThis.Error("value provided for field message.memorySwapLimitInBytes of type int64 too large");
      }
      writer.uint32(80).int64(message.memorySwapLimitInBytes);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxContainerResources {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxContainerResources();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.cpuPeriod = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.cpuQuota = reader.int64() as bigint;
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.cpuShares = reader.int64() as bigint;
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.memoryLimitInBytes = reader.int64() as bigint;
            continue;
          }
          case 5: {
            if (tag !== 40) {
              break;
            }

            message.oomScoreAdj = reader.int64() as bigint;
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.cpusetCpus = reader.string();
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            message.cpusetMems = reader.string();
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            message.hugepageLimits.push(HugepageLimit.decode(reader, reader.uint32()));
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            const entry9 = LinuxContainerResources_UnifiedEntry.decode(reader, reader.uint32());
            if (entry9.value !== undefined) {
              message.unified[entry9.key] = entry9.value;
            }
            continue;
          }
          case 10: {
            if (tag !== 80) {
              break;
            }

            message.memorySwapLimitInBytes = reader.int64() as bigint;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxContainerResources>): LinuxContainerResources {
    return LinuxContainerResources.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxContainerResources>): LinuxContainerResources {
    const message = createBaseLinuxContainerResources();
    message.cpuPeriod = (object.cpuPeriod !== undefined && object.cpuPeriod !== null) ? BigInt(object.cpuPeriod) : 0n;
    message.cpuQuota = (object.cpuQuota !== undefined && object.cpuQuota !== null) ? BigInt(object.cpuQuota) : 0n;
    message.cpuShares = (object.cpuShares !== undefined && object.cpuShares !== null) ? BigInt(object.cpuShares) : 0n;
    message.memoryLimitInBytes = (object.memoryLimitInBytes !== undefined && object.memoryLimitInBytes !== null)
      ? BigInt(object.memoryLimitInBytes)
      : 0n;
    message.oomScoreAdj = (object.oomScoreAdj !== undefined && object.oomScoreAdj !== null)
      ? BigInt(object.oomScoreAdj)
      : 0n;
    message.cpusetCpus = object.cpusetCpus ?? "";
    message.cpusetMems = object.cpusetMems ?? "";
    message.hugepageLimits = object.hugepageLimits?.map((e) => HugepageLimit.fromPartial(e)) || [];
    message.unified = (globalThis.Object.entries(object.unified ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.memorySwapLimitInBytes =
      (object.memorySwapLimitInBytes !== undefined && object.memorySwapLimitInBytes !== null)
        ? BigInt(object.memorySwapLimitInBytes)
        : 0n;
    return message;
  },
};

function createBaseLinuxContainerResources_UnifiedEntry(): LinuxContainerResources_UnifiedEntry {
  return { key: "", value: "" };
}

export const LinuxContainerResources_UnifiedEntry: MessageFns<LinuxContainerResources_UnifiedEntry> = {
  encode(message: LinuxContainerResources_UnifiedEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxContainerResources_UnifiedEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxContainerResources_UnifiedEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxContainerResources_UnifiedEntry>): LinuxContainerResources_UnifiedEntry {
    return LinuxContainerResources_UnifiedEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxContainerResources_UnifiedEntry>): LinuxContainerResources_UnifiedEntry {
    const message = createBaseLinuxContainerResources_UnifiedEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseHugepageLimit(): HugepageLimit {
  return { pageSize: "", limit: 0n };
}

export const HugepageLimit: MessageFns<HugepageLimit> = {
  encode(message: HugepageLimit, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.pageSize !== "") {
      writer.uint32(10).string(message.pageSize);
    }
    if (message.limit !== 0n) {
      if (BigInt.asUintN(64, message.limit) !== message.limit) {
        throw new globalThis.Error("value provided for field message.limit of type uint64 too large");
      }
      writer.uint32(16).uint64(message.limit);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): HugepageLimit {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseHugepageLimit();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.pageSize = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.limit = reader.uint64() as bigint;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<HugepageLimit>): HugepageLimit {
    return HugepageLimit.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<HugepageLimit>): HugepageLimit {
    const message = createBaseHugepageLimit();
    message.pageSize = object.pageSize ?? "";
    message.limit = (object.limit !== undefined && object.limit !== null) ? BigInt(object.limit) : 0n;
    return message;
  },
};

function createBaseSELinuxOption(): SELinuxOption {
  return { user: "", role: "", type: "", level: "" };
}

export const SELinuxOption: MessageFns<SELinuxOption> = {
  encode(message: SELinuxOption, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.user !== "") {
      writer.uint32(10).string(message.user);
    }
    if (message.role !== "") {
      writer.uint32(18).string(message.role);
    }
    if (message.type !== "") {
      writer.uint32(26).string(message.type);
    }
    if (message.level !== "") {
      writer.uint32(34).string(message.level);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): SELinuxOption {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseSELinuxOption();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.user = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.role = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.type = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.level = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<SELinuxOption>): SELinuxOption {
    return SELinuxOption.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<SELinuxOption>): SELinuxOption {
    const message = createBaseSELinuxOption();
    message.user = object.user ?? "";
    message.role = object.role ?? "";
    message.type = object.type ?? "";
    message.level = object.level ?? "";
    return message;
  },
};

function createBaseCapability(): Capability {
  return { addCapabilities: [], dropCapabilities: [], addAmbientCapabilities: [] };
}

export const Capability: MessageFns<Capability> = {
  encode(message: Capability, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.addCapabilities) {
      writer.uint32(10).string(v!);
    }
    for (const v of message.dropCapabilities) {
      writer.uint32(18).string(v!);
    }
    for (const v of message.addAmbientCapabilities) {
      writer.uint32(26).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Capability {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCapability();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.addCapabilities.push(reader.string());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.dropCapabilities.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.addAmbientCapabilities.push(reader.string());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Capability>): Capability {
    return Capability.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Capability>): Capability {
    const message = createBaseCapability();
    message.addCapabilities = object.addCapabilities?.map((e) => e) || [];
    message.dropCapabilities = object.dropCapabilities?.map((e) => e) || [];
    message.addAmbientCapabilities = object.addAmbientCapabilities?.map((e) => e) || [];
    return message;
  },
};

function createBaseLinuxContainerSecurityContext(): LinuxContainerSecurityContext {
  return {
    capabilities: undefined,
    privileged: false,
    namespaceOptions: undefined,
    selinuxOptions: undefined,
    runAsUser: undefined,
    runAsGroup: undefined,
    runAsUsername: "",
    readonlyRootfs: false,
    supplementalGroups: [],
    supplementalGroupsPolicy: 0,
    noNewPrivs: false,
    maskedPaths: [],
    readonlyPaths: [],
    seccomp: undefined,
    apparmor: undefined,
    apparmorProfile: "",
    seccompProfilePath: "",
  };
}

export const LinuxContainerSecurityContext: MessageFns<LinuxContainerSecurityContext> = {
  encode(message: LinuxContainerSecurityContext, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.capabilities !== undefined) {
      Capability.encode(message.capabilities, writer.uint32(10).fork()).join();
    }
    if (message.privileged !== false) {
      writer.uint32(16).bool(message.privileged);
    }
    if (message.namespaceOptions !== undefined) {
      NamespaceOption.encode(message.namespaceOptions, writer.uint32(26).fork()).join();
    }
    if (message.selinuxOptions !== undefined) {
      SELinuxOption.encode(message.selinuxOptions, writer.uint32(34).fork()).join();
    }
    if (message.runAsUser !== undefined) {
      Int64Value.encode(message.runAsUser, writer.uint32(42).fork()).join();
    }
    if (message.runAsGroup !== undefined) {
      Int64Value.encode(message.runAsGroup, writer.uint32(98).fork()).join();
    }
    if (message.runAsUsername !== "") {
      writer.uint32(50).string(message.runAsUsername);
    }
    if (message.readonlyRootfs !== false) {
      writer.uint32(56).bool(message.readonlyRootfs);
    }
    if (message.supplementalGroups.length !== 0) {
      writer.uint32(66).fork();
      for (const v of message.supplementalGroups) {
        if (BigInt.asIntN(64, v) !== v) {
          throw new globalThis.Error("a value provided in array field supplementalGroups of type int64 is too large");
        }
        writer.int64(v);
      }
      writer.join();
    }
    if (message.supplementalGroupsPolicy !== 0) {
      writer.uint32(136).int32(message.supplementalGroupsPolicy);
    }
    if (message.noNewPrivs !== false) {
      writer.uint32(88).bool(message.noNewPrivs);
    }
    for (const v of message.maskedPaths) {
      writer.uint32(106).string(v!);
    }
    for (const v of message.readonlyPaths) {
      writer.uint32(114).string(v!);
    }
    if (message.seccomp !== undefined) {
      SecurityProfile.encode(message.seccomp, writer.uint32(122).fork()).join();
    }
    if (message.apparmor !== undefined) {
      SecurityProfile.encode(message.apparmor, writer.uint32(130).fork()).join();
    }
    if (message.apparmorProfile !== "") {
      writer.uint32(74).string(message.apparmorProfile);
    }
    if (message.seccompProfilePath !== "") {
      writer.uint32(82).string(message.seccompProfilePath);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxContainerSecurityContext {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxContainerSecurityContext();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.capabilities = Capability.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.privileged = reader.bool();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.namespaceOptions = NamespaceOption.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.selinuxOptions = SELinuxOption.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.runAsUser = Int64Value.decode(reader, reader.uint32());
            continue;
          }
          case 12: {
            if (tag !== 98) {
              break;
            }

            message.runAsGroup = Int64Value.decode(reader, reader.uint32());
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.runAsUsername = reader.string();
            continue;
          }
          case 7: {
            if (tag !== 56) {
              break;
            }

            message.readonlyRootfs = reader.bool();
            continue;
          }
          case 8: {
            if (tag === 64) {
              message.supplementalGroups.push(reader.int64() as bigint);

              continue;
            }

            if (tag === 66) {
              const end2 = reader.uint32() + reader.pos;
              while (reader.pos < end2) {
                message.supplementalGroups.push(reader.int64() as bigint);
              }

              continue;
            }

            break;
          }
          case 17: {
            if (tag !== 136) {
              break;
            }

            message.supplementalGroupsPolicy = reader.int32() as any;
            continue;
          }
          case 11: {
            if (tag !== 88) {
              break;
            }

            message.noNewPrivs = reader.bool();
            continue;
          }
          case 13: {
            if (tag !== 106) {
              break;
            }

            message.maskedPaths.push(reader.string());
            continue;
          }
          case 14: {
            if (tag !== 114) {
              break;
            }

            message.readonlyPaths.push(reader.string());
            continue;
          }
          case 15: {
            if (tag !== 122) {
              break;
            }

            message.seccomp = SecurityProfile.decode(reader, reader.uint32());
            continue;
          }
          case 16: {
            if (tag !== 130) {
              break;
            }

            message.apparmor = SecurityProfile.decode(reader, reader.uint32());
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            message.apparmorProfile = reader.string();
            continue;
          }
          case 10: {
            if (tag !== 82) {
              break;
            }

            message.seccompProfilePath = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxContainerSecurityContext>): LinuxContainerSecurityContext {
    return LinuxContainerSecurityContext.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxContainerSecurityContext>): LinuxContainerSecurityContext {
    const message = createBaseLinuxContainerSecurityContext();
    message.capabilities = (object.capabilities !== undefined && object.capabilities !== null)
      ? Capability.fromPartial(object.capabilities)
      : undefined;
    message.privileged = object.privileged ?? false;
    message.namespaceOptions = (object.namespaceOptions !== undefined && object.namespaceOptions !== null)
      ? NamespaceOption.fromPartial(object.namespaceOptions)
      : undefined;
    message.selinuxOptions = (object.selinuxOptions !== undefined && object.selinuxOptions !== null)
      ? SELinuxOption.fromPartial(object.selinuxOptions)
      : undefined;
    message.runAsUser = (object.runAsUser !== undefined && object.runAsUser !== null)
      ? Int64Value.fromPartial(object.runAsUser)
      : undefined;
    message.runAsGroup = (object.runAsGroup !== undefined && object.runAsGroup !== null)
      ? Int64Value.fromPartial(object.runAsGroup)
      : undefined;
    message.runAsUsername = object.runAsUsername ?? "";
    message.readonlyRootfs = object.readonlyRootfs ?? false;
    message.supplementalGroups = object.supplementalGroups?.map((e) => BigInt(e)) || [];
    message.supplementalGroupsPolicy = object.supplementalGroupsPolicy ?? 0;
    message.noNewPrivs = object.noNewPrivs ?? false;
    message.maskedPaths = object.maskedPaths?.map((e) => e) || [];
    message.readonlyPaths = object.readonlyPaths?.map((e) => e) || [];
    message.seccomp = (object.seccomp !== undefined && object.seccomp !== null)
      ? SecurityProfile.fromPartial(object.seccomp)
      : undefined;
    message.apparmor = (object.apparmor !== undefined && object.apparmor !== null)
      ? SecurityProfile.fromPartial(object.apparmor)
      : undefined;
    message.apparmorProfile = object.apparmorProfile ?? "";
    message.seccompProfilePath = object.seccompProfilePath ?? "";
    return message;
  },
};

function createBaseLinuxContainerConfig(): LinuxContainerConfig {
  return { resources: undefined, securityContext: undefined };
}

export const LinuxContainerConfig: MessageFns<LinuxContainerConfig> = {
  encode(message: LinuxContainerConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.resources !== undefined) {
      LinuxContainerResources.encode(message.resources, writer.uint32(10).fork()).join();
    }
    if (message.securityContext !== undefined) {
      LinuxContainerSecurityContext.encode(message.securityContext, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxContainerConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxContainerConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.resources = LinuxContainerResources.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.securityContext = LinuxContainerSecurityContext.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxContainerConfig>): LinuxContainerConfig {
    return LinuxContainerConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxContainerConfig>): LinuxContainerConfig {
    const message = createBaseLinuxContainerConfig();
    message.resources = (object.resources !== undefined && object.resources !== null)
      ? LinuxContainerResources.fromPartial(object.resources)
      : undefined;
    message.securityContext = (object.securityContext !== undefined && object.securityContext !== null)
      ? LinuxContainerSecurityContext.fromPartial(object.securityContext)
      : undefined;
    return message;
  },
};

function createBaseLinuxContainerUser(): LinuxContainerUser {
  return { uid: 0n, gid: 0n, supplementalGroups: [] };
}

export const LinuxContainerUser: MessageFns<LinuxContainerUser> = {
  encode(message: LinuxContainerUser, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.uid !== 0n) {
      if (BigInt.asIntN(64, message.uid) !== message.uid) {
        throw new globalThis.Error("value provided for field message.uid of type int64 too large");
      }
      writer.uint32(8).int64(message.uid);
    }
    if (message.gid !== 0n) {
      if (BigInt.asIntN(64, message.gid) !== message.gid) {
        throw new globalThis.Error("value provided for field message.gid of type int64 too large");
      }
      writer.uint32(16).int64(message.gid);
    }
    if (message.supplementalGroups.length !== 0) {
      writer.uint32(26).fork();
      for (const v of message.supplementalGroups) {
        if (BigInt.asIntN(64, v) !== v) {
          throw new globalThis.Error("a value provided in array field supplementalGroups of type int64 is too large");
        }
        writer.int64(v);
      }
      writer.join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxContainerUser {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxContainerUser();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.uid = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.gid = reader.int64() as bigint;
            continue;
          }
          case 3: {
            if (tag === 24) {
              message.supplementalGroups.push(reader.int64() as bigint);

              continue;
            }

            if (tag === 26) {
              const end2 = reader.uint32() + reader.pos;
              while (reader.pos < end2) {
                message.supplementalGroups.push(reader.int64() as bigint);
              }

              continue;
            }

            break;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxContainerUser>): LinuxContainerUser {
    return LinuxContainerUser.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxContainerUser>): LinuxContainerUser {
    const message = createBaseLinuxContainerUser();
    message.uid = (object.uid !== undefined && object.uid !== null) ? BigInt(object.uid) : 0n;
    message.gid = (object.gid !== undefined && object.gid !== null) ? BigInt(object.gid) : 0n;
    message.supplementalGroups = object.supplementalGroups?.map((e) => BigInt(e)) || [];
    return message;
  },
};

function createBaseWindowsNamespaceOption(): WindowsNamespaceOption {
  return { network: 0 };
}

export const WindowsNamespaceOption: MessageFns<WindowsNamespaceOption> = {
  encode(message: WindowsNamespaceOption, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.network !== 0) {
      writer.uint32(8).int32(message.network);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsNamespaceOption {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsNamespaceOption();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.network = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsNamespaceOption>): WindowsNamespaceOption {
    return WindowsNamespaceOption.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsNamespaceOption>): WindowsNamespaceOption {
    const message = createBaseWindowsNamespaceOption();
    message.network = object.network ?? 0;
    return message;
  },
};

function createBaseWindowsSandboxSecurityContext(): WindowsSandboxSecurityContext {
  return { runAsUsername: "", credentialSpec: "", hostProcess: false, namespaceOptions: undefined };
}

export const WindowsSandboxSecurityContext: MessageFns<WindowsSandboxSecurityContext> = {
  encode(message: WindowsSandboxSecurityContext, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.runAsUsername !== "") {
      writer.uint32(10).string(message.runAsUsername);
    }
    if (message.credentialSpec !== "") {
      writer.uint32(18).string(message.credentialSpec);
    }
    if (message.hostProcess !== false) {
      writer.uint32(24).bool(message.hostProcess);
    }
    if (message.namespaceOptions !== undefined) {
      WindowsNamespaceOption.encode(message.namespaceOptions, writer.uint32(34).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsSandboxSecurityContext {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsSandboxSecurityContext();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.runAsUsername = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.credentialSpec = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.hostProcess = reader.bool();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.namespaceOptions = WindowsNamespaceOption.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsSandboxSecurityContext>): WindowsSandboxSecurityContext {
    return WindowsSandboxSecurityContext.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsSandboxSecurityContext>): WindowsSandboxSecurityContext {
    const message = createBaseWindowsSandboxSecurityContext();
    message.runAsUsername = object.runAsUsername ?? "";
    message.credentialSpec = object.credentialSpec ?? "";
    message.hostProcess = object.hostProcess ?? false;
    message.namespaceOptions = (object.namespaceOptions !== undefined && object.namespaceOptions !== null)
      ? WindowsNamespaceOption.fromPartial(object.namespaceOptions)
      : undefined;
    return message;
  },
};

function createBaseWindowsPodSandboxConfig(): WindowsPodSandboxConfig {
  return { securityContext: undefined };
}

export const WindowsPodSandboxConfig: MessageFns<WindowsPodSandboxConfig> = {
  encode(message: WindowsPodSandboxConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.securityContext !== undefined) {
      WindowsSandboxSecurityContext.encode(message.securityContext, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsPodSandboxConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsPodSandboxConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.securityContext = WindowsSandboxSecurityContext.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsPodSandboxConfig>): WindowsPodSandboxConfig {
    return WindowsPodSandboxConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsPodSandboxConfig>): WindowsPodSandboxConfig {
    const message = createBaseWindowsPodSandboxConfig();
    message.securityContext = (object.securityContext !== undefined && object.securityContext !== null)
      ? WindowsSandboxSecurityContext.fromPartial(object.securityContext)
      : undefined;
    return message;
  },
};

function createBaseWindowsContainerSecurityContext(): WindowsContainerSecurityContext {
  return { runAsUsername: "", credentialSpec: "", hostProcess: false };
}

export const WindowsContainerSecurityContext: MessageFns<WindowsContainerSecurityContext> = {
  encode(message: WindowsContainerSecurityContext, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.runAsUsername !== "") {
      writer.uint32(10).string(message.runAsUsername);
    }
    if (message.credentialSpec !== "") {
      writer.uint32(18).string(message.credentialSpec);
    }
    if (message.hostProcess !== false) {
      writer.uint32(24).bool(message.hostProcess);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsContainerSecurityContext {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsContainerSecurityContext();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.runAsUsername = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.credentialSpec = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.hostProcess = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsContainerSecurityContext>): WindowsContainerSecurityContext {
    return WindowsContainerSecurityContext.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsContainerSecurityContext>): WindowsContainerSecurityContext {
    const message = createBaseWindowsContainerSecurityContext();
    message.runAsUsername = object.runAsUsername ?? "";
    message.credentialSpec = object.credentialSpec ?? "";
    message.hostProcess = object.hostProcess ?? false;
    return message;
  },
};

function createBaseWindowsContainerConfig(): WindowsContainerConfig {
  return { resources: undefined, securityContext: undefined };
}

export const WindowsContainerConfig: MessageFns<WindowsContainerConfig> = {
  encode(message: WindowsContainerConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.resources !== undefined) {
      WindowsContainerResources.encode(message.resources, writer.uint32(10).fork()).join();
    }
    if (message.securityContext !== undefined) {
      WindowsContainerSecurityContext.encode(message.securityContext, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsContainerConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsContainerConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.resources = WindowsContainerResources.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.securityContext = WindowsContainerSecurityContext.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsContainerConfig>): WindowsContainerConfig {
    return WindowsContainerConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsContainerConfig>): WindowsContainerConfig {
    const message = createBaseWindowsContainerConfig();
    message.resources = (object.resources !== undefined && object.resources !== null)
      ? WindowsContainerResources.fromPartial(object.resources)
      : undefined;
    message.securityContext = (object.securityContext !== undefined && object.securityContext !== null)
      ? WindowsContainerSecurityContext.fromPartial(object.securityContext)
      : undefined;
    return message;
  },
};

function createBaseWindowsContainerResources(): WindowsContainerResources {
  return {
    cpuShares: 0n,
    cpuCount: 0n,
    cpuMaximum: 0n,
    memoryLimitInBytes: 0n,
    rootfsSizeInBytes: 0n,
    affinityCpus: [],
  };
}

export const WindowsContainerResources: MessageFns<WindowsContainerResources> = {
  encode(message: WindowsContainerResources, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.cpuShares !== 0n) {
      if (BigInt.asIntN(64, message.cpuShares) !== message.cpuShares) {
        throw new globalThis.Error("value provided for field message.cpuShares of type int64 too large");
      }
      writer.uint32(8).int64(message.cpuShares);
    }
    if (message.cpuCount !== 0n) {
      if (BigInt.asIntN(64, message.cpuCount) !== message.cpuCount) {
        throw new globalThis.Error("value provided for field message.cpuCount of type int64 too large");
      }
      writer.uint32(16).int64(message.cpuCount);
    }
    if (message.cpuMaximum !== 0n) {
      if (BigInt.asIntN(64, message.cpuMaximum) !== message.cpuMaximum) {
        throw new globalThis.Error("value provided for field message.cpuMaximum of type int64 too large");
      }
      writer.uint32(24).int64(message.cpuMaximum);
    }
    if (message.memoryLimitInBytes !== 0n) {
      if (BigInt.asIntN(64, message.memoryLimitInBytes) !== message.memoryLimitInBytes) {
        throw new globalThis.Error("value provided for field message.memoryLimitInBytes of type int64 too large");
      }
      writer.uint32(32).int64(message.memoryLimitInBytes);
    }
    if (message.rootfsSizeInBytes !== 0n) {
      if (BigInt.asIntN(64, message.rootfsSizeInBytes) !== message.rootfsSizeInBytes) {
        throw new globalThis.Error("value provided for field message.rootfsSizeInBytes of type int64 too large");
      }
      writer.uint32(40).int64(message.rootfsSizeInBytes);
    }
    for (const v of message.affinityCpus) {
      WindowsCpuGroupAffinity.encode(v!, writer.uint32(50).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsContainerResources {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsContainerResources();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.cpuShares = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.cpuCount = reader.int64() as bigint;
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.cpuMaximum = reader.int64() as bigint;
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.memoryLimitInBytes = reader.int64() as bigint;
            continue;
          }
          case 5: {
            if (tag !== 40) {
              break;
            }

            message.rootfsSizeInBytes = reader.int64() as bigint;
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.affinityCpus.push(WindowsCpuGroupAffinity.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsContainerResources>): WindowsContainerResources {
    return WindowsContainerResources.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsContainerResources>): WindowsContainerResources {
    const message = createBaseWindowsContainerResources();
    message.cpuShares = (object.cpuShares !== undefined && object.cpuShares !== null) ? BigInt(object.cpuShares) : 0n;
    message.cpuCount = (object.cpuCount !== undefined && object.cpuCount !== null) ? BigInt(object.cpuCount) : 0n;
    message.cpuMaximum = (object.cpuMaximum !== undefined && object.cpuMaximum !== null)
      ? BigInt(object.cpuMaximum)
      : 0n;
    message.memoryLimitInBytes = (object.memoryLimitInBytes !== undefined && object.memoryLimitInBytes !== null)
      ? BigInt(object.memoryLimitInBytes)
      : 0n;
    message.rootfsSizeInBytes = (object.rootfsSizeInBytes !== undefined && object.rootfsSizeInBytes !== null)
      ? BigInt(object.rootfsSizeInBytes)
      : 0n;
    message.affinityCpus = object.affinityCpus?.map((e) => WindowsCpuGroupAffinity.fromPartial(e)) || [];
    return message;
  },
};

function createBaseWindowsCpuGroupAffinity(): WindowsCpuGroupAffinity {
  return { cpuMask: 0n, cpuGroup: 0 };
}

export const WindowsCpuGroupAffinity: MessageFns<WindowsCpuGroupAffinity> = {
  encode(message: WindowsCpuGroupAffinity, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.cpuMask !== 0n) {
      if (BigInt.asUintN(64, message.cpuMask) !== message.cpuMask) {
        throw new globalThis.Error("value provided for field message.cpuMask of type uint64 too large");
      }
      writer.uint32(8).uint64(message.cpuMask);
    }
    if (message.cpuGroup !== 0) {
      writer.uint32(16).uint32(message.cpuGroup);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsCpuGroupAffinity {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsCpuGroupAffinity();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.cpuMask = reader.uint64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.cpuGroup = reader.uint32();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsCpuGroupAffinity>): WindowsCpuGroupAffinity {
    return WindowsCpuGroupAffinity.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsCpuGroupAffinity>): WindowsCpuGroupAffinity {
    const message = createBaseWindowsCpuGroupAffinity();
    message.cpuMask = (object.cpuMask !== undefined && object.cpuMask !== null) ? BigInt(object.cpuMask) : 0n;
    message.cpuGroup = object.cpuGroup ?? 0;
    return message;
  },
};

function createBaseContainerMetadata(): ContainerMetadata {
  return { name: "", attempt: 0 };
}

export const ContainerMetadata: MessageFns<ContainerMetadata> = {
  encode(message: ContainerMetadata, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.attempt !== 0) {
      writer.uint32(16).uint32(message.attempt);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerMetadata {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerMetadata();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.attempt = reader.uint32();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerMetadata>): ContainerMetadata {
    return ContainerMetadata.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerMetadata>): ContainerMetadata {
    const message = createBaseContainerMetadata();
    message.name = object.name ?? "";
    message.attempt = object.attempt ?? 0;
    return message;
  },
};

function createBaseDevice(): Device {
  return { containerPath: "", hostPath: "", permissions: "" };
}

export const Device: MessageFns<Device> = {
  encode(message: Device, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerPath !== "") {
      writer.uint32(10).string(message.containerPath);
    }
    if (message.hostPath !== "") {
      writer.uint32(18).string(message.hostPath);
    }
    if (message.permissions !== "") {
      writer.uint32(26).string(message.permissions);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Device {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDevice();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerPath = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.hostPath = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.permissions = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Device>): Device {
    return Device.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Device>): Device {
    const message = createBaseDevice();
    message.containerPath = object.containerPath ?? "";
    message.hostPath = object.hostPath ?? "";
    message.permissions = object.permissions ?? "";
    return message;
  },
};

function createBaseCDIDevice(): CDIDevice {
  return { name: "" };
}

export const CDIDevice: MessageFns<CDIDevice> = {
  encode(message: CDIDevice, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CDIDevice {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCDIDevice();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CDIDevice>): CDIDevice {
    return CDIDevice.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CDIDevice>): CDIDevice {
    const message = createBaseCDIDevice();
    message.name = object.name ?? "";
    return message;
  },
};

function createBaseContainerConfig(): ContainerConfig {
  return {
    metadata: undefined,
    image: undefined,
    command: [],
    args: [],
    workingDir: "",
    envs: [],
    mounts: [],
    devices: [],
    labels: {},
    annotations: {},
    logPath: "",
    stdin: false,
    stdinOnce: false,
    tty: false,
    linux: undefined,
    windows: undefined,
    CDIDevices: [],
    stopSignal: 0,
  };
}

export const ContainerConfig: MessageFns<ContainerConfig> = {
  encode(message: ContainerConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.metadata !== undefined) {
      ContainerMetadata.encode(message.metadata, writer.uint32(10).fork()).join();
    }
    if (message.image !== undefined) {
      ImageSpec.encode(message.image, writer.uint32(18).fork()).join();
    }
    for (const v of message.command) {
      writer.uint32(26).string(v!);
    }
    for (const v of message.args) {
      writer.uint32(34).string(v!);
    }
    if (message.workingDir !== "") {
      writer.uint32(42).string(message.workingDir);
    }
    for (const v of message.envs) {
      KeyValue.encode(v!, writer.uint32(50).fork()).join();
    }
    for (const v of message.mounts) {
      Mount.encode(v!, writer.uint32(58).fork()).join();
    }
    for (const v of message.devices) {
      Device.encode(v!, writer.uint32(66).fork()).join();
    }
    globalThis.Object.entries(message.labels).forEach(([key, value]: [string, string]) => {
      ContainerConfig_LabelsEntry.encode({ key: key as any, value }, writer.uint32(74).fork()).join();
    });
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      ContainerConfig_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(82).fork()).join();
    });
    if (message.logPath !== "") {
      writer.uint32(90).string(message.logPath);
    }
    if (message.stdin !== false) {
      writer.uint32(96).bool(message.stdin);
    }
    if (message.stdinOnce !== false) {
      writer.uint32(104).bool(message.stdinOnce);
    }
    if (message.tty !== false) {
      writer.uint32(112).bool(message.tty);
    }
    if (message.linux !== undefined) {
      LinuxContainerConfig.encode(message.linux, writer.uint32(122).fork()).join();
    }
    if (message.windows !== undefined) {
      WindowsContainerConfig.encode(message.windows, writer.uint32(130).fork()).join();
    }
    for (const v of message.CDIDevices) {
      CDIDevice.encode(v!, writer.uint32(138).fork()).join();
    }
    if (message.stopSignal !== 0) {
      writer.uint32(144).int32(message.stopSignal);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.metadata = ContainerMetadata.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.image = ImageSpec.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.command.push(reader.string());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.args.push(reader.string());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.workingDir = reader.string();
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.envs.push(KeyValue.decode(reader, reader.uint32()));
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            message.mounts.push(Mount.decode(reader, reader.uint32()));
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            message.devices.push(Device.decode(reader, reader.uint32()));
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            const entry9 = ContainerConfig_LabelsEntry.decode(reader, reader.uint32());
            if (entry9.value !== undefined) {
              message.labels[entry9.key] = entry9.value;
            }
            continue;
          }
          case 10: {
            if (tag !== 82) {
              break;
            }

            const entry10 = ContainerConfig_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry10.value !== undefined) {
              message.annotations[entry10.key] = entry10.value;
            }
            continue;
          }
          case 11: {
            if (tag !== 90) {
              break;
            }

            message.logPath = reader.string();
            continue;
          }
          case 12: {
            if (tag !== 96) {
              break;
            }

            message.stdin = reader.bool();
            continue;
          }
          case 13: {
            if (tag !== 104) {
              break;
            }

            message.stdinOnce = reader.bool();
            continue;
          }
          case 14: {
            if (tag !== 112) {
              break;
            }

            message.tty = reader.bool();
            continue;
          }
          case 15: {
            if (tag !== 122) {
              break;
            }

            message.linux = LinuxContainerConfig.decode(reader, reader.uint32());
            continue;
          }
          case 16: {
            if (tag !== 130) {
              break;
            }

            message.windows = WindowsContainerConfig.decode(reader, reader.uint32());
            continue;
          }
          case 17: {
            if (tag !== 138) {
              break;
            }

            message.CDIDevices.push(CDIDevice.decode(reader, reader.uint32()));
            continue;
          }
          case 18: {
            if (tag !== 144) {
              break;
            }

            message.stopSignal = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerConfig>): ContainerConfig {
    return ContainerConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerConfig>): ContainerConfig {
    const message = createBaseContainerConfig();
    message.metadata = (object.metadata !== undefined && object.metadata !== null)
      ? ContainerMetadata.fromPartial(object.metadata)
      : undefined;
    message.image = (object.image !== undefined && object.image !== null)
      ? ImageSpec.fromPartial(object.image)
      : undefined;
    message.command = object.command?.map((e) => e) || [];
    message.args = object.args?.map((e) => e) || [];
    message.workingDir = object.workingDir ?? "";
    message.envs = object.envs?.map((e) => KeyValue.fromPartial(e)) || [];
    message.mounts = object.mounts?.map((e) => Mount.fromPartial(e)) || [];
    message.devices = object.devices?.map((e) => Device.fromPartial(e)) || [];
    message.labels = (globalThis.Object.entries(object.labels ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.logPath = object.logPath ?? "";
    message.stdin = object.stdin ?? false;
    message.stdinOnce = object.stdinOnce ?? false;
    message.tty = object.tty ?? false;
    message.linux = (object.linux !== undefined && object.linux !== null)
      ? LinuxContainerConfig.fromPartial(object.linux)
      : undefined;
    message.windows = (object.windows !== undefined && object.windows !== null)
      ? WindowsContainerConfig.fromPartial(object.windows)
      : undefined;
    message.CDIDevices = object.CDIDevices?.map((e) => CDIDevice.fromPartial(e)) || [];
    message.stopSignal = object.stopSignal ?? 0;
    return message;
  },
};

function createBaseContainerConfig_LabelsEntry(): ContainerConfig_LabelsEntry {
  return { key: "", value: "" };
}

export const ContainerConfig_LabelsEntry: MessageFns<ContainerConfig_LabelsEntry> = {
  encode(message: ContainerConfig_LabelsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerConfig_LabelsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerConfig_LabelsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerConfig_LabelsEntry>): ContainerConfig_LabelsEntry {
    return ContainerConfig_LabelsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerConfig_LabelsEntry>): ContainerConfig_LabelsEntry {
    const message = createBaseContainerConfig_LabelsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseContainerConfig_AnnotationsEntry(): ContainerConfig_AnnotationsEntry {
  return { key: "", value: "" };
}

export const ContainerConfig_AnnotationsEntry: MessageFns<ContainerConfig_AnnotationsEntry> = {
  encode(message: ContainerConfig_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerConfig_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerConfig_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerConfig_AnnotationsEntry>): ContainerConfig_AnnotationsEntry {
    return ContainerConfig_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerConfig_AnnotationsEntry>): ContainerConfig_AnnotationsEntry {
    const message = createBaseContainerConfig_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseCreateContainerRequest(): CreateContainerRequest {
  return { podSandboxId: "", config: undefined, sandboxConfig: undefined };
}

export const CreateContainerRequest: MessageFns<CreateContainerRequest> = {
  encode(message: CreateContainerRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podSandboxId !== "") {
      writer.uint32(10).string(message.podSandboxId);
    }
    if (message.config !== undefined) {
      ContainerConfig.encode(message.config, writer.uint32(18).fork()).join();
    }
    if (message.sandboxConfig !== undefined) {
      PodSandboxConfig.encode(message.sandboxConfig, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateContainerRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateContainerRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.config = ContainerConfig.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.sandboxConfig = PodSandboxConfig.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateContainerRequest>): CreateContainerRequest {
    return CreateContainerRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateContainerRequest>): CreateContainerRequest {
    const message = createBaseCreateContainerRequest();
    message.podSandboxId = object.podSandboxId ?? "";
    message.config = (object.config !== undefined && object.config !== null)
      ? ContainerConfig.fromPartial(object.config)
      : undefined;
    message.sandboxConfig = (object.sandboxConfig !== undefined && object.sandboxConfig !== null)
      ? PodSandboxConfig.fromPartial(object.sandboxConfig)
      : undefined;
    return message;
  },
};

function createBaseCreateContainerResponse(): CreateContainerResponse {
  return { containerId: "" };
}

export const CreateContainerResponse: MessageFns<CreateContainerResponse> = {
  encode(message: CreateContainerResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateContainerResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateContainerResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateContainerResponse>): CreateContainerResponse {
    return CreateContainerResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateContainerResponse>): CreateContainerResponse {
    const message = createBaseCreateContainerResponse();
    message.containerId = object.containerId ?? "";
    return message;
  },
};

function createBaseStartContainerRequest(): StartContainerRequest {
  return { containerId: "" };
}

export const StartContainerRequest: MessageFns<StartContainerRequest> = {
  encode(message: StartContainerRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StartContainerRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStartContainerRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StartContainerRequest>): StartContainerRequest {
    return StartContainerRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StartContainerRequest>): StartContainerRequest {
    const message = createBaseStartContainerRequest();
    message.containerId = object.containerId ?? "";
    return message;
  },
};

function createBaseStartContainerResponse(): StartContainerResponse {
  return {};
}

export const StartContainerResponse: MessageFns<StartContainerResponse> = {
  encode(_: StartContainerResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StartContainerResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStartContainerResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StartContainerResponse>): StartContainerResponse {
    return StartContainerResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<StartContainerResponse>): StartContainerResponse {
    const message = createBaseStartContainerResponse();
    return message;
  },
};

function createBaseStopContainerRequest(): StopContainerRequest {
  return { containerId: "", timeout: 0n };
}

export const StopContainerRequest: MessageFns<StopContainerRequest> = {
  encode(message: StopContainerRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    if (message.timeout !== 0n) {
      if (BigInt.asIntN(64, message.timeout) !== message.timeout) {
        throw new globalThis.Error("value provided for field message.timeout of type int64 too large");
      }
      writer.uint32(16).int64(message.timeout);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StopContainerRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStopContainerRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.timeout = reader.int64() as bigint;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StopContainerRequest>): StopContainerRequest {
    return StopContainerRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StopContainerRequest>): StopContainerRequest {
    const message = createBaseStopContainerRequest();
    message.containerId = object.containerId ?? "";
    message.timeout = (object.timeout !== undefined && object.timeout !== null) ? BigInt(object.timeout) : 0n;
    return message;
  },
};

function createBaseStopContainerResponse(): StopContainerResponse {
  return {};
}

export const StopContainerResponse: MessageFns<StopContainerResponse> = {
  encode(_: StopContainerResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StopContainerResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStopContainerResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StopContainerResponse>): StopContainerResponse {
    return StopContainerResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<StopContainerResponse>): StopContainerResponse {
    const message = createBaseStopContainerResponse();
    return message;
  },
};

function createBaseRemoveContainerRequest(): RemoveContainerRequest {
  return { containerId: "" };
}

export const RemoveContainerRequest: MessageFns<RemoveContainerRequest> = {
  encode(message: RemoveContainerRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RemoveContainerRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRemoveContainerRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RemoveContainerRequest>): RemoveContainerRequest {
    return RemoveContainerRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RemoveContainerRequest>): RemoveContainerRequest {
    const message = createBaseRemoveContainerRequest();
    message.containerId = object.containerId ?? "";
    return message;
  },
};

function createBaseRemoveContainerResponse(): RemoveContainerResponse {
  return {};
}

export const RemoveContainerResponse: MessageFns<RemoveContainerResponse> = {
  encode(_: RemoveContainerResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RemoveContainerResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRemoveContainerResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RemoveContainerResponse>): RemoveContainerResponse {
    return RemoveContainerResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<RemoveContainerResponse>): RemoveContainerResponse {
    const message = createBaseRemoveContainerResponse();
    return message;
  },
};

function createBaseContainerStateValue(): ContainerStateValue {
  return { state: 0 };
}

export const ContainerStateValue: MessageFns<ContainerStateValue> = {
  encode(message: ContainerStateValue, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.state !== 0) {
      writer.uint32(8).int32(message.state);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStateValue {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStateValue();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.state = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStateValue>): ContainerStateValue {
    return ContainerStateValue.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStateValue>): ContainerStateValue {
    const message = createBaseContainerStateValue();
    message.state = object.state ?? 0;
    return message;
  },
};

function createBaseContainerFilter(): ContainerFilter {
  return { id: "", state: undefined, podSandboxId: "", labelSelector: {} };
}

export const ContainerFilter: MessageFns<ContainerFilter> = {
  encode(message: ContainerFilter, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    if (message.state !== undefined) {
      ContainerStateValue.encode(message.state, writer.uint32(18).fork()).join();
    }
    if (message.podSandboxId !== "") {
      writer.uint32(26).string(message.podSandboxId);
    }
    globalThis.Object.entries(message.labelSelector).forEach(([key, value]: [string, string]) => {
      ContainerFilter_LabelSelectorEntry.encode({ key: key as any, value }, writer.uint32(34).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerFilter {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerFilter();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.state = ContainerStateValue.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = ContainerFilter_LabelSelectorEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.labelSelector[entry4.key] = entry4.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerFilter>): ContainerFilter {
    return ContainerFilter.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerFilter>): ContainerFilter {
    const message = createBaseContainerFilter();
    message.id = object.id ?? "";
    message.state = (object.state !== undefined && object.state !== null)
      ? ContainerStateValue.fromPartial(object.state)
      : undefined;
    message.podSandboxId = object.podSandboxId ?? "";
    message.labelSelector = (globalThis.Object.entries(object.labelSelector ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseContainerFilter_LabelSelectorEntry(): ContainerFilter_LabelSelectorEntry {
  return { key: "", value: "" };
}

export const ContainerFilter_LabelSelectorEntry: MessageFns<ContainerFilter_LabelSelectorEntry> = {
  encode(message: ContainerFilter_LabelSelectorEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerFilter_LabelSelectorEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerFilter_LabelSelectorEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerFilter_LabelSelectorEntry>): ContainerFilter_LabelSelectorEntry {
    return ContainerFilter_LabelSelectorEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerFilter_LabelSelectorEntry>): ContainerFilter_LabelSelectorEntry {
    const message = createBaseContainerFilter_LabelSelectorEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseListContainersRequest(): ListContainersRequest {
  return { filter: undefined };
}

export const ListContainersRequest: MessageFns<ListContainersRequest> = {
  encode(message: ListContainersRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      ContainerFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListContainersRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListContainersRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = ContainerFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListContainersRequest>): ListContainersRequest {
    return ListContainersRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListContainersRequest>): ListContainersRequest {
    const message = createBaseListContainersRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? ContainerFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBaseContainer(): Container {
  return {
    id: "",
    podSandboxId: "",
    metadata: undefined,
    image: undefined,
    imageRef: "",
    state: 0,
    createdAt: 0n,
    labels: {},
    annotations: {},
    imageId: "",
  };
}

export const Container: MessageFns<Container> = {
  encode(message: Container, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    if (message.podSandboxId !== "") {
      writer.uint32(18).string(message.podSandboxId);
    }
    if (message.metadata !== undefined) {
      ContainerMetadata.encode(message.metadata, writer.uint32(26).fork()).join();
    }
    if (message.image !== undefined) {
      ImageSpec.encode(message.image, writer.uint32(34).fork()).join();
    }
    if (message.imageRef !== "") {
      writer.uint32(42).string(message.imageRef);
    }
    if (message.state !== 0) {
      writer.uint32(48).int32(message.state);
    }
    if (message.createdAt !== 0n) {
      if (BigInt.asIntN(64, message.createdAt) !== message.createdAt) {
        throw new globalThis.Error("value provided for field message.createdAt of type int64 too large");
      }
      writer.uint32(56).int64(message.createdAt);
    }
    globalThis.Object.entries(message.labels).forEach(([key, value]: [string, string]) => {
      Container_LabelsEntry.encode({ key: key as any, value }, writer.uint32(66).fork()).join();
    });
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      Container_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(74).fork()).join();
    });
    if (message.imageId !== "") {
      writer.uint32(82).string(message.imageId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Container {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainer();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.metadata = ContainerMetadata.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.image = ImageSpec.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.imageRef = reader.string();
            continue;
          }
          case 6: {
            if (tag !== 48) {
              break;
            }

            message.state = reader.int32() as any;
            continue;
          }
          case 7: {
            if (tag !== 56) {
              break;
            }

            message.createdAt = reader.int64() as bigint;
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            const entry8 = Container_LabelsEntry.decode(reader, reader.uint32());
            if (entry8.value !== undefined) {
              message.labels[entry8.key] = entry8.value;
            }
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            const entry9 = Container_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry9.value !== undefined) {
              message.annotations[entry9.key] = entry9.value;
            }
            continue;
          }
          case 10: {
            if (tag !== 82) {
              break;
            }

            message.imageId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Container>): Container {
    return Container.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Container>): Container {
    const message = createBaseContainer();
    message.id = object.id ?? "";
    message.podSandboxId = object.podSandboxId ?? "";
    message.metadata = (object.metadata !== undefined && object.metadata !== null)
      ? ContainerMetadata.fromPartial(object.metadata)
      : undefined;
    message.image = (object.image !== undefined && object.image !== null)
      ? ImageSpec.fromPartial(object.image)
      : undefined;
    message.imageRef = object.imageRef ?? "";
    message.state = object.state ?? 0;
    message.createdAt = (object.createdAt !== undefined && object.createdAt !== null) ? BigInt(object.createdAt) : 0n;
    message.labels = (globalThis.Object.entries(object.labels ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.imageId = object.imageId ?? "";
    return message;
  },
};

function createBaseContainer_LabelsEntry(): Container_LabelsEntry {
  return { key: "", value: "" };
}

export const Container_LabelsEntry: MessageFns<Container_LabelsEntry> = {
  encode(message: Container_LabelsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Container_LabelsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainer_LabelsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Container_LabelsEntry>): Container_LabelsEntry {
    return Container_LabelsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Container_LabelsEntry>): Container_LabelsEntry {
    const message = createBaseContainer_LabelsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseContainer_AnnotationsEntry(): Container_AnnotationsEntry {
  return { key: "", value: "" };
}

export const Container_AnnotationsEntry: MessageFns<Container_AnnotationsEntry> = {
  encode(message: Container_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Container_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainer_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Container_AnnotationsEntry>): Container_AnnotationsEntry {
    return Container_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Container_AnnotationsEntry>): Container_AnnotationsEntry {
    const message = createBaseContainer_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseListContainersResponse(): ListContainersResponse {
  return { containers: [] };
}

export const ListContainersResponse: MessageFns<ListContainersResponse> = {
  encode(message: ListContainersResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.containers) {
      Container.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListContainersResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListContainersResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containers.push(Container.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListContainersResponse>): ListContainersResponse {
    return ListContainersResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListContainersResponse>): ListContainersResponse {
    const message = createBaseListContainersResponse();
    message.containers = object.containers?.map((e) => Container.fromPartial(e)) || [];
    return message;
  },
};

function createBaseStreamContainersRequest(): StreamContainersRequest {
  return { filter: undefined };
}

export const StreamContainersRequest: MessageFns<StreamContainersRequest> = {
  encode(message: StreamContainersRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      ContainerFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamContainersRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamContainersRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = ContainerFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamContainersRequest>): StreamContainersRequest {
    return StreamContainersRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamContainersRequest>): StreamContainersRequest {
    const message = createBaseStreamContainersRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? ContainerFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBaseStreamContainersResponse(): StreamContainersResponse {
  return { containers: [] };
}

export const StreamContainersResponse: MessageFns<StreamContainersResponse> = {
  encode(message: StreamContainersResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.containers) {
      Container.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamContainersResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamContainersResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containers.push(Container.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamContainersResponse>): StreamContainersResponse {
    return StreamContainersResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamContainersResponse>): StreamContainersResponse {
    const message = createBaseStreamContainersResponse();
    message.containers = object.containers?.map((e) => Container.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerStatusRequest(): ContainerStatusRequest {
  return { containerId: "", verbose: false };
}

export const ContainerStatusRequest: MessageFns<ContainerStatusRequest> = {
  encode(message: ContainerStatusRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    if (message.verbose !== false) {
      writer.uint32(16).bool(message.verbose);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatusRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatusRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.verbose = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatusRequest>): ContainerStatusRequest {
    return ContainerStatusRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatusRequest>): ContainerStatusRequest {
    const message = createBaseContainerStatusRequest();
    message.containerId = object.containerId ?? "";
    message.verbose = object.verbose ?? false;
    return message;
  },
};

function createBaseContainerStatus(): ContainerStatus {
  return {
    id: "",
    metadata: undefined,
    state: 0,
    createdAt: 0n,
    startedAt: 0n,
    finishedAt: 0n,
    exitCode: 0,
    image: undefined,
    imageRef: "",
    reason: "",
    message: "",
    labels: {},
    annotations: {},
    mounts: [],
    logPath: "",
    resources: undefined,
    imageId: "",
    user: undefined,
    stopSignal: 0,
  };
}

export const ContainerStatus: MessageFns<ContainerStatus> = {
  encode(message: ContainerStatus, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    if (message.metadata !== undefined) {
      ContainerMetadata.encode(message.metadata, writer.uint32(18).fork()).join();
    }
    if (message.state !== 0) {
      writer.uint32(24).int32(message.state);
    }
    if (message.createdAt !== 0n) {
      if (BigInt.asIntN(64, message.createdAt) !== message.createdAt) {
        throw new globalThis.Error("value provided for field message.createdAt of type int64 too large");
      }
      writer.uint32(32).int64(message.createdAt);
    }
    if (message.startedAt !== 0n) {
      if (BigInt.asIntN(64, message.startedAt) !== message.startedAt) {
        throw new globalThis.Error("value provided for field message.startedAt of type int64 too large");
      }
      writer.uint32(40).int64(message.startedAt);
    }
    if (message.finishedAt !== 0n) {
      if (BigInt.asIntN(64, message.finishedAt) !== message.finishedAt) {
        throw new globalThis.Error("value provided for field message.finishedAt of type int64 too large");
      }
      writer.uint32(48).int64(message.finishedAt);
    }
    if (message.exitCode !== 0) {
      writer.uint32(56).int32(message.exitCode);
    }
    if (message.image !== undefined) {
      ImageSpec.encode(message.image, writer.uint32(66).fork()).join();
    }
    if (message.imageRef !== "") {
      writer.uint32(74).string(message.imageRef);
    }
    if (message.reason !== "") {
      writer.uint32(82).string(message.reason);
    }
    if (message.message !== "") {
      writer.uint32(90).string(message.message);
    }
    globalThis.Object.entries(message.labels).forEach(([key, value]: [string, string]) => {
      ContainerStatus_LabelsEntry.encode({ key: key as any, value }, writer.uint32(98).fork()).join();
    });
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      ContainerStatus_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(106).fork()).join();
    });
    for (const v of message.mounts) {
      Mount.encode(v!, writer.uint32(114).fork()).join();
    }
    if (message.logPath !== "") {
      writer.uint32(122).string(message.logPath);
    }
    if (message.resources !== undefined) {
      ContainerResources.encode(message.resources, writer.uint32(130).fork()).join();
    }
    if (message.imageId !== "") {
      writer.uint32(138).string(message.imageId);
    }
    if (message.user !== undefined) {
      ContainerUser.encode(message.user, writer.uint32(146).fork()).join();
    }
    if (message.stopSignal !== 0) {
      writer.uint32(152).int32(message.stopSignal);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatus {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatus();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.metadata = ContainerMetadata.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.state = reader.int32() as any;
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.createdAt = reader.int64() as bigint;
            continue;
          }
          case 5: {
            if (tag !== 40) {
              break;
            }

            message.startedAt = reader.int64() as bigint;
            continue;
          }
          case 6: {
            if (tag !== 48) {
              break;
            }

            message.finishedAt = reader.int64() as bigint;
            continue;
          }
          case 7: {
            if (tag !== 56) {
              break;
            }

            message.exitCode = reader.int32();
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            message.image = ImageSpec.decode(reader, reader.uint32());
            continue;
          }
          case 9: {
            if (tag !== 74) {
              break;
            }

            message.imageRef = reader.string();
            continue;
          }
          case 10: {
            if (tag !== 82) {
              break;
            }

            message.reason = reader.string();
            continue;
          }
          case 11: {
            if (tag !== 90) {
              break;
            }

            message.message = reader.string();
            continue;
          }
          case 12: {
            if (tag !== 98) {
              break;
            }

            const entry12 = ContainerStatus_LabelsEntry.decode(reader, reader.uint32());
            if (entry12.value !== undefined) {
              message.labels[entry12.key] = entry12.value;
            }
            continue;
          }
          case 13: {
            if (tag !== 106) {
              break;
            }

            const entry13 = ContainerStatus_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry13.value !== undefined) {
              message.annotations[entry13.key] = entry13.value;
            }
            continue;
          }
          case 14: {
            if (tag !== 114) {
              break;
            }

            message.mounts.push(Mount.decode(reader, reader.uint32()));
            continue;
          }
          case 15: {
            if (tag !== 122) {
              break;
            }

            message.logPath = reader.string();
            continue;
          }
          case 16: {
            if (tag !== 130) {
              break;
            }

            message.resources = ContainerResources.decode(reader, reader.uint32());
            continue;
          }
          case 17: {
            if (tag !== 138) {
              break;
            }

            message.imageId = reader.string();
            continue;
          }
          case 18: {
            if (tag !== 146) {
              break;
            }

            message.user = ContainerUser.decode(reader, reader.uint32());
            continue;
          }
          case 19: {
            if (tag !== 152) {
              break;
            }

            message.stopSignal = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatus>): ContainerStatus {
    return ContainerStatus.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatus>): ContainerStatus {
    const message = createBaseContainerStatus();
    message.id = object.id ?? "";
    message.metadata = (object.metadata !== undefined && object.metadata !== null)
      ? ContainerMetadata.fromPartial(object.metadata)
      : undefined;
    message.state = object.state ?? 0;
    message.createdAt = (object.createdAt !== undefined && object.createdAt !== null) ? BigInt(object.createdAt) : 0n;
    message.startedAt = (object.startedAt !== undefined && object.startedAt !== null) ? BigInt(object.startedAt) : 0n;
    message.finishedAt = (object.finishedAt !== undefined && object.finishedAt !== null)
      ? BigInt(object.finishedAt)
      : 0n;
    message.exitCode = object.exitCode ?? 0;
    message.image = (object.image !== undefined && object.image !== null)
      ? ImageSpec.fromPartial(object.image)
      : undefined;
    message.imageRef = object.imageRef ?? "";
    message.reason = object.reason ?? "";
    message.message = object.message ?? "";
    message.labels = (globalThis.Object.entries(object.labels ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.mounts = object.mounts?.map((e) => Mount.fromPartial(e)) || [];
    message.logPath = object.logPath ?? "";
    message.resources = (object.resources !== undefined && object.resources !== null)
      ? ContainerResources.fromPartial(object.resources)
      : undefined;
    message.imageId = object.imageId ?? "";
    message.user = (object.user !== undefined && object.user !== null)
      ? ContainerUser.fromPartial(object.user)
      : undefined;
    message.stopSignal = object.stopSignal ?? 0;
    return message;
  },
};

function createBaseContainerStatus_LabelsEntry(): ContainerStatus_LabelsEntry {
  return { key: "", value: "" };
}

export const ContainerStatus_LabelsEntry: MessageFns<ContainerStatus_LabelsEntry> = {
  encode(message: ContainerStatus_LabelsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatus_LabelsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatus_LabelsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatus_LabelsEntry>): ContainerStatus_LabelsEntry {
    return ContainerStatus_LabelsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatus_LabelsEntry>): ContainerStatus_LabelsEntry {
    const message = createBaseContainerStatus_LabelsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseContainerStatus_AnnotationsEntry(): ContainerStatus_AnnotationsEntry {
  return { key: "", value: "" };
}

export const ContainerStatus_AnnotationsEntry: MessageFns<ContainerStatus_AnnotationsEntry> = {
  encode(message: ContainerStatus_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatus_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatus_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatus_AnnotationsEntry>): ContainerStatus_AnnotationsEntry {
    return ContainerStatus_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatus_AnnotationsEntry>): ContainerStatus_AnnotationsEntry {
    const message = createBaseContainerStatus_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseContainerStatusResponse(): ContainerStatusResponse {
  return { status: undefined, info: {} };
}

export const ContainerStatusResponse: MessageFns<ContainerStatusResponse> = {
  encode(message: ContainerStatusResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.status !== undefined) {
      ContainerStatus.encode(message.status, writer.uint32(10).fork()).join();
    }
    globalThis.Object.entries(message.info).forEach(([key, value]: [string, string]) => {
      ContainerStatusResponse_InfoEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatusResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatusResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.status = ContainerStatus.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = ContainerStatusResponse_InfoEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.info[entry2.key] = entry2.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatusResponse>): ContainerStatusResponse {
    return ContainerStatusResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatusResponse>): ContainerStatusResponse {
    const message = createBaseContainerStatusResponse();
    message.status = (object.status !== undefined && object.status !== null)
      ? ContainerStatus.fromPartial(object.status)
      : undefined;
    message.info = (globalThis.Object.entries(object.info ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseContainerStatusResponse_InfoEntry(): ContainerStatusResponse_InfoEntry {
  return { key: "", value: "" };
}

export const ContainerStatusResponse_InfoEntry: MessageFns<ContainerStatusResponse_InfoEntry> = {
  encode(message: ContainerStatusResponse_InfoEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatusResponse_InfoEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatusResponse_InfoEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatusResponse_InfoEntry>): ContainerStatusResponse_InfoEntry {
    return ContainerStatusResponse_InfoEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatusResponse_InfoEntry>): ContainerStatusResponse_InfoEntry {
    const message = createBaseContainerStatusResponse_InfoEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseContainerResources(): ContainerResources {
  return { linux: undefined, windows: undefined };
}

export const ContainerResources: MessageFns<ContainerResources> = {
  encode(message: ContainerResources, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.linux !== undefined) {
      LinuxContainerResources.encode(message.linux, writer.uint32(10).fork()).join();
    }
    if (message.windows !== undefined) {
      WindowsContainerResources.encode(message.windows, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerResources {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerResources();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.linux = LinuxContainerResources.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.windows = WindowsContainerResources.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerResources>): ContainerResources {
    return ContainerResources.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerResources>): ContainerResources {
    const message = createBaseContainerResources();
    message.linux = (object.linux !== undefined && object.linux !== null)
      ? LinuxContainerResources.fromPartial(object.linux)
      : undefined;
    message.windows = (object.windows !== undefined && object.windows !== null)
      ? WindowsContainerResources.fromPartial(object.windows)
      : undefined;
    return message;
  },
};

function createBaseContainerUser(): ContainerUser {
  return { linux: undefined };
}

export const ContainerUser: MessageFns<ContainerUser> = {
  encode(message: ContainerUser, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.linux !== undefined) {
      LinuxContainerUser.encode(message.linux, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerUser {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerUser();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.linux = LinuxContainerUser.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerUser>): ContainerUser {
    return ContainerUser.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerUser>): ContainerUser {
    const message = createBaseContainerUser();
    message.linux = (object.linux !== undefined && object.linux !== null)
      ? LinuxContainerUser.fromPartial(object.linux)
      : undefined;
    return message;
  },
};

function createBaseUpdateContainerResourcesRequest(): UpdateContainerResourcesRequest {
  return { containerId: "", linux: undefined, windows: undefined, annotations: {} };
}

export const UpdateContainerResourcesRequest: MessageFns<UpdateContainerResourcesRequest> = {
  encode(message: UpdateContainerResourcesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    if (message.linux !== undefined) {
      LinuxContainerResources.encode(message.linux, writer.uint32(18).fork()).join();
    }
    if (message.windows !== undefined) {
      WindowsContainerResources.encode(message.windows, writer.uint32(26).fork()).join();
    }
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      UpdateContainerResourcesRequest_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(34).fork())
        .join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UpdateContainerResourcesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUpdateContainerResourcesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.linux = LinuxContainerResources.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.windows = WindowsContainerResources.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = UpdateContainerResourcesRequest_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.annotations[entry4.key] = entry4.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UpdateContainerResourcesRequest>): UpdateContainerResourcesRequest {
    return UpdateContainerResourcesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<UpdateContainerResourcesRequest>): UpdateContainerResourcesRequest {
    const message = createBaseUpdateContainerResourcesRequest();
    message.containerId = object.containerId ?? "";
    message.linux = (object.linux !== undefined && object.linux !== null)
      ? LinuxContainerResources.fromPartial(object.linux)
      : undefined;
    message.windows = (object.windows !== undefined && object.windows !== null)
      ? WindowsContainerResources.fromPartial(object.windows)
      : undefined;
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseUpdateContainerResourcesRequest_AnnotationsEntry(): UpdateContainerResourcesRequest_AnnotationsEntry {
  return { key: "", value: "" };
}

export const UpdateContainerResourcesRequest_AnnotationsEntry: MessageFns<
  UpdateContainerResourcesRequest_AnnotationsEntry
> = {
  encode(
    message: UpdateContainerResourcesRequest_AnnotationsEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UpdateContainerResourcesRequest_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUpdateContainerResourcesRequest_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<UpdateContainerResourcesRequest_AnnotationsEntry>,
  ): UpdateContainerResourcesRequest_AnnotationsEntry {
    return UpdateContainerResourcesRequest_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<UpdateContainerResourcesRequest_AnnotationsEntry>,
  ): UpdateContainerResourcesRequest_AnnotationsEntry {
    const message = createBaseUpdateContainerResourcesRequest_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseUpdateContainerResourcesResponse(): UpdateContainerResourcesResponse {
  return {};
}

export const UpdateContainerResourcesResponse: MessageFns<UpdateContainerResourcesResponse> = {
  encode(_: UpdateContainerResourcesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UpdateContainerResourcesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUpdateContainerResourcesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UpdateContainerResourcesResponse>): UpdateContainerResourcesResponse {
    return UpdateContainerResourcesResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<UpdateContainerResourcesResponse>): UpdateContainerResourcesResponse {
    const message = createBaseUpdateContainerResourcesResponse();
    return message;
  },
};

function createBaseExecSyncRequest(): ExecSyncRequest {
  return { containerId: "", cmd: [], timeout: 0n };
}

export const ExecSyncRequest: MessageFns<ExecSyncRequest> = {
  encode(message: ExecSyncRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    for (const v of message.cmd) {
      writer.uint32(18).string(v!);
    }
    if (message.timeout !== 0n) {
      if (BigInt.asIntN(64, message.timeout) !== message.timeout) {
        throw new globalThis.Error("value provided for field message.timeout of type int64 too large");
      }
      writer.uint32(24).int64(message.timeout);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ExecSyncRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseExecSyncRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.cmd.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.timeout = reader.int64() as bigint;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ExecSyncRequest>): ExecSyncRequest {
    return ExecSyncRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ExecSyncRequest>): ExecSyncRequest {
    const message = createBaseExecSyncRequest();
    message.containerId = object.containerId ?? "";
    message.cmd = object.cmd?.map((e) => e) || [];
    message.timeout = (object.timeout !== undefined && object.timeout !== null) ? BigInt(object.timeout) : 0n;
    return message;
  },
};

function createBaseExecSyncResponse(): ExecSyncResponse {
  return { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), exitCode: 0 };
}

export const ExecSyncResponse: MessageFns<ExecSyncResponse> = {
  encode(message: ExecSyncResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.stdout.length !== 0) {
      writer.uint32(10).bytes(message.stdout);
    }
    if (message.stderr.length !== 0) {
      writer.uint32(18).bytes(message.stderr);
    }
    if (message.exitCode !== 0) {
      writer.uint32(24).int32(message.exitCode);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ExecSyncResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseExecSyncResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.stdout = Buffer.from(reader.bytes());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.stderr = Buffer.from(reader.bytes());
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.exitCode = reader.int32();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ExecSyncResponse>): ExecSyncResponse {
    return ExecSyncResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ExecSyncResponse>): ExecSyncResponse {
    const message = createBaseExecSyncResponse();
    message.stdout = object.stdout ?? Buffer.alloc(0);
    message.stderr = object.stderr ?? Buffer.alloc(0);
    message.exitCode = object.exitCode ?? 0;
    return message;
  },
};

function createBaseExecRequest(): ExecRequest {
  return { containerId: "", cmd: [], tty: false, stdin: false, stdout: false, stderr: false };
}

export const ExecRequest: MessageFns<ExecRequest> = {
  encode(message: ExecRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    for (const v of message.cmd) {
      writer.uint32(18).string(v!);
    }
    if (message.tty !== false) {
      writer.uint32(24).bool(message.tty);
    }
    if (message.stdin !== false) {
      writer.uint32(32).bool(message.stdin);
    }
    if (message.stdout !== false) {
      writer.uint32(40).bool(message.stdout);
    }
    if (message.stderr !== false) {
      writer.uint32(48).bool(message.stderr);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ExecRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseExecRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.cmd.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.tty = reader.bool();
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.stdin = reader.bool();
            continue;
          }
          case 5: {
            if (tag !== 40) {
              break;
            }

            message.stdout = reader.bool();
            continue;
          }
          case 6: {
            if (tag !== 48) {
              break;
            }

            message.stderr = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ExecRequest>): ExecRequest {
    return ExecRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ExecRequest>): ExecRequest {
    const message = createBaseExecRequest();
    message.containerId = object.containerId ?? "";
    message.cmd = object.cmd?.map((e) => e) || [];
    message.tty = object.tty ?? false;
    message.stdin = object.stdin ?? false;
    message.stdout = object.stdout ?? false;
    message.stderr = object.stderr ?? false;
    return message;
  },
};

function createBaseExecResponse(): ExecResponse {
  return { url: "" };
}

export const ExecResponse: MessageFns<ExecResponse> = {
  encode(message: ExecResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.url !== "") {
      writer.uint32(10).string(message.url);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ExecResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseExecResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.url = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ExecResponse>): ExecResponse {
    return ExecResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ExecResponse>): ExecResponse {
    const message = createBaseExecResponse();
    message.url = object.url ?? "";
    return message;
  },
};

function createBaseAttachRequest(): AttachRequest {
  return { containerId: "", stdin: false, tty: false, stdout: false, stderr: false };
}

export const AttachRequest: MessageFns<AttachRequest> = {
  encode(message: AttachRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    if (message.stdin !== false) {
      writer.uint32(16).bool(message.stdin);
    }
    if (message.tty !== false) {
      writer.uint32(24).bool(message.tty);
    }
    if (message.stdout !== false) {
      writer.uint32(32).bool(message.stdout);
    }
    if (message.stderr !== false) {
      writer.uint32(40).bool(message.stderr);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): AttachRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseAttachRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.stdin = reader.bool();
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.tty = reader.bool();
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.stdout = reader.bool();
            continue;
          }
          case 5: {
            if (tag !== 40) {
              break;
            }

            message.stderr = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<AttachRequest>): AttachRequest {
    return AttachRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<AttachRequest>): AttachRequest {
    const message = createBaseAttachRequest();
    message.containerId = object.containerId ?? "";
    message.stdin = object.stdin ?? false;
    message.tty = object.tty ?? false;
    message.stdout = object.stdout ?? false;
    message.stderr = object.stderr ?? false;
    return message;
  },
};

function createBaseAttachResponse(): AttachResponse {
  return { url: "" };
}

export const AttachResponse: MessageFns<AttachResponse> = {
  encode(message: AttachResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.url !== "") {
      writer.uint32(10).string(message.url);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): AttachResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseAttachResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.url = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<AttachResponse>): AttachResponse {
    return AttachResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<AttachResponse>): AttachResponse {
    const message = createBaseAttachResponse();
    message.url = object.url ?? "";
    return message;
  },
};

function createBasePortForwardRequest(): PortForwardRequest {
  return { podSandboxId: "", port: [] };
}

export const PortForwardRequest: MessageFns<PortForwardRequest> = {
  encode(message: PortForwardRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podSandboxId !== "") {
      writer.uint32(10).string(message.podSandboxId);
    }
    if (message.port.length !== 0) {
      writer.uint32(18).fork();
      for (const v of message.port) {
        writer.int32(v);
      }
      writer.join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PortForwardRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePortForwardRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
          case 2: {
            if (tag === 16) {
              message.port.push(reader.int32());

              continue;
            }

            if (tag === 18) {
              const end2 = reader.uint32() + reader.pos;
              while (reader.pos < end2) {
                message.port.push(reader.int32());
              }

              continue;
            }

            break;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PortForwardRequest>): PortForwardRequest {
    return PortForwardRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PortForwardRequest>): PortForwardRequest {
    const message = createBasePortForwardRequest();
    message.podSandboxId = object.podSandboxId ?? "";
    message.port = object.port?.map((e) => e) || [];
    return message;
  },
};

function createBasePortForwardResponse(): PortForwardResponse {
  return { url: "" };
}

export const PortForwardResponse: MessageFns<PortForwardResponse> = {
  encode(message: PortForwardResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.url !== "") {
      writer.uint32(10).string(message.url);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PortForwardResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePortForwardResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.url = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PortForwardResponse>): PortForwardResponse {
    return PortForwardResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PortForwardResponse>): PortForwardResponse {
    const message = createBasePortForwardResponse();
    message.url = object.url ?? "";
    return message;
  },
};

function createBaseImageFilter(): ImageFilter {
  return { image: undefined };
}

export const ImageFilter: MessageFns<ImageFilter> = {
  encode(message: ImageFilter, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.image !== undefined) {
      ImageSpec.encode(message.image, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ImageFilter {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseImageFilter();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.image = ImageSpec.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ImageFilter>): ImageFilter {
    return ImageFilter.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ImageFilter>): ImageFilter {
    const message = createBaseImageFilter();
    message.image = (object.image !== undefined && object.image !== null)
      ? ImageSpec.fromPartial(object.image)
      : undefined;
    return message;
  },
};

function createBaseListImagesRequest(): ListImagesRequest {
  return { filter: undefined };
}

export const ListImagesRequest: MessageFns<ListImagesRequest> = {
  encode(message: ListImagesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      ImageFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListImagesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListImagesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = ImageFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListImagesRequest>): ListImagesRequest {
    return ListImagesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListImagesRequest>): ListImagesRequest {
    const message = createBaseListImagesRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? ImageFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBaseImage(): Image {
  return {
    id: "",
    repoTags: [],
    repoDigests: [],
    size: 0n,
    uid: undefined,
    username: "",
    spec: undefined,
    pinned: false,
  };
}

export const Image: MessageFns<Image> = {
  encode(message: Image, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    for (const v of message.repoTags) {
      writer.uint32(18).string(v!);
    }
    for (const v of message.repoDigests) {
      writer.uint32(26).string(v!);
    }
    if (message.size !== 0n) {
      if (BigInt.asUintN(64, message.size) !== message.size) {
        throw new globalThis.Error("value provided for field message.size of type uint64 too large");
      }
      writer.uint32(32).uint64(message.size);
    }
    if (message.uid !== undefined) {
      Int64Value.encode(message.uid, writer.uint32(42).fork()).join();
    }
    if (message.username !== "") {
      writer.uint32(50).string(message.username);
    }
    if (message.spec !== undefined) {
      ImageSpec.encode(message.spec, writer.uint32(58).fork()).join();
    }
    if (message.pinned !== false) {
      writer.uint32(64).bool(message.pinned);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Image {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseImage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.repoTags.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.repoDigests.push(reader.string());
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.size = reader.uint64() as bigint;
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.uid = Int64Value.decode(reader, reader.uint32());
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.username = reader.string();
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            message.spec = ImageSpec.decode(reader, reader.uint32());
            continue;
          }
          case 8: {
            if (tag !== 64) {
              break;
            }

            message.pinned = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Image>): Image {
    return Image.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Image>): Image {
    const message = createBaseImage();
    message.id = object.id ?? "";
    message.repoTags = object.repoTags?.map((e) => e) || [];
    message.repoDigests = object.repoDigests?.map((e) => e) || [];
    message.size = (object.size !== undefined && object.size !== null) ? BigInt(object.size) : 0n;
    message.uid = (object.uid !== undefined && object.uid !== null) ? Int64Value.fromPartial(object.uid) : undefined;
    message.username = object.username ?? "";
    message.spec = (object.spec !== undefined && object.spec !== null) ? ImageSpec.fromPartial(object.spec) : undefined;
    message.pinned = object.pinned ?? false;
    return message;
  },
};

function createBaseListImagesResponse(): ListImagesResponse {
  return { images: [] };
}

export const ListImagesResponse: MessageFns<ListImagesResponse> = {
  encode(message: ListImagesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.images) {
      Image.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListImagesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListImagesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.images.push(Image.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListImagesResponse>): ListImagesResponse {
    return ListImagesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListImagesResponse>): ListImagesResponse {
    const message = createBaseListImagesResponse();
    message.images = object.images?.map((e) => Image.fromPartial(e)) || [];
    return message;
  },
};

function createBaseStreamImagesRequest(): StreamImagesRequest {
  return { filter: undefined };
}

export const StreamImagesRequest: MessageFns<StreamImagesRequest> = {
  encode(message: StreamImagesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      ImageFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamImagesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamImagesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = ImageFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamImagesRequest>): StreamImagesRequest {
    return StreamImagesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamImagesRequest>): StreamImagesRequest {
    const message = createBaseStreamImagesRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? ImageFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBaseStreamImagesResponse(): StreamImagesResponse {
  return { images: [] };
}

export const StreamImagesResponse: MessageFns<StreamImagesResponse> = {
  encode(message: StreamImagesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.images) {
      Image.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamImagesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamImagesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.images.push(Image.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamImagesResponse>): StreamImagesResponse {
    return StreamImagesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamImagesResponse>): StreamImagesResponse {
    const message = createBaseStreamImagesResponse();
    message.images = object.images?.map((e) => Image.fromPartial(e)) || [];
    return message;
  },
};

function createBaseImageStatusRequest(): ImageStatusRequest {
  return { image: undefined, verbose: false };
}

export const ImageStatusRequest: MessageFns<ImageStatusRequest> = {
  encode(message: ImageStatusRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.image !== undefined) {
      ImageSpec.encode(message.image, writer.uint32(10).fork()).join();
    }
    if (message.verbose !== false) {
      writer.uint32(16).bool(message.verbose);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ImageStatusRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseImageStatusRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.image = ImageSpec.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.verbose = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ImageStatusRequest>): ImageStatusRequest {
    return ImageStatusRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ImageStatusRequest>): ImageStatusRequest {
    const message = createBaseImageStatusRequest();
    message.image = (object.image !== undefined && object.image !== null)
      ? ImageSpec.fromPartial(object.image)
      : undefined;
    message.verbose = object.verbose ?? false;
    return message;
  },
};

function createBaseImageStatusResponse(): ImageStatusResponse {
  return { image: undefined, info: {} };
}

export const ImageStatusResponse: MessageFns<ImageStatusResponse> = {
  encode(message: ImageStatusResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.image !== undefined) {
      Image.encode(message.image, writer.uint32(10).fork()).join();
    }
    globalThis.Object.entries(message.info).forEach(([key, value]: [string, string]) => {
      ImageStatusResponse_InfoEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ImageStatusResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseImageStatusResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.image = Image.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = ImageStatusResponse_InfoEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.info[entry2.key] = entry2.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ImageStatusResponse>): ImageStatusResponse {
    return ImageStatusResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ImageStatusResponse>): ImageStatusResponse {
    const message = createBaseImageStatusResponse();
    message.image = (object.image !== undefined && object.image !== null) ? Image.fromPartial(object.image) : undefined;
    message.info = (globalThis.Object.entries(object.info ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseImageStatusResponse_InfoEntry(): ImageStatusResponse_InfoEntry {
  return { key: "", value: "" };
}

export const ImageStatusResponse_InfoEntry: MessageFns<ImageStatusResponse_InfoEntry> = {
  encode(message: ImageStatusResponse_InfoEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ImageStatusResponse_InfoEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseImageStatusResponse_InfoEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ImageStatusResponse_InfoEntry>): ImageStatusResponse_InfoEntry {
    return ImageStatusResponse_InfoEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ImageStatusResponse_InfoEntry>): ImageStatusResponse_InfoEntry {
    const message = createBaseImageStatusResponse_InfoEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseAuthConfig(): AuthConfig {
  return { username: "", password: "", auth: "", serverAddress: "", identityToken: "", registryToken: "" };
}

export const AuthConfig: MessageFns<AuthConfig> = {
  encode(message: AuthConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.username !== "") {
      writer.uint32(10).string(message.username);
    }
    if (message.password !== "") {
      writer.uint32(18).string(message.password);
    }
    if (message.auth !== "") {
      writer.uint32(26).string(message.auth);
    }
    if (message.serverAddress !== "") {
      writer.uint32(34).string(message.serverAddress);
    }
    if (message.identityToken !== "") {
      writer.uint32(42).string(message.identityToken);
    }
    if (message.registryToken !== "") {
      writer.uint32(50).string(message.registryToken);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): AuthConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseAuthConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.username = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.password = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.auth = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.serverAddress = reader.string();
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.identityToken = reader.string();
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.registryToken = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<AuthConfig>): AuthConfig {
    return AuthConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<AuthConfig>): AuthConfig {
    const message = createBaseAuthConfig();
    message.username = object.username ?? "";
    message.password = object.password ?? "";
    message.auth = object.auth ?? "";
    message.serverAddress = object.serverAddress ?? "";
    message.identityToken = object.identityToken ?? "";
    message.registryToken = object.registryToken ?? "";
    return message;
  },
};

function createBasePullImageRequest(): PullImageRequest {
  return { image: undefined, auth: undefined, sandboxConfig: undefined };
}

export const PullImageRequest: MessageFns<PullImageRequest> = {
  encode(message: PullImageRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.image !== undefined) {
      ImageSpec.encode(message.image, writer.uint32(10).fork()).join();
    }
    if (message.auth !== undefined) {
      AuthConfig.encode(message.auth, writer.uint32(18).fork()).join();
    }
    if (message.sandboxConfig !== undefined) {
      PodSandboxConfig.encode(message.sandboxConfig, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PullImageRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePullImageRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.image = ImageSpec.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.auth = AuthConfig.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.sandboxConfig = PodSandboxConfig.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PullImageRequest>): PullImageRequest {
    return PullImageRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PullImageRequest>): PullImageRequest {
    const message = createBasePullImageRequest();
    message.image = (object.image !== undefined && object.image !== null)
      ? ImageSpec.fromPartial(object.image)
      : undefined;
    message.auth = (object.auth !== undefined && object.auth !== null)
      ? AuthConfig.fromPartial(object.auth)
      : undefined;
    message.sandboxConfig = (object.sandboxConfig !== undefined && object.sandboxConfig !== null)
      ? PodSandboxConfig.fromPartial(object.sandboxConfig)
      : undefined;
    return message;
  },
};

function createBasePullImageResponse(): PullImageResponse {
  return { imageRef: "" };
}

export const PullImageResponse: MessageFns<PullImageResponse> = {
  encode(message: PullImageResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.imageRef !== "") {
      writer.uint32(10).string(message.imageRef);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PullImageResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePullImageResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.imageRef = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PullImageResponse>): PullImageResponse {
    return PullImageResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PullImageResponse>): PullImageResponse {
    const message = createBasePullImageResponse();
    message.imageRef = object.imageRef ?? "";
    return message;
  },
};

function createBaseRemoveImageRequest(): RemoveImageRequest {
  return { image: undefined };
}

export const RemoveImageRequest: MessageFns<RemoveImageRequest> = {
  encode(message: RemoveImageRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.image !== undefined) {
      ImageSpec.encode(message.image, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RemoveImageRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRemoveImageRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.image = ImageSpec.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RemoveImageRequest>): RemoveImageRequest {
    return RemoveImageRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RemoveImageRequest>): RemoveImageRequest {
    const message = createBaseRemoveImageRequest();
    message.image = (object.image !== undefined && object.image !== null)
      ? ImageSpec.fromPartial(object.image)
      : undefined;
    return message;
  },
};

function createBaseRemoveImageResponse(): RemoveImageResponse {
  return {};
}

export const RemoveImageResponse: MessageFns<RemoveImageResponse> = {
  encode(_: RemoveImageResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RemoveImageResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRemoveImageResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RemoveImageResponse>): RemoveImageResponse {
    return RemoveImageResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<RemoveImageResponse>): RemoveImageResponse {
    const message = createBaseRemoveImageResponse();
    return message;
  },
};

function createBaseNetworkConfig(): NetworkConfig {
  return { podCidr: "" };
}

export const NetworkConfig: MessageFns<NetworkConfig> = {
  encode(message: NetworkConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podCidr !== "") {
      writer.uint32(10).string(message.podCidr);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NetworkConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNetworkConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podCidr = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NetworkConfig>): NetworkConfig {
    return NetworkConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NetworkConfig>): NetworkConfig {
    const message = createBaseNetworkConfig();
    message.podCidr = object.podCidr ?? "";
    return message;
  },
};

function createBaseRuntimeConfig(): RuntimeConfig {
  return { networkConfig: undefined };
}

export const RuntimeConfig: MessageFns<RuntimeConfig> = {
  encode(message: RuntimeConfig, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.networkConfig !== undefined) {
      NetworkConfig.encode(message.networkConfig, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RuntimeConfig {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRuntimeConfig();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.networkConfig = NetworkConfig.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RuntimeConfig>): RuntimeConfig {
    return RuntimeConfig.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RuntimeConfig>): RuntimeConfig {
    const message = createBaseRuntimeConfig();
    message.networkConfig = (object.networkConfig !== undefined && object.networkConfig !== null)
      ? NetworkConfig.fromPartial(object.networkConfig)
      : undefined;
    return message;
  },
};

function createBaseUpdateRuntimeConfigRequest(): UpdateRuntimeConfigRequest {
  return { runtimeConfig: undefined };
}

export const UpdateRuntimeConfigRequest: MessageFns<UpdateRuntimeConfigRequest> = {
  encode(message: UpdateRuntimeConfigRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.runtimeConfig !== undefined) {
      RuntimeConfig.encode(message.runtimeConfig, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UpdateRuntimeConfigRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUpdateRuntimeConfigRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.runtimeConfig = RuntimeConfig.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UpdateRuntimeConfigRequest>): UpdateRuntimeConfigRequest {
    return UpdateRuntimeConfigRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<UpdateRuntimeConfigRequest>): UpdateRuntimeConfigRequest {
    const message = createBaseUpdateRuntimeConfigRequest();
    message.runtimeConfig = (object.runtimeConfig !== undefined && object.runtimeConfig !== null)
      ? RuntimeConfig.fromPartial(object.runtimeConfig)
      : undefined;
    return message;
  },
};

function createBaseUpdateRuntimeConfigResponse(): UpdateRuntimeConfigResponse {
  return {};
}

export const UpdateRuntimeConfigResponse: MessageFns<UpdateRuntimeConfigResponse> = {
  encode(_: UpdateRuntimeConfigResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UpdateRuntimeConfigResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUpdateRuntimeConfigResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UpdateRuntimeConfigResponse>): UpdateRuntimeConfigResponse {
    return UpdateRuntimeConfigResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<UpdateRuntimeConfigResponse>): UpdateRuntimeConfigResponse {
    const message = createBaseUpdateRuntimeConfigResponse();
    return message;
  },
};

function createBaseRuntimeCondition(): RuntimeCondition {
  return { type: "", status: false, reason: "", message: "" };
}

export const RuntimeCondition: MessageFns<RuntimeCondition> = {
  encode(message: RuntimeCondition, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.type !== "") {
      writer.uint32(10).string(message.type);
    }
    if (message.status !== false) {
      writer.uint32(16).bool(message.status);
    }
    if (message.reason !== "") {
      writer.uint32(26).string(message.reason);
    }
    if (message.message !== "") {
      writer.uint32(34).string(message.message);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RuntimeCondition {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRuntimeCondition();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.type = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.status = reader.bool();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.reason = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.message = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RuntimeCondition>): RuntimeCondition {
    return RuntimeCondition.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RuntimeCondition>): RuntimeCondition {
    const message = createBaseRuntimeCondition();
    message.type = object.type ?? "";
    message.status = object.status ?? false;
    message.reason = object.reason ?? "";
    message.message = object.message ?? "";
    return message;
  },
};

function createBaseRuntimeStatus(): RuntimeStatus {
  return { conditions: [] };
}

export const RuntimeStatus: MessageFns<RuntimeStatus> = {
  encode(message: RuntimeStatus, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.conditions) {
      RuntimeCondition.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RuntimeStatus {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRuntimeStatus();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.conditions.push(RuntimeCondition.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RuntimeStatus>): RuntimeStatus {
    return RuntimeStatus.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RuntimeStatus>): RuntimeStatus {
    const message = createBaseRuntimeStatus();
    message.conditions = object.conditions?.map((e) => RuntimeCondition.fromPartial(e)) || [];
    return message;
  },
};

function createBaseStatusRequest(): StatusRequest {
  return { verbose: false };
}

export const StatusRequest: MessageFns<StatusRequest> = {
  encode(message: StatusRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.verbose !== false) {
      writer.uint32(8).bool(message.verbose);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StatusRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStatusRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.verbose = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StatusRequest>): StatusRequest {
    return StatusRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StatusRequest>): StatusRequest {
    const message = createBaseStatusRequest();
    message.verbose = object.verbose ?? false;
    return message;
  },
};

function createBaseRuntimeHandlerFeatures(): RuntimeHandlerFeatures {
  return { recursiveReadOnlyMounts: false, userNamespaces: false };
}

export const RuntimeHandlerFeatures: MessageFns<RuntimeHandlerFeatures> = {
  encode(message: RuntimeHandlerFeatures, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.recursiveReadOnlyMounts !== false) {
      writer.uint32(8).bool(message.recursiveReadOnlyMounts);
    }
    if (message.userNamespaces !== false) {
      writer.uint32(16).bool(message.userNamespaces);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RuntimeHandlerFeatures {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRuntimeHandlerFeatures();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.recursiveReadOnlyMounts = reader.bool();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.userNamespaces = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RuntimeHandlerFeatures>): RuntimeHandlerFeatures {
    return RuntimeHandlerFeatures.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RuntimeHandlerFeatures>): RuntimeHandlerFeatures {
    const message = createBaseRuntimeHandlerFeatures();
    message.recursiveReadOnlyMounts = object.recursiveReadOnlyMounts ?? false;
    message.userNamespaces = object.userNamespaces ?? false;
    return message;
  },
};

function createBaseRuntimeHandler(): RuntimeHandler {
  return { name: "", features: undefined };
}

export const RuntimeHandler: MessageFns<RuntimeHandler> = {
  encode(message: RuntimeHandler, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.features !== undefined) {
      RuntimeHandlerFeatures.encode(message.features, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RuntimeHandler {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRuntimeHandler();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.features = RuntimeHandlerFeatures.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RuntimeHandler>): RuntimeHandler {
    return RuntimeHandler.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RuntimeHandler>): RuntimeHandler {
    const message = createBaseRuntimeHandler();
    message.name = object.name ?? "";
    message.features = (object.features !== undefined && object.features !== null)
      ? RuntimeHandlerFeatures.fromPartial(object.features)
      : undefined;
    return message;
  },
};

function createBaseRuntimeFeatures(): RuntimeFeatures {
  return { supplementalGroupsPolicy: false, userNamespacesHostNetwork: false };
}

export const RuntimeFeatures: MessageFns<RuntimeFeatures> = {
  encode(message: RuntimeFeatures, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.supplementalGroupsPolicy !== false) {
      writer.uint32(8).bool(message.supplementalGroupsPolicy);
    }
    if (message.userNamespacesHostNetwork !== false) {
      writer.uint32(16).bool(message.userNamespacesHostNetwork);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RuntimeFeatures {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRuntimeFeatures();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.supplementalGroupsPolicy = reader.bool();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.userNamespacesHostNetwork = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RuntimeFeatures>): RuntimeFeatures {
    return RuntimeFeatures.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RuntimeFeatures>): RuntimeFeatures {
    const message = createBaseRuntimeFeatures();
    message.supplementalGroupsPolicy = object.supplementalGroupsPolicy ?? false;
    message.userNamespacesHostNetwork = object.userNamespacesHostNetwork ?? false;
    return message;
  },
};

function createBaseStatusResponse(): StatusResponse {
  return { status: undefined, info: {}, runtimeHandlers: [], features: undefined };
}

export const StatusResponse: MessageFns<StatusResponse> = {
  encode(message: StatusResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.status !== undefined) {
      RuntimeStatus.encode(message.status, writer.uint32(10).fork()).join();
    }
    globalThis.Object.entries(message.info).forEach(([key, value]: [string, string]) => {
      StatusResponse_InfoEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    for (const v of message.runtimeHandlers) {
      RuntimeHandler.encode(v!, writer.uint32(26).fork()).join();
    }
    if (message.features !== undefined) {
      RuntimeFeatures.encode(message.features, writer.uint32(34).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StatusResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStatusResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.status = RuntimeStatus.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = StatusResponse_InfoEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.info[entry2.key] = entry2.value;
            }
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.runtimeHandlers.push(RuntimeHandler.decode(reader, reader.uint32()));
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.features = RuntimeFeatures.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StatusResponse>): StatusResponse {
    return StatusResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StatusResponse>): StatusResponse {
    const message = createBaseStatusResponse();
    message.status = (object.status !== undefined && object.status !== null)
      ? RuntimeStatus.fromPartial(object.status)
      : undefined;
    message.info = (globalThis.Object.entries(object.info ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.runtimeHandlers = object.runtimeHandlers?.map((e) => RuntimeHandler.fromPartial(e)) || [];
    message.features = (object.features !== undefined && object.features !== null)
      ? RuntimeFeatures.fromPartial(object.features)
      : undefined;
    return message;
  },
};

function createBaseStatusResponse_InfoEntry(): StatusResponse_InfoEntry {
  return { key: "", value: "" };
}

export const StatusResponse_InfoEntry: MessageFns<StatusResponse_InfoEntry> = {
  encode(message: StatusResponse_InfoEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StatusResponse_InfoEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStatusResponse_InfoEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StatusResponse_InfoEntry>): StatusResponse_InfoEntry {
    return StatusResponse_InfoEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StatusResponse_InfoEntry>): StatusResponse_InfoEntry {
    const message = createBaseStatusResponse_InfoEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseImageFsInfoRequest(): ImageFsInfoRequest {
  return {};
}

export const ImageFsInfoRequest: MessageFns<ImageFsInfoRequest> = {
  encode(_: ImageFsInfoRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ImageFsInfoRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseImageFsInfoRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ImageFsInfoRequest>): ImageFsInfoRequest {
    return ImageFsInfoRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ImageFsInfoRequest>): ImageFsInfoRequest {
    const message = createBaseImageFsInfoRequest();
    return message;
  },
};

function createBaseUInt64Value(): UInt64Value {
  return { value: 0n };
}

export const UInt64Value: MessageFns<UInt64Value> = {
  encode(message: UInt64Value, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.value !== 0n) {
      if (BigInt.asUintN(64, message.value) !== message.value) {
        throw new globalThis.Error("value provided for field message.value of type uint64 too large");
      }
      writer.uint32(8).uint64(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UInt64Value {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUInt64Value();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.value = reader.uint64() as bigint;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UInt64Value>): UInt64Value {
    return UInt64Value.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<UInt64Value>): UInt64Value {
    const message = createBaseUInt64Value();
    message.value = (object.value !== undefined && object.value !== null) ? BigInt(object.value) : 0n;
    return message;
  },
};

function createBaseFilesystemIdentifier(): FilesystemIdentifier {
  return { mountpoint: "" };
}

export const FilesystemIdentifier: MessageFns<FilesystemIdentifier> = {
  encode(message: FilesystemIdentifier, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.mountpoint !== "") {
      writer.uint32(10).string(message.mountpoint);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): FilesystemIdentifier {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseFilesystemIdentifier();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.mountpoint = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<FilesystemIdentifier>): FilesystemIdentifier {
    return FilesystemIdentifier.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<FilesystemIdentifier>): FilesystemIdentifier {
    const message = createBaseFilesystemIdentifier();
    message.mountpoint = object.mountpoint ?? "";
    return message;
  },
};

function createBaseFilesystemUsage(): FilesystemUsage {
  return { timestamp: 0n, fsId: undefined, usedBytes: undefined, inodesUsed: undefined };
}

export const FilesystemUsage: MessageFns<FilesystemUsage> = {
  encode(message: FilesystemUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.fsId !== undefined) {
      FilesystemIdentifier.encode(message.fsId, writer.uint32(18).fork()).join();
    }
    if (message.usedBytes !== undefined) {
      UInt64Value.encode(message.usedBytes, writer.uint32(26).fork()).join();
    }
    if (message.inodesUsed !== undefined) {
      UInt64Value.encode(message.inodesUsed, writer.uint32(34).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): FilesystemUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseFilesystemUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.fsId = FilesystemIdentifier.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.usedBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.inodesUsed = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<FilesystemUsage>): FilesystemUsage {
    return FilesystemUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<FilesystemUsage>): FilesystemUsage {
    const message = createBaseFilesystemUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.fsId = (object.fsId !== undefined && object.fsId !== null)
      ? FilesystemIdentifier.fromPartial(object.fsId)
      : undefined;
    message.usedBytes = (object.usedBytes !== undefined && object.usedBytes !== null)
      ? UInt64Value.fromPartial(object.usedBytes)
      : undefined;
    message.inodesUsed = (object.inodesUsed !== undefined && object.inodesUsed !== null)
      ? UInt64Value.fromPartial(object.inodesUsed)
      : undefined;
    return message;
  },
};

function createBaseWindowsFilesystemUsage(): WindowsFilesystemUsage {
  return { timestamp: 0n, fsId: undefined, usedBytes: undefined };
}

export const WindowsFilesystemUsage: MessageFns<WindowsFilesystemUsage> = {
  encode(message: WindowsFilesystemUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.fsId !== undefined) {
      FilesystemIdentifier.encode(message.fsId, writer.uint32(18).fork()).join();
    }
    if (message.usedBytes !== undefined) {
      UInt64Value.encode(message.usedBytes, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsFilesystemUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsFilesystemUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.fsId = FilesystemIdentifier.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.usedBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsFilesystemUsage>): WindowsFilesystemUsage {
    return WindowsFilesystemUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsFilesystemUsage>): WindowsFilesystemUsage {
    const message = createBaseWindowsFilesystemUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.fsId = (object.fsId !== undefined && object.fsId !== null)
      ? FilesystemIdentifier.fromPartial(object.fsId)
      : undefined;
    message.usedBytes = (object.usedBytes !== undefined && object.usedBytes !== null)
      ? UInt64Value.fromPartial(object.usedBytes)
      : undefined;
    return message;
  },
};

function createBaseImageFsInfoResponse(): ImageFsInfoResponse {
  return { imageFilesystems: [], containerFilesystems: [] };
}

export const ImageFsInfoResponse: MessageFns<ImageFsInfoResponse> = {
  encode(message: ImageFsInfoResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.imageFilesystems) {
      FilesystemUsage.encode(v!, writer.uint32(10).fork()).join();
    }
    for (const v of message.containerFilesystems) {
      FilesystemUsage.encode(v!, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ImageFsInfoResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseImageFsInfoResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.imageFilesystems.push(FilesystemUsage.decode(reader, reader.uint32()));
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.containerFilesystems.push(FilesystemUsage.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ImageFsInfoResponse>): ImageFsInfoResponse {
    return ImageFsInfoResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ImageFsInfoResponse>): ImageFsInfoResponse {
    const message = createBaseImageFsInfoResponse();
    message.imageFilesystems = object.imageFilesystems?.map((e) => FilesystemUsage.fromPartial(e)) || [];
    message.containerFilesystems = object.containerFilesystems?.map((e) => FilesystemUsage.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerStatsRequest(): ContainerStatsRequest {
  return { containerId: "" };
}

export const ContainerStatsRequest: MessageFns<ContainerStatsRequest> = {
  encode(message: ContainerStatsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatsRequest>): ContainerStatsRequest {
    return ContainerStatsRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatsRequest>): ContainerStatsRequest {
    const message = createBaseContainerStatsRequest();
    message.containerId = object.containerId ?? "";
    return message;
  },
};

function createBaseContainerStatsResponse(): ContainerStatsResponse {
  return { stats: undefined };
}

export const ContainerStatsResponse: MessageFns<ContainerStatsResponse> = {
  encode(message: ContainerStatsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.stats !== undefined) {
      ContainerStats.encode(message.stats, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.stats = ContainerStats.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatsResponse>): ContainerStatsResponse {
    return ContainerStatsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatsResponse>): ContainerStatsResponse {
    const message = createBaseContainerStatsResponse();
    message.stats = (object.stats !== undefined && object.stats !== null)
      ? ContainerStats.fromPartial(object.stats)
      : undefined;
    return message;
  },
};

function createBaseListContainerStatsRequest(): ListContainerStatsRequest {
  return { filter: undefined };
}

export const ListContainerStatsRequest: MessageFns<ListContainerStatsRequest> = {
  encode(message: ListContainerStatsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      ContainerStatsFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListContainerStatsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListContainerStatsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = ContainerStatsFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListContainerStatsRequest>): ListContainerStatsRequest {
    return ListContainerStatsRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListContainerStatsRequest>): ListContainerStatsRequest {
    const message = createBaseListContainerStatsRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? ContainerStatsFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBaseContainerStatsFilter(): ContainerStatsFilter {
  return { id: "", podSandboxId: "", labelSelector: {} };
}

export const ContainerStatsFilter: MessageFns<ContainerStatsFilter> = {
  encode(message: ContainerStatsFilter, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    if (message.podSandboxId !== "") {
      writer.uint32(18).string(message.podSandboxId);
    }
    globalThis.Object.entries(message.labelSelector).forEach(([key, value]: [string, string]) => {
      ContainerStatsFilter_LabelSelectorEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatsFilter {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatsFilter();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = ContainerStatsFilter_LabelSelectorEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.labelSelector[entry3.key] = entry3.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatsFilter>): ContainerStatsFilter {
    return ContainerStatsFilter.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatsFilter>): ContainerStatsFilter {
    const message = createBaseContainerStatsFilter();
    message.id = object.id ?? "";
    message.podSandboxId = object.podSandboxId ?? "";
    message.labelSelector = (globalThis.Object.entries(object.labelSelector ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseContainerStatsFilter_LabelSelectorEntry(): ContainerStatsFilter_LabelSelectorEntry {
  return { key: "", value: "" };
}

export const ContainerStatsFilter_LabelSelectorEntry: MessageFns<ContainerStatsFilter_LabelSelectorEntry> = {
  encode(message: ContainerStatsFilter_LabelSelectorEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStatsFilter_LabelSelectorEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStatsFilter_LabelSelectorEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStatsFilter_LabelSelectorEntry>): ContainerStatsFilter_LabelSelectorEntry {
    return ContainerStatsFilter_LabelSelectorEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStatsFilter_LabelSelectorEntry>): ContainerStatsFilter_LabelSelectorEntry {
    const message = createBaseContainerStatsFilter_LabelSelectorEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseListContainerStatsResponse(): ListContainerStatsResponse {
  return { stats: [] };
}

export const ListContainerStatsResponse: MessageFns<ListContainerStatsResponse> = {
  encode(message: ListContainerStatsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.stats) {
      ContainerStats.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListContainerStatsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListContainerStatsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.stats.push(ContainerStats.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListContainerStatsResponse>): ListContainerStatsResponse {
    return ListContainerStatsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListContainerStatsResponse>): ListContainerStatsResponse {
    const message = createBaseListContainerStatsResponse();
    message.stats = object.stats?.map((e) => ContainerStats.fromPartial(e)) || [];
    return message;
  },
};

function createBaseStreamContainerStatsRequest(): StreamContainerStatsRequest {
  return { filter: undefined };
}

export const StreamContainerStatsRequest: MessageFns<StreamContainerStatsRequest> = {
  encode(message: StreamContainerStatsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.filter !== undefined) {
      ContainerStatsFilter.encode(message.filter, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamContainerStatsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamContainerStatsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.filter = ContainerStatsFilter.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamContainerStatsRequest>): StreamContainerStatsRequest {
    return StreamContainerStatsRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamContainerStatsRequest>): StreamContainerStatsRequest {
    const message = createBaseStreamContainerStatsRequest();
    message.filter = (object.filter !== undefined && object.filter !== null)
      ? ContainerStatsFilter.fromPartial(object.filter)
      : undefined;
    return message;
  },
};

function createBaseStreamContainerStatsResponse(): StreamContainerStatsResponse {
  return { containerStats: [] };
}

export const StreamContainerStatsResponse: MessageFns<StreamContainerStatsResponse> = {
  encode(message: StreamContainerStatsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.containerStats) {
      ContainerStats.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamContainerStatsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamContainerStatsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerStats.push(ContainerStats.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamContainerStatsResponse>): StreamContainerStatsResponse {
    return StreamContainerStatsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamContainerStatsResponse>): StreamContainerStatsResponse {
    const message = createBaseStreamContainerStatsResponse();
    message.containerStats = object.containerStats?.map((e) => ContainerStats.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerAttributes(): ContainerAttributes {
  return { id: "", metadata: undefined, labels: {}, annotations: {} };
}

export const ContainerAttributes: MessageFns<ContainerAttributes> = {
  encode(message: ContainerAttributes, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.id !== "") {
      writer.uint32(10).string(message.id);
    }
    if (message.metadata !== undefined) {
      ContainerMetadata.encode(message.metadata, writer.uint32(18).fork()).join();
    }
    globalThis.Object.entries(message.labels).forEach(([key, value]: [string, string]) => {
      ContainerAttributes_LabelsEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      ContainerAttributes_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(34).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerAttributes {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerAttributes();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.id = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.metadata = ContainerMetadata.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = ContainerAttributes_LabelsEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.labels[entry3.key] = entry3.value;
            }
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = ContainerAttributes_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.annotations[entry4.key] = entry4.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerAttributes>): ContainerAttributes {
    return ContainerAttributes.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerAttributes>): ContainerAttributes {
    const message = createBaseContainerAttributes();
    message.id = object.id ?? "";
    message.metadata = (object.metadata !== undefined && object.metadata !== null)
      ? ContainerMetadata.fromPartial(object.metadata)
      : undefined;
    message.labels = (globalThis.Object.entries(object.labels ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseContainerAttributes_LabelsEntry(): ContainerAttributes_LabelsEntry {
  return { key: "", value: "" };
}

export const ContainerAttributes_LabelsEntry: MessageFns<ContainerAttributes_LabelsEntry> = {
  encode(message: ContainerAttributes_LabelsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerAttributes_LabelsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerAttributes_LabelsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerAttributes_LabelsEntry>): ContainerAttributes_LabelsEntry {
    return ContainerAttributes_LabelsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerAttributes_LabelsEntry>): ContainerAttributes_LabelsEntry {
    const message = createBaseContainerAttributes_LabelsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseContainerAttributes_AnnotationsEntry(): ContainerAttributes_AnnotationsEntry {
  return { key: "", value: "" };
}

export const ContainerAttributes_AnnotationsEntry: MessageFns<ContainerAttributes_AnnotationsEntry> = {
  encode(message: ContainerAttributes_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerAttributes_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerAttributes_AnnotationsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerAttributes_AnnotationsEntry>): ContainerAttributes_AnnotationsEntry {
    return ContainerAttributes_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerAttributes_AnnotationsEntry>): ContainerAttributes_AnnotationsEntry {
    const message = createBaseContainerAttributes_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseContainerStats(): ContainerStats {
  return {
    attributes: undefined,
    cpu: undefined,
    memory: undefined,
    writableLayer: undefined,
    swap: undefined,
    io: undefined,
  };
}

export const ContainerStats: MessageFns<ContainerStats> = {
  encode(message: ContainerStats, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.attributes !== undefined) {
      ContainerAttributes.encode(message.attributes, writer.uint32(10).fork()).join();
    }
    if (message.cpu !== undefined) {
      CpuUsage.encode(message.cpu, writer.uint32(18).fork()).join();
    }
    if (message.memory !== undefined) {
      MemoryUsage.encode(message.memory, writer.uint32(26).fork()).join();
    }
    if (message.writableLayer !== undefined) {
      FilesystemUsage.encode(message.writableLayer, writer.uint32(34).fork()).join();
    }
    if (message.swap !== undefined) {
      SwapUsage.encode(message.swap, writer.uint32(42).fork()).join();
    }
    if (message.io !== undefined) {
      IoUsage.encode(message.io, writer.uint32(50).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerStats {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerStats();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.attributes = ContainerAttributes.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.cpu = CpuUsage.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.memory = MemoryUsage.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.writableLayer = FilesystemUsage.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.swap = SwapUsage.decode(reader, reader.uint32());
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.io = IoUsage.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerStats>): ContainerStats {
    return ContainerStats.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerStats>): ContainerStats {
    const message = createBaseContainerStats();
    message.attributes = (object.attributes !== undefined && object.attributes !== null)
      ? ContainerAttributes.fromPartial(object.attributes)
      : undefined;
    message.cpu = (object.cpu !== undefined && object.cpu !== null) ? CpuUsage.fromPartial(object.cpu) : undefined;
    message.memory = (object.memory !== undefined && object.memory !== null)
      ? MemoryUsage.fromPartial(object.memory)
      : undefined;
    message.writableLayer = (object.writableLayer !== undefined && object.writableLayer !== null)
      ? FilesystemUsage.fromPartial(object.writableLayer)
      : undefined;
    message.swap = (object.swap !== undefined && object.swap !== null) ? SwapUsage.fromPartial(object.swap) : undefined;
    message.io = (object.io !== undefined && object.io !== null) ? IoUsage.fromPartial(object.io) : undefined;
    return message;
  },
};

function createBaseWindowsContainerStats(): WindowsContainerStats {
  return { attributes: undefined, cpu: undefined, memory: undefined, writableLayer: undefined };
}

export const WindowsContainerStats: MessageFns<WindowsContainerStats> = {
  encode(message: WindowsContainerStats, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.attributes !== undefined) {
      ContainerAttributes.encode(message.attributes, writer.uint32(10).fork()).join();
    }
    if (message.cpu !== undefined) {
      WindowsCpuUsage.encode(message.cpu, writer.uint32(18).fork()).join();
    }
    if (message.memory !== undefined) {
      WindowsMemoryUsage.encode(message.memory, writer.uint32(26).fork()).join();
    }
    if (message.writableLayer !== undefined) {
      WindowsFilesystemUsage.encode(message.writableLayer, writer.uint32(34).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsContainerStats {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsContainerStats();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.attributes = ContainerAttributes.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.cpu = WindowsCpuUsage.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.memory = WindowsMemoryUsage.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.writableLayer = WindowsFilesystemUsage.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsContainerStats>): WindowsContainerStats {
    return WindowsContainerStats.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsContainerStats>): WindowsContainerStats {
    const message = createBaseWindowsContainerStats();
    message.attributes = (object.attributes !== undefined && object.attributes !== null)
      ? ContainerAttributes.fromPartial(object.attributes)
      : undefined;
    message.cpu = (object.cpu !== undefined && object.cpu !== null)
      ? WindowsCpuUsage.fromPartial(object.cpu)
      : undefined;
    message.memory = (object.memory !== undefined && object.memory !== null)
      ? WindowsMemoryUsage.fromPartial(object.memory)
      : undefined;
    message.writableLayer = (object.writableLayer !== undefined && object.writableLayer !== null)
      ? WindowsFilesystemUsage.fromPartial(object.writableLayer)
      : undefined;
    return message;
  },
};

function createBasePsiStats(): PsiStats {
  return { Full: undefined, Some: undefined };
}

export const PsiStats: MessageFns<PsiStats> = {
  encode(message: PsiStats, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.Full !== undefined) {
      PsiData.encode(message.Full, writer.uint32(10).fork()).join();
    }
    if (message.Some !== undefined) {
      PsiData.encode(message.Some, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PsiStats {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePsiStats();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.Full = PsiData.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.Some = PsiData.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PsiStats>): PsiStats {
    return PsiStats.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PsiStats>): PsiStats {
    const message = createBasePsiStats();
    message.Full = (object.Full !== undefined && object.Full !== null) ? PsiData.fromPartial(object.Full) : undefined;
    message.Some = (object.Some !== undefined && object.Some !== null) ? PsiData.fromPartial(object.Some) : undefined;
    return message;
  },
};

function createBasePsiData(): PsiData {
  return { Total: 0n, Avg10: 0, Avg60: 0, Avg300: 0 };
}

export const PsiData: MessageFns<PsiData> = {
  encode(message: PsiData, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.Total !== 0n) {
      if (BigInt.asUintN(64, message.Total) !== message.Total) {
        throw new globalThis.Error("value provided for field message.Total of type uint64 too large");
      }
      writer.uint32(8).uint64(message.Total);
    }
    if (message.Avg10 !== 0) {
      writer.uint32(17).double(message.Avg10);
    }
    if (message.Avg60 !== 0) {
      writer.uint32(25).double(message.Avg60);
    }
    if (message.Avg300 !== 0) {
      writer.uint32(33).double(message.Avg300);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PsiData {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePsiData();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.Total = reader.uint64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 17) {
              break;
            }

            message.Avg10 = reader.double();
            continue;
          }
          case 3: {
            if (tag !== 25) {
              break;
            }

            message.Avg60 = reader.double();
            continue;
          }
          case 4: {
            if (tag !== 33) {
              break;
            }

            message.Avg300 = reader.double();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PsiData>): PsiData {
    return PsiData.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PsiData>): PsiData {
    const message = createBasePsiData();
    message.Total = (object.Total !== undefined && object.Total !== null) ? BigInt(object.Total) : 0n;
    message.Avg10 = object.Avg10 ?? 0;
    message.Avg60 = object.Avg60 ?? 0;
    message.Avg300 = object.Avg300 ?? 0;
    return message;
  },
};

function createBaseCpuUsage(): CpuUsage {
  return { timestamp: 0n, usageCoreNanoSeconds: undefined, usageNanoCores: undefined, psi: undefined };
}

export const CpuUsage: MessageFns<CpuUsage> = {
  encode(message: CpuUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.usageCoreNanoSeconds !== undefined) {
      UInt64Value.encode(message.usageCoreNanoSeconds, writer.uint32(18).fork()).join();
    }
    if (message.usageNanoCores !== undefined) {
      UInt64Value.encode(message.usageNanoCores, writer.uint32(26).fork()).join();
    }
    if (message.psi !== undefined) {
      PsiStats.encode(message.psi, writer.uint32(34).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CpuUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCpuUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.usageCoreNanoSeconds = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.usageNanoCores = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.psi = PsiStats.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CpuUsage>): CpuUsage {
    return CpuUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CpuUsage>): CpuUsage {
    const message = createBaseCpuUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.usageCoreNanoSeconds = (object.usageCoreNanoSeconds !== undefined && object.usageCoreNanoSeconds !== null)
      ? UInt64Value.fromPartial(object.usageCoreNanoSeconds)
      : undefined;
    message.usageNanoCores = (object.usageNanoCores !== undefined && object.usageNanoCores !== null)
      ? UInt64Value.fromPartial(object.usageNanoCores)
      : undefined;
    message.psi = (object.psi !== undefined && object.psi !== null) ? PsiStats.fromPartial(object.psi) : undefined;
    return message;
  },
};

function createBaseWindowsCpuUsage(): WindowsCpuUsage {
  return { timestamp: 0n, usageCoreNanoSeconds: undefined, usageNanoCores: undefined };
}

export const WindowsCpuUsage: MessageFns<WindowsCpuUsage> = {
  encode(message: WindowsCpuUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.usageCoreNanoSeconds !== undefined) {
      UInt64Value.encode(message.usageCoreNanoSeconds, writer.uint32(18).fork()).join();
    }
    if (message.usageNanoCores !== undefined) {
      UInt64Value.encode(message.usageNanoCores, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsCpuUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsCpuUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.usageCoreNanoSeconds = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.usageNanoCores = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsCpuUsage>): WindowsCpuUsage {
    return WindowsCpuUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsCpuUsage>): WindowsCpuUsage {
    const message = createBaseWindowsCpuUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.usageCoreNanoSeconds = (object.usageCoreNanoSeconds !== undefined && object.usageCoreNanoSeconds !== null)
      ? UInt64Value.fromPartial(object.usageCoreNanoSeconds)
      : undefined;
    message.usageNanoCores = (object.usageNanoCores !== undefined && object.usageNanoCores !== null)
      ? UInt64Value.fromPartial(object.usageNanoCores)
      : undefined;
    return message;
  },
};

function createBaseMemoryUsage(): MemoryUsage {
  return {
    timestamp: 0n,
    workingSetBytes: undefined,
    availableBytes: undefined,
    usageBytes: undefined,
    rssBytes: undefined,
    pageFaults: undefined,
    majorPageFaults: undefined,
    psi: undefined,
  };
}

export const MemoryUsage: MessageFns<MemoryUsage> = {
  encode(message: MemoryUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.workingSetBytes !== undefined) {
      UInt64Value.encode(message.workingSetBytes, writer.uint32(18).fork()).join();
    }
    if (message.availableBytes !== undefined) {
      UInt64Value.encode(message.availableBytes, writer.uint32(26).fork()).join();
    }
    if (message.usageBytes !== undefined) {
      UInt64Value.encode(message.usageBytes, writer.uint32(34).fork()).join();
    }
    if (message.rssBytes !== undefined) {
      UInt64Value.encode(message.rssBytes, writer.uint32(42).fork()).join();
    }
    if (message.pageFaults !== undefined) {
      UInt64Value.encode(message.pageFaults, writer.uint32(50).fork()).join();
    }
    if (message.majorPageFaults !== undefined) {
      UInt64Value.encode(message.majorPageFaults, writer.uint32(58).fork()).join();
    }
    if (message.psi !== undefined) {
      PsiStats.encode(message.psi, writer.uint32(66).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): MemoryUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseMemoryUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.workingSetBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.availableBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.usageBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.rssBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.pageFaults = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            message.majorPageFaults = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            message.psi = PsiStats.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<MemoryUsage>): MemoryUsage {
    return MemoryUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<MemoryUsage>): MemoryUsage {
    const message = createBaseMemoryUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.workingSetBytes = (object.workingSetBytes !== undefined && object.workingSetBytes !== null)
      ? UInt64Value.fromPartial(object.workingSetBytes)
      : undefined;
    message.availableBytes = (object.availableBytes !== undefined && object.availableBytes !== null)
      ? UInt64Value.fromPartial(object.availableBytes)
      : undefined;
    message.usageBytes = (object.usageBytes !== undefined && object.usageBytes !== null)
      ? UInt64Value.fromPartial(object.usageBytes)
      : undefined;
    message.rssBytes = (object.rssBytes !== undefined && object.rssBytes !== null)
      ? UInt64Value.fromPartial(object.rssBytes)
      : undefined;
    message.pageFaults = (object.pageFaults !== undefined && object.pageFaults !== null)
      ? UInt64Value.fromPartial(object.pageFaults)
      : undefined;
    message.majorPageFaults = (object.majorPageFaults !== undefined && object.majorPageFaults !== null)
      ? UInt64Value.fromPartial(object.majorPageFaults)
      : undefined;
    message.psi = (object.psi !== undefined && object.psi !== null) ? PsiStats.fromPartial(object.psi) : undefined;
    return message;
  },
};

function createBaseIoUsage(): IoUsage {
  return { timestamp: 0n, psi: undefined };
}

export const IoUsage: MessageFns<IoUsage> = {
  encode(message: IoUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.psi !== undefined) {
      PsiStats.encode(message.psi, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): IoUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseIoUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.psi = PsiStats.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<IoUsage>): IoUsage {
    return IoUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<IoUsage>): IoUsage {
    const message = createBaseIoUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.psi = (object.psi !== undefined && object.psi !== null) ? PsiStats.fromPartial(object.psi) : undefined;
    return message;
  },
};

function createBaseSwapUsage(): SwapUsage {
  return { timestamp: 0n, swapAvailableBytes: undefined, swapUsageBytes: undefined };
}

export const SwapUsage: MessageFns<SwapUsage> = {
  encode(message: SwapUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.swapAvailableBytes !== undefined) {
      UInt64Value.encode(message.swapAvailableBytes, writer.uint32(18).fork()).join();
    }
    if (message.swapUsageBytes !== undefined) {
      UInt64Value.encode(message.swapUsageBytes, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): SwapUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseSwapUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.swapAvailableBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.swapUsageBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<SwapUsage>): SwapUsage {
    return SwapUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<SwapUsage>): SwapUsage {
    const message = createBaseSwapUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.swapAvailableBytes = (object.swapAvailableBytes !== undefined && object.swapAvailableBytes !== null)
      ? UInt64Value.fromPartial(object.swapAvailableBytes)
      : undefined;
    message.swapUsageBytes = (object.swapUsageBytes !== undefined && object.swapUsageBytes !== null)
      ? UInt64Value.fromPartial(object.swapUsageBytes)
      : undefined;
    return message;
  },
};

function createBaseWindowsMemoryUsage(): WindowsMemoryUsage {
  return {
    timestamp: 0n,
    workingSetBytes: undefined,
    availableBytes: undefined,
    pageFaults: undefined,
    commitMemoryBytes: undefined,
  };
}

export const WindowsMemoryUsage: MessageFns<WindowsMemoryUsage> = {
  encode(message: WindowsMemoryUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(8).int64(message.timestamp);
    }
    if (message.workingSetBytes !== undefined) {
      UInt64Value.encode(message.workingSetBytes, writer.uint32(18).fork()).join();
    }
    if (message.availableBytes !== undefined) {
      UInt64Value.encode(message.availableBytes, writer.uint32(26).fork()).join();
    }
    if (message.pageFaults !== undefined) {
      UInt64Value.encode(message.pageFaults, writer.uint32(34).fork()).join();
    }
    if (message.commitMemoryBytes !== undefined) {
      UInt64Value.encode(message.commitMemoryBytes, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): WindowsMemoryUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseWindowsMemoryUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.workingSetBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.availableBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.pageFaults = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.commitMemoryBytes = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<WindowsMemoryUsage>): WindowsMemoryUsage {
    return WindowsMemoryUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<WindowsMemoryUsage>): WindowsMemoryUsage {
    const message = createBaseWindowsMemoryUsage();
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.workingSetBytes = (object.workingSetBytes !== undefined && object.workingSetBytes !== null)
      ? UInt64Value.fromPartial(object.workingSetBytes)
      : undefined;
    message.availableBytes = (object.availableBytes !== undefined && object.availableBytes !== null)
      ? UInt64Value.fromPartial(object.availableBytes)
      : undefined;
    message.pageFaults = (object.pageFaults !== undefined && object.pageFaults !== null)
      ? UInt64Value.fromPartial(object.pageFaults)
      : undefined;
    message.commitMemoryBytes = (object.commitMemoryBytes !== undefined && object.commitMemoryBytes !== null)
      ? UInt64Value.fromPartial(object.commitMemoryBytes)
      : undefined;
    return message;
  },
};

function createBaseReopenContainerLogRequest(): ReopenContainerLogRequest {
  return { containerId: "" };
}

export const ReopenContainerLogRequest: MessageFns<ReopenContainerLogRequest> = {
  encode(message: ReopenContainerLogRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ReopenContainerLogRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseReopenContainerLogRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ReopenContainerLogRequest>): ReopenContainerLogRequest {
    return ReopenContainerLogRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ReopenContainerLogRequest>): ReopenContainerLogRequest {
    const message = createBaseReopenContainerLogRequest();
    message.containerId = object.containerId ?? "";
    return message;
  },
};

function createBaseReopenContainerLogResponse(): ReopenContainerLogResponse {
  return {};
}

export const ReopenContainerLogResponse: MessageFns<ReopenContainerLogResponse> = {
  encode(_: ReopenContainerLogResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ReopenContainerLogResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseReopenContainerLogResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ReopenContainerLogResponse>): ReopenContainerLogResponse {
    return ReopenContainerLogResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ReopenContainerLogResponse>): ReopenContainerLogResponse {
    const message = createBaseReopenContainerLogResponse();
    return message;
  },
};

function createBaseCheckpointContainerRequest(): CheckpointContainerRequest {
  return { containerId: "", location: "", timeout: 0n };
}

export const CheckpointContainerRequest: MessageFns<CheckpointContainerRequest> = {
  encode(message: CheckpointContainerRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    if (message.location !== "") {
      writer.uint32(18).string(message.location);
    }
    if (message.timeout !== 0n) {
      if (BigInt.asIntN(64, message.timeout) !== message.timeout) {
        throw new globalThis.Error("value provided for field message.timeout of type int64 too large");
      }
      writer.uint32(24).int64(message.timeout);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CheckpointContainerRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCheckpointContainerRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.location = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.timeout = reader.int64() as bigint;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CheckpointContainerRequest>): CheckpointContainerRequest {
    return CheckpointContainerRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CheckpointContainerRequest>): CheckpointContainerRequest {
    const message = createBaseCheckpointContainerRequest();
    message.containerId = object.containerId ?? "";
    message.location = object.location ?? "";
    message.timeout = (object.timeout !== undefined && object.timeout !== null) ? BigInt(object.timeout) : 0n;
    return message;
  },
};

function createBaseCheckpointContainerResponse(): CheckpointContainerResponse {
  return {};
}

export const CheckpointContainerResponse: MessageFns<CheckpointContainerResponse> = {
  encode(_: CheckpointContainerResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CheckpointContainerResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCheckpointContainerResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CheckpointContainerResponse>): CheckpointContainerResponse {
    return CheckpointContainerResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<CheckpointContainerResponse>): CheckpointContainerResponse {
    const message = createBaseCheckpointContainerResponse();
    return message;
  },
};

function createBaseGetEventsRequest(): GetEventsRequest {
  return {};
}

export const GetEventsRequest: MessageFns<GetEventsRequest> = {
  encode(_: GetEventsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetEventsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetEventsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetEventsRequest>): GetEventsRequest {
    return GetEventsRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<GetEventsRequest>): GetEventsRequest {
    const message = createBaseGetEventsRequest();
    return message;
  },
};

function createBaseContainerEventResponse(): ContainerEventResponse {
  return { containerId: "", containerEventType: 0, createdAt: 0n, podSandboxStatus: undefined, containersStatuses: [] };
}

export const ContainerEventResponse: MessageFns<ContainerEventResponse> = {
  encode(message: ContainerEventResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    if (message.containerEventType !== 0) {
      writer.uint32(16).int32(message.containerEventType);
    }
    if (message.createdAt !== 0n) {
      if (BigInt.asIntN(64, message.createdAt) !== message.createdAt) {
        throw new globalThis.Error("value provided for field message.createdAt of type int64 too large");
      }
      writer.uint32(24).int64(message.createdAt);
    }
    if (message.podSandboxStatus !== undefined) {
      PodSandboxStatus.encode(message.podSandboxStatus, writer.uint32(34).fork()).join();
    }
    for (const v of message.containersStatuses) {
      ContainerStatus.encode(v!, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerEventResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerEventResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.containerEventType = reader.int32() as any;
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.createdAt = reader.int64() as bigint;
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.podSandboxStatus = PodSandboxStatus.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.containersStatuses.push(ContainerStatus.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerEventResponse>): ContainerEventResponse {
    return ContainerEventResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerEventResponse>): ContainerEventResponse {
    const message = createBaseContainerEventResponse();
    message.containerId = object.containerId ?? "";
    message.containerEventType = object.containerEventType ?? 0;
    message.createdAt = (object.createdAt !== undefined && object.createdAt !== null) ? BigInt(object.createdAt) : 0n;
    message.podSandboxStatus = (object.podSandboxStatus !== undefined && object.podSandboxStatus !== null)
      ? PodSandboxStatus.fromPartial(object.podSandboxStatus)
      : undefined;
    message.containersStatuses = object.containersStatuses?.map((e) => ContainerStatus.fromPartial(e)) || [];
    return message;
  },
};

function createBaseListMetricDescriptorsRequest(): ListMetricDescriptorsRequest {
  return {};
}

export const ListMetricDescriptorsRequest: MessageFns<ListMetricDescriptorsRequest> = {
  encode(_: ListMetricDescriptorsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListMetricDescriptorsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListMetricDescriptorsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListMetricDescriptorsRequest>): ListMetricDescriptorsRequest {
    return ListMetricDescriptorsRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ListMetricDescriptorsRequest>): ListMetricDescriptorsRequest {
    const message = createBaseListMetricDescriptorsRequest();
    return message;
  },
};

function createBaseListMetricDescriptorsResponse(): ListMetricDescriptorsResponse {
  return { descriptors: [] };
}

export const ListMetricDescriptorsResponse: MessageFns<ListMetricDescriptorsResponse> = {
  encode(message: ListMetricDescriptorsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.descriptors) {
      MetricDescriptor.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListMetricDescriptorsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListMetricDescriptorsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.descriptors.push(MetricDescriptor.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListMetricDescriptorsResponse>): ListMetricDescriptorsResponse {
    return ListMetricDescriptorsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListMetricDescriptorsResponse>): ListMetricDescriptorsResponse {
    const message = createBaseListMetricDescriptorsResponse();
    message.descriptors = object.descriptors?.map((e) => MetricDescriptor.fromPartial(e)) || [];
    return message;
  },
};

function createBaseMetricDescriptor(): MetricDescriptor {
  return { name: "", help: "", labelKeys: [] };
}

export const MetricDescriptor: MessageFns<MetricDescriptor> = {
  encode(message: MetricDescriptor, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.help !== "") {
      writer.uint32(18).string(message.help);
    }
    for (const v of message.labelKeys) {
      writer.uint32(26).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): MetricDescriptor {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseMetricDescriptor();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.help = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.labelKeys.push(reader.string());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<MetricDescriptor>): MetricDescriptor {
    return MetricDescriptor.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<MetricDescriptor>): MetricDescriptor {
    const message = createBaseMetricDescriptor();
    message.name = object.name ?? "";
    message.help = object.help ?? "";
    message.labelKeys = object.labelKeys?.map((e) => e) || [];
    return message;
  },
};

function createBaseListPodSandboxMetricsRequest(): ListPodSandboxMetricsRequest {
  return {};
}

export const ListPodSandboxMetricsRequest: MessageFns<ListPodSandboxMetricsRequest> = {
  encode(_: ListPodSandboxMetricsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodSandboxMetricsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodSandboxMetricsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListPodSandboxMetricsRequest>): ListPodSandboxMetricsRequest {
    return ListPodSandboxMetricsRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ListPodSandboxMetricsRequest>): ListPodSandboxMetricsRequest {
    const message = createBaseListPodSandboxMetricsRequest();
    return message;
  },
};

function createBaseListPodSandboxMetricsResponse(): ListPodSandboxMetricsResponse {
  return { podMetrics: [] };
}

export const ListPodSandboxMetricsResponse: MessageFns<ListPodSandboxMetricsResponse> = {
  encode(message: ListPodSandboxMetricsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.podMetrics) {
      PodSandboxMetrics.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodSandboxMetricsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodSandboxMetricsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podMetrics.push(PodSandboxMetrics.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListPodSandboxMetricsResponse>): ListPodSandboxMetricsResponse {
    return ListPodSandboxMetricsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListPodSandboxMetricsResponse>): ListPodSandboxMetricsResponse {
    const message = createBaseListPodSandboxMetricsResponse();
    message.podMetrics = object.podMetrics?.map((e) => PodSandboxMetrics.fromPartial(e)) || [];
    return message;
  },
};

function createBaseStreamPodSandboxMetricsRequest(): StreamPodSandboxMetricsRequest {
  return {};
}

export const StreamPodSandboxMetricsRequest: MessageFns<StreamPodSandboxMetricsRequest> = {
  encode(_: StreamPodSandboxMetricsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamPodSandboxMetricsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamPodSandboxMetricsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamPodSandboxMetricsRequest>): StreamPodSandboxMetricsRequest {
    return StreamPodSandboxMetricsRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<StreamPodSandboxMetricsRequest>): StreamPodSandboxMetricsRequest {
    const message = createBaseStreamPodSandboxMetricsRequest();
    return message;
  },
};

function createBaseStreamPodSandboxMetricsResponse(): StreamPodSandboxMetricsResponse {
  return { podSandboxMetrics: [] };
}

export const StreamPodSandboxMetricsResponse: MessageFns<StreamPodSandboxMetricsResponse> = {
  encode(message: StreamPodSandboxMetricsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.podSandboxMetrics) {
      PodSandboxMetrics.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): StreamPodSandboxMetricsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseStreamPodSandboxMetricsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxMetrics.push(PodSandboxMetrics.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<StreamPodSandboxMetricsResponse>): StreamPodSandboxMetricsResponse {
    return StreamPodSandboxMetricsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<StreamPodSandboxMetricsResponse>): StreamPodSandboxMetricsResponse {
    const message = createBaseStreamPodSandboxMetricsResponse();
    message.podSandboxMetrics = object.podSandboxMetrics?.map((e) => PodSandboxMetrics.fromPartial(e)) || [];
    return message;
  },
};

function createBasePodSandboxMetrics(): PodSandboxMetrics {
  return { podSandboxId: "", metrics: [], containerMetrics: [] };
}

export const PodSandboxMetrics: MessageFns<PodSandboxMetrics> = {
  encode(message: PodSandboxMetrics, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podSandboxId !== "") {
      writer.uint32(10).string(message.podSandboxId);
    }
    for (const v of message.metrics) {
      Metric.encode(v!, writer.uint32(18).fork()).join();
    }
    for (const v of message.containerMetrics) {
      ContainerMetrics.encode(v!, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodSandboxMetrics {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodSandboxMetrics();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.metrics.push(Metric.decode(reader, reader.uint32()));
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.containerMetrics.push(ContainerMetrics.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PodSandboxMetrics>): PodSandboxMetrics {
    return PodSandboxMetrics.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodSandboxMetrics>): PodSandboxMetrics {
    const message = createBasePodSandboxMetrics();
    message.podSandboxId = object.podSandboxId ?? "";
    message.metrics = object.metrics?.map((e) => Metric.fromPartial(e)) || [];
    message.containerMetrics = object.containerMetrics?.map((e) => ContainerMetrics.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerMetrics(): ContainerMetrics {
  return { containerId: "", metrics: [] };
}

export const ContainerMetrics: MessageFns<ContainerMetrics> = {
  encode(message: ContainerMetrics, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerId !== "") {
      writer.uint32(10).string(message.containerId);
    }
    for (const v of message.metrics) {
      Metric.encode(v!, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerMetrics {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerMetrics();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.metrics.push(Metric.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ContainerMetrics>): ContainerMetrics {
    return ContainerMetrics.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerMetrics>): ContainerMetrics {
    const message = createBaseContainerMetrics();
    message.containerId = object.containerId ?? "";
    message.metrics = object.metrics?.map((e) => Metric.fromPartial(e)) || [];
    return message;
  },
};

function createBaseMetric(): Metric {
  return { name: "", timestamp: 0n, metricType: 0, labelValues: [], value: undefined };
}

export const Metric: MessageFns<Metric> = {
  encode(message: Metric, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.timestamp !== 0n) {
      if (BigInt.asIntN(64, message.timestamp) !== message.timestamp) {
        throw new globalThis.Error("value provided for field message.timestamp of type int64 too large");
      }
      writer.uint32(16).int64(message.timestamp);
    }
    if (message.metricType !== 0) {
      writer.uint32(24).int32(message.metricType);
    }
    for (const v of message.labelValues) {
      writer.uint32(34).string(v!);
    }
    if (message.value !== undefined) {
      UInt64Value.encode(message.value, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Metric {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseMetric();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.timestamp = reader.int64() as bigint;
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.metricType = reader.int32() as any;
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.labelValues.push(reader.string());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.value = UInt64Value.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Metric>): Metric {
    return Metric.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Metric>): Metric {
    const message = createBaseMetric();
    message.name = object.name ?? "";
    message.timestamp = (object.timestamp !== undefined && object.timestamp !== null) ? BigInt(object.timestamp) : 0n;
    message.metricType = object.metricType ?? 0;
    message.labelValues = object.labelValues?.map((e) => e) || [];
    message.value = (object.value !== undefined && object.value !== null)
      ? UInt64Value.fromPartial(object.value)
      : undefined;
    return message;
  },
};

function createBaseRuntimeConfigRequest(): RuntimeConfigRequest {
  return {};
}

export const RuntimeConfigRequest: MessageFns<RuntimeConfigRequest> = {
  encode(_: RuntimeConfigRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RuntimeConfigRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRuntimeConfigRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RuntimeConfigRequest>): RuntimeConfigRequest {
    return RuntimeConfigRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<RuntimeConfigRequest>): RuntimeConfigRequest {
    const message = createBaseRuntimeConfigRequest();
    return message;
  },
};

function createBaseRuntimeConfigResponse(): RuntimeConfigResponse {
  return { linux: undefined };
}

export const RuntimeConfigResponse: MessageFns<RuntimeConfigResponse> = {
  encode(message: RuntimeConfigResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.linux !== undefined) {
      LinuxRuntimeConfiguration.encode(message.linux, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RuntimeConfigResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRuntimeConfigResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.linux = LinuxRuntimeConfiguration.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RuntimeConfigResponse>): RuntimeConfigResponse {
    return RuntimeConfigResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RuntimeConfigResponse>): RuntimeConfigResponse {
    const message = createBaseRuntimeConfigResponse();
    message.linux = (object.linux !== undefined && object.linux !== null)
      ? LinuxRuntimeConfiguration.fromPartial(object.linux)
      : undefined;
    return message;
  },
};

function createBaseLinuxRuntimeConfiguration(): LinuxRuntimeConfiguration {
  return { cgroupDriver: 0 };
}

export const LinuxRuntimeConfiguration: MessageFns<LinuxRuntimeConfiguration> = {
  encode(message: LinuxRuntimeConfiguration, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.cgroupDriver !== 0) {
      writer.uint32(8).int32(message.cgroupDriver);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): LinuxRuntimeConfiguration {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseLinuxRuntimeConfiguration();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.cgroupDriver = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<LinuxRuntimeConfiguration>): LinuxRuntimeConfiguration {
    return LinuxRuntimeConfiguration.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<LinuxRuntimeConfiguration>): LinuxRuntimeConfiguration {
    const message = createBaseLinuxRuntimeConfiguration();
    message.cgroupDriver = object.cgroupDriver ?? 0;
    return message;
  },
};

function createBaseUpdatePodSandboxResourcesRequest(): UpdatePodSandboxResourcesRequest {
  return { podSandboxId: "", overhead: undefined, resources: undefined };
}

export const UpdatePodSandboxResourcesRequest: MessageFns<UpdatePodSandboxResourcesRequest> = {
  encode(message: UpdatePodSandboxResourcesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podSandboxId !== "") {
      writer.uint32(10).string(message.podSandboxId);
    }
    if (message.overhead !== undefined) {
      LinuxContainerResources.encode(message.overhead, writer.uint32(18).fork()).join();
    }
    if (message.resources !== undefined) {
      LinuxContainerResources.encode(message.resources, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UpdatePodSandboxResourcesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUpdatePodSandboxResourcesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podSandboxId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.overhead = LinuxContainerResources.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.resources = LinuxContainerResources.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UpdatePodSandboxResourcesRequest>): UpdatePodSandboxResourcesRequest {
    return UpdatePodSandboxResourcesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<UpdatePodSandboxResourcesRequest>): UpdatePodSandboxResourcesRequest {
    const message = createBaseUpdatePodSandboxResourcesRequest();
    message.podSandboxId = object.podSandboxId ?? "";
    message.overhead = (object.overhead !== undefined && object.overhead !== null)
      ? LinuxContainerResources.fromPartial(object.overhead)
      : undefined;
    message.resources = (object.resources !== undefined && object.resources !== null)
      ? LinuxContainerResources.fromPartial(object.resources)
      : undefined;
    return message;
  },
};

function createBaseUpdatePodSandboxResourcesResponse(): UpdatePodSandboxResourcesResponse {
  return {};
}

export const UpdatePodSandboxResourcesResponse: MessageFns<UpdatePodSandboxResourcesResponse> = {
  encode(_: UpdatePodSandboxResourcesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): UpdatePodSandboxResourcesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseUpdatePodSandboxResourcesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<UpdatePodSandboxResourcesResponse>): UpdatePodSandboxResourcesResponse {
    return UpdatePodSandboxResourcesResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<UpdatePodSandboxResourcesResponse>): UpdatePodSandboxResourcesResponse {
    const message = createBaseUpdatePodSandboxResourcesResponse();
    return message;
  },
};

export type RuntimeServiceDefinition = typeof RuntimeServiceDefinition;
export const RuntimeServiceDefinition = {
  name: "RuntimeService",
  fullName: "runtime.v1.RuntimeService",
  methods: {
    version: {
      name: "Version",
      requestType: VersionRequest as typeof VersionRequest,
      requestStream: false,
      responseType: VersionResponse as typeof VersionResponse,
      responseStream: false,
      options: {},
    },
    runPodSandbox: {
      name: "RunPodSandbox",
      requestType: RunPodSandboxRequest as typeof RunPodSandboxRequest,
      requestStream: false,
      responseType: RunPodSandboxResponse as typeof RunPodSandboxResponse,
      responseStream: false,
      options: {},
    },
    stopPodSandbox: {
      name: "StopPodSandbox",
      requestType: StopPodSandboxRequest as typeof StopPodSandboxRequest,
      requestStream: false,
      responseType: StopPodSandboxResponse as typeof StopPodSandboxResponse,
      responseStream: false,
      options: {},
    },
    removePodSandbox: {
      name: "RemovePodSandbox",
      requestType: RemovePodSandboxRequest as typeof RemovePodSandboxRequest,
      requestStream: false,
      responseType: RemovePodSandboxResponse as typeof RemovePodSandboxResponse,
      responseStream: false,
      options: {},
    },
    podSandboxStatus: {
      name: "PodSandboxStatus",
      requestType: PodSandboxStatusRequest as typeof PodSandboxStatusRequest,
      requestStream: false,
      responseType: PodSandboxStatusResponse as typeof PodSandboxStatusResponse,
      responseStream: false,
      options: {},
    },
    listPodSandbox: {
      name: "ListPodSandbox",
      requestType: ListPodSandboxRequest as typeof ListPodSandboxRequest,
      requestStream: false,
      responseType: ListPodSandboxResponse as typeof ListPodSandboxResponse,
      responseStream: false,
      options: {},
    },
    streamPodSandboxes: {
      name: "StreamPodSandboxes",
      requestType: StreamPodSandboxesRequest as typeof StreamPodSandboxesRequest,
      requestStream: false,
      responseType: StreamPodSandboxesResponse as typeof StreamPodSandboxesResponse,
      responseStream: true,
      options: {},
    },
    createContainer: {
      name: "CreateContainer",
      requestType: CreateContainerRequest as typeof CreateContainerRequest,
      requestStream: false,
      responseType: CreateContainerResponse as typeof CreateContainerResponse,
      responseStream: false,
      options: {},
    },
    startContainer: {
      name: "StartContainer",
      requestType: StartContainerRequest as typeof StartContainerRequest,
      requestStream: false,
      responseType: StartContainerResponse as typeof StartContainerResponse,
      responseStream: false,
      options: {},
    },
    stopContainer: {
      name: "StopContainer",
      requestType: StopContainerRequest as typeof StopContainerRequest,
      requestStream: false,
      responseType: StopContainerResponse as typeof StopContainerResponse,
      responseStream: false,
      options: {},
    },
    removeContainer: {
      name: "RemoveContainer",
      requestType: RemoveContainerRequest as typeof RemoveContainerRequest,
      requestStream: false,
      responseType: RemoveContainerResponse as typeof RemoveContainerResponse,
      responseStream: false,
      options: {},
    },
    listContainers: {
      name: "ListContainers",
      requestType: ListContainersRequest as typeof ListContainersRequest,
      requestStream: false,
      responseType: ListContainersResponse as typeof ListContainersResponse,
      responseStream: false,
      options: {},
    },
    streamContainers: {
      name: "StreamContainers",
      requestType: StreamContainersRequest as typeof StreamContainersRequest,
      requestStream: false,
      responseType: StreamContainersResponse as typeof StreamContainersResponse,
      responseStream: true,
      options: {},
    },
    containerStatus: {
      name: "ContainerStatus",
      requestType: ContainerStatusRequest as typeof ContainerStatusRequest,
      requestStream: false,
      responseType: ContainerStatusResponse as typeof ContainerStatusResponse,
      responseStream: false,
      options: {},
    },
    updateContainerResources: {
      name: "UpdateContainerResources",
      requestType: UpdateContainerResourcesRequest as typeof UpdateContainerResourcesRequest,
      requestStream: false,
      responseType: UpdateContainerResourcesResponse as typeof UpdateContainerResourcesResponse,
      responseStream: false,
      options: {},
    },
    reopenContainerLog: {
      name: "ReopenContainerLog",
      requestType: ReopenContainerLogRequest as typeof ReopenContainerLogRequest,
      requestStream: false,
      responseType: ReopenContainerLogResponse as typeof ReopenContainerLogResponse,
      responseStream: false,
      options: {},
    },
    execSync: {
      name: "ExecSync",
      requestType: ExecSyncRequest as typeof ExecSyncRequest,
      requestStream: false,
      responseType: ExecSyncResponse as typeof ExecSyncResponse,
      responseStream: false,
      options: {},
    },
    exec: {
      name: "Exec",
      requestType: ExecRequest as typeof ExecRequest,
      requestStream: false,
      responseType: ExecResponse as typeof ExecResponse,
      responseStream: false,
      options: {},
    },
    attach: {
      name: "Attach",
      requestType: AttachRequest as typeof AttachRequest,
      requestStream: false,
      responseType: AttachResponse as typeof AttachResponse,
      responseStream: false,
      options: {},
    },
    portForward: {
      name: "PortForward",
      requestType: PortForwardRequest as typeof PortForwardRequest,
      requestStream: false,
      responseType: PortForwardResponse as typeof PortForwardResponse,
      responseStream: false,
      options: {},
    },
    containerStats: {
      name: "ContainerStats",
      requestType: ContainerStatsRequest as typeof ContainerStatsRequest,
      requestStream: false,
      responseType: ContainerStatsResponse as typeof ContainerStatsResponse,
      responseStream: false,
      options: {},
    },
    listContainerStats: {
      name: "ListContainerStats",
      requestType: ListContainerStatsRequest as typeof ListContainerStatsRequest,
      requestStream: false,
      responseType: ListContainerStatsResponse as typeof ListContainerStatsResponse,
      responseStream: false,
      options: {},
    },
    streamContainerStats: {
      name: "StreamContainerStats",
      requestType: StreamContainerStatsRequest as typeof StreamContainerStatsRequest,
      requestStream: false,
      responseType: StreamContainerStatsResponse as typeof StreamContainerStatsResponse,
      responseStream: true,
      options: {},
    },
    podSandboxStats: {
      name: "PodSandboxStats",
      requestType: PodSandboxStatsRequest as typeof PodSandboxStatsRequest,
      requestStream: false,
      responseType: PodSandboxStatsResponse as typeof PodSandboxStatsResponse,
      responseStream: false,
      options: {},
    },
    listPodSandboxStats: {
      name: "ListPodSandboxStats",
      requestType: ListPodSandboxStatsRequest as typeof ListPodSandboxStatsRequest,
      requestStream: false,
      responseType: ListPodSandboxStatsResponse as typeof ListPodSandboxStatsResponse,
      responseStream: false,
      options: {},
    },
    streamPodSandboxStats: {
      name: "StreamPodSandboxStats",
      requestType: StreamPodSandboxStatsRequest as typeof StreamPodSandboxStatsRequest,
      requestStream: false,
      responseType: StreamPodSandboxStatsResponse as typeof StreamPodSandboxStatsResponse,
      responseStream: true,
      options: {},
    },
    updateRuntimeConfig: {
      name: "UpdateRuntimeConfig",
      requestType: UpdateRuntimeConfigRequest as typeof UpdateRuntimeConfigRequest,
      requestStream: false,
      responseType: UpdateRuntimeConfigResponse as typeof UpdateRuntimeConfigResponse,
      responseStream: false,
      options: {},
    },
    status: {
      name: "Status",
      requestType: StatusRequest as typeof StatusRequest,
      requestStream: false,
      responseType: StatusResponse as typeof StatusResponse,
      responseStream: false,
      options: {},
    },
    checkpointContainer: {
      name: "CheckpointContainer",
      requestType: CheckpointContainerRequest as typeof CheckpointContainerRequest,
      requestStream: false,
      responseType: CheckpointContainerResponse as typeof CheckpointContainerResponse,
      responseStream: false,
      options: {},
    },
    getContainerEvents: {
      name: "GetContainerEvents",
      requestType: GetEventsRequest as typeof GetEventsRequest,
      requestStream: false,
      responseType: ContainerEventResponse as typeof ContainerEventResponse,
      responseStream: true,
      options: {},
    },
    listMetricDescriptors: {
      name: "ListMetricDescriptors",
      requestType: ListMetricDescriptorsRequest as typeof ListMetricDescriptorsRequest,
      requestStream: false,
      responseType: ListMetricDescriptorsResponse as typeof ListMetricDescriptorsResponse,
      responseStream: false,
      options: {},
    },
    listPodSandboxMetrics: {
      name: "ListPodSandboxMetrics",
      requestType: ListPodSandboxMetricsRequest as typeof ListPodSandboxMetricsRequest,
      requestStream: false,
      responseType: ListPodSandboxMetricsResponse as typeof ListPodSandboxMetricsResponse,
      responseStream: false,
      options: {},
    },
    streamPodSandboxMetrics: {
      name: "StreamPodSandboxMetrics",
      requestType: StreamPodSandboxMetricsRequest as typeof StreamPodSandboxMetricsRequest,
      requestStream: false,
      responseType: StreamPodSandboxMetricsResponse as typeof StreamPodSandboxMetricsResponse,
      responseStream: true,
      options: {},
    },
    runtimeConfig: {
      name: "RuntimeConfig",
      requestType: RuntimeConfigRequest as typeof RuntimeConfigRequest,
      requestStream: false,
      responseType: RuntimeConfigResponse as typeof RuntimeConfigResponse,
      responseStream: false,
      options: {},
    },
    updatePodSandboxResources: {
      name: "UpdatePodSandboxResources",
      requestType: UpdatePodSandboxResourcesRequest as typeof UpdatePodSandboxResourcesRequest,
      requestStream: false,
      responseType: UpdatePodSandboxResourcesResponse as typeof UpdatePodSandboxResourcesResponse,
      responseStream: false,
      options: {},
    },
  },
} as const;

export type ImageServiceDefinition = typeof ImageServiceDefinition;
export const ImageServiceDefinition = {
  name: "ImageService",
  fullName: "runtime.v1.ImageService",
  methods: {
    listImages: {
      name: "ListImages",
      requestType: ListImagesRequest as typeof ListImagesRequest,
      requestStream: false,
      responseType: ListImagesResponse as typeof ListImagesResponse,
      responseStream: false,
      options: {},
    },
    streamImages: {
      name: "StreamImages",
      requestType: StreamImagesRequest as typeof StreamImagesRequest,
      requestStream: false,
      responseType: StreamImagesResponse as typeof StreamImagesResponse,
      responseStream: true,
      options: {},
    },
    imageStatus: {
      name: "ImageStatus",
      requestType: ImageStatusRequest as typeof ImageStatusRequest,
      requestStream: false,
      responseType: ImageStatusResponse as typeof ImageStatusResponse,
      responseStream: false,
      options: {},
    },
    pullImage: {
      name: "PullImage",
      requestType: PullImageRequest as typeof PullImageRequest,
      requestStream: false,
      responseType: PullImageResponse as typeof PullImageResponse,
      responseStream: false,
      options: {},
    },
    removeImage: {
      name: "RemoveImage",
      requestType: RemoveImageRequest as typeof RemoveImageRequest,
      requestStream: false,
      responseType: RemoveImageResponse as typeof RemoveImageResponse,
      responseStream: false,
      options: {},
    },
    imageFsInfo: {
      name: "ImageFsInfo",
      requestType: ImageFsInfoRequest as typeof ImageFsInfoRequest,
      requestStream: false,
      responseType: ImageFsInfoResponse as typeof ImageFsInfoResponse,
      responseStream: false,
      options: {},
    },
  },
} as const;

type Builtin = Date | Function | Uint8Array | string | number | boolean | bigint | undefined;

export type DeepPartial<T> = T extends bigint ? string | number | bigint
  : T extends Builtin ? T : T extends globalThis.Array<infer U> ? globalThis.Array<DeepPartial<U>>
  : T extends ReadonlyArray<infer U> ? ReadonlyArray<DeepPartial<U>>
  : T extends {} ? { [K in keyof T]?: DeepPartial<T[K]> }
  : Partial<T>;

export interface MessageFns<T> {
  encode(message: T, writer?: BinaryWriter): BinaryWriter;
  decode(input: BinaryReader | Uint8Array, length?: number): T;
  create(base?: DeepPartial<T>): T;
  fromPartial(object: DeepPartial<T>): T;
}
