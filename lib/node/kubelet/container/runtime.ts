import type { Container, Pod, ResourceRequirements, Secret } from '#lib/api/types/core.v1.ts';
import type {
  ContainerResources,
  ImageSpec,
  LinuxContainerUser,
  MountPropagation,
  PodSandboxStatus,
  Image as RuntimeImage,
  UserNamespace,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { PodSyncResult } from './sync-result.ts';

/** The state of a container according to the runtime. */
export type ContainerState = 'created' | 'running' | 'exited' | 'unknown';

/** A container or sandbox in the runtime's list. */
export interface RuntimeContainer {
  /** The runtime's id without `containerd://`. */
  readonly id: string;
  /** The container's name in the pod, empty for a sandbox. */
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly imageRef: string;
  readonly imageRuntimeHandler: string;
  /** The hash of the container's spec at its creation, or '' if the runtime does not report it. */
  readonly hash: string;
  readonly state: ContainerState;
  readonly podSandboxID: string;
  /** Creation time in milliseconds since 1970. */
  readonly createdAt: number;
}

/** The containers and sandboxes of one pod in the runtime's list. */
export interface RunningPod {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Creation time in milliseconds since 1970. */
  readonly createdAt: number;
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly RuntimeContainer[];
}

/** The status of one container attempt. Times are in milliseconds since 1970, 0 if they have not occurred. */
export interface RuntimeContainerStatus {
  readonly id: string;
  readonly name: string;
  readonly state: ContainerState;
  readonly createdAt: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode: number;
  readonly image: string;
  readonly imageID: string;
  readonly imageRef: string;
  readonly imageRuntimeHandler: string;
  readonly hash: string;
  readonly restartCount: number;
  readonly reason: string;
  /** The termination message, read together with the status. */
  readonly message: string;
  readonly resources?: ContainerResources | undefined;
  /** The resources that the agent last set for the container. Absent if unknown. */
  readonly actuatedResources?: ResourceRequirements;
  readonly user?: LinuxContainerUser | undefined;
  readonly mounts: readonly Mount[];
  /** A name such as `SIGTERM`. Absent if the runtime does not report it. */
  readonly stopSignal?: string;
}

/** The runtime's status of a pod. Newest container attempts come first. */
export interface RuntimePodStatus {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Addresses of the newest sandbox. Empty on the host's network. */
  readonly ips: readonly string[];
  readonly containerStatuses: readonly RuntimeContainerStatus[];
  /** Statuses of the containers in the current sandbox. */
  readonly activeContainerStatuses: readonly RuntimeContainerStatus[];
  /** Statuses of the sandboxes, newest first. */
  readonly sandboxStatuses: readonly PodSandboxStatus[];
  /** When the runtime reported it, in milliseconds since 1970. */
  readonly timestamp: number;
}

/** An environment variable with its final value. */
export interface EnvVar {
  readonly name: string;
  readonly value: string;
}

/** A host path inside a container. */
export interface Mount {
  /** The volume's name. */
  readonly name: string;
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly recursiveReadOnly?: boolean;
  readonly selinuxRelabel?: boolean;
  readonly propagation?: MountPropagation;
  /** The image of an image volume, which is mounted instead of `hostPath`. */
  readonly image?: ImageSpec;
  readonly imageSubPath?: string;
}

/** A host device inside a container. */
export interface DeviceInfo {
  readonly pathOnHost: string;
  readonly pathInContainer: string;
  /** The letters r, w and m. */
  readonly permissions: string;
}

/** The options of a container that come from the node instead of its spec. */
export interface RunContainerOptions {
  readonly envs: readonly EnvVar[];
  readonly mounts: readonly Mount[];
  readonly devices: readonly DeviceInfo[];
  /** Qualified names of CDI devices. */
  readonly cdiDevices: readonly string[];
  /** Annotations for the runtime, from device plugins. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The directory for termination logs, empty without one. */
  readonly podContainerDir: string;
  /** The hostname of the pod. */
  readonly hostname: string;
}

/** An image on the node. */
export type Image = RuntimeImage;

/** Memory usage of a pod and its running containers in bytes, undefined if not reported. */
export interface PodMemoryUsage {
  readonly pod: bigint | undefined;
  readonly containers: ReadonlyMap<string, bigint | undefined>;
}

/** The container runtime for the kubelet (upstream: container.Runtime). Methods throw RpcError if the runtime fails. */
export interface Runtime {
  /** Pods with sandboxes or containers: running ones, or with `all` every remaining one. `uid` limits the result to one pod. */
  pods(all: boolean, uid?: string): Promise<RunningPod[]>;
  /** The status of a pod's sandboxes and containers. */
  podStatus(uid: string, name: string, namespace: string): Promise<RuntimePodStatus>;
  /** Reconciles the pod one step towards its spec. Failures are in the result. */
  syncPod(pod: Pod, status: RuntimePodStatus, options: SyncPodOptions): Promise<PodSyncResult>;
  /**
   * Stops all containers, with hooks and grace period, then the sandboxes. `pod` is undefined for a pod that exists only in the runtime.
   */
  killPod(pod: Pod | undefined, running: RunningPod, gracePeriodOverride?: number): Promise<void>;
  /** Removes dead containers, sandboxes without containers, and logs without a pod. */
  garbageCollect(options: GarbageCollectOptions): Promise<void>;
  deleteContainer(id: string): Promise<void>;
  /** Runs a command until it exits. `timeout` is in milliseconds, 0 for none. Throws RpcError DeadlineExceeded. */
  runInContainer(id: string, command: readonly string[], timeout: number): Promise<CommandResult>;
  /** Whether the resources of the pod or its running containers differ from its allocation. */
  isPodResizeInProgress(pod: Pod, status: RuntimePodStatus): boolean;
  /** Records the pod-level resources that the pod's new cgroup has. Rejects if they cannot be stored. */
  updateActuatedPodLevelResources(pod: Pod): Promise<void>;
}

/** The result of a command in a container. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** The inputs of a sync in addition to pod and status. */
export interface SyncPodOptions {
  readonly pullSecrets: readonly Secret[];
  /** Whether the exit of a container restarts all containers of the pod (upstream: ShouldAllContainersRestart). */
  readonly restartAllContainers?: boolean;
  readonly signal?: AbortSignal;
}

/** The limits of a garbage collection. */
export interface GarbageCollectOptions {
  /** Whether all pod sources have delivered their pods. Until then, no pod counts as deleted. */
  readonly allSourcesReady: boolean;
  /** Whether to also remove containers of terminated pods that are not deleted. */
  readonly evictTerminated: boolean;
  /** Minimum age of a dead container in milliseconds. */
  readonly minAge: number;
  /** Number of dead attempts to keep per container. */
  readonly maxPerPodContainer: number;
  /** Total number of dead containers to keep, negative for no limit. */
  readonly maxContainers: number;
}

/** The kubelet's callbacks for the runtime (upstream: container.RuntimeHelper). */
export interface RuntimeHelper {
  /**
   * Environment, mounts and devices of a container. `imageVolumes` are the pulled images by volume. `cleanup` undoes subpath mounts and
   * must be called after the container was created or its creation failed. Throws Error with the message for `CreateContainerConfigError`.
   */
  runContainerOptions(
    pod: Pod,
    container: Container,
    podIPs: readonly string[],
    imageVolumes?: ReadonlyMap<string, ImageSpec>,
  ): Promise<{ readonly options: RunContainerOptions; cleanup(): Promise<void> }>;
  podDNS(pod: Pod): Promise<{ servers: string[]; searches: string[]; options: string[] }>;
  /** The cgroup of the pod in the runtime's format, or '' without one. */
  podCgroupParent(pod: Pod): string;
  podDir(uid: string): string;
  /** `hostname` has at most 63 characters. Throws if a fully qualified name is too long. */
  hostnameAndDomain(pod: Pod): { readonly hostname: string; readonly domain: string };
  extraSupplementalGroups(pod: Pod): readonly number[];
  /** Throws Error if the pod requires its own user namespace and the runtime does not support it. */
  userNamespace(pod: Pod): UserNamespace;
  prepareDynamicResources(pod: Pod): Promise<void>;
  unprepareDynamicResources(pod: Pod): Promise<void>;
  /** Rejects if the usage cannot be read. */
  podMemoryUsage(pod: Pod): Promise<PodMemoryUsage>;
  /** Requests an early read of the pod's status, even if none of its containers starts or exits. */
  requestPodReinspect(uid: string): void;
  /** Called when the sandbox, network and volumes are ready (condition PodReadyToStartContainers). */
  podSandboxReady(pod: Pod): Promise<void>;
}
