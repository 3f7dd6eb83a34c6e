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

/** The state of a container as the runtime tells it. */
export type ContainerState = 'created' | 'running' | 'exited' | 'unknown';

/** A container or sandbox that the runtime lists. */
export interface RuntimeContainer {
  /** The runtime's own name, without `containerd://`. */
  readonly id: string;
  /** The container's name in the pod; empty for a sandbox. */
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly imageRef: string;
  readonly imageRuntimeHandler: string;
  /** The hash of the container's spec when it was made; '' where the runtime does not know. */
  readonly hash: string;
  readonly state: ContainerState;
  readonly podSandboxID: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The containers and sandboxes of one pod, as the runtime lists them. */
export interface RunningPod {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly RuntimeContainer[];
}

/** The status of one container attempt. Times are milliseconds since 1970, 0 where they never came. */
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
  /** The termination message, read when the status is. */
  readonly message: string;
  readonly resources?: ContainerResources | undefined;
  /** The resources that the agent gave the container last; absent where that is not known. */
  readonly actuatedResources?: ResourceRequirements;
  readonly user?: LinuxContainerUser | undefined;
  readonly mounts: readonly Mount[];
  /** A name as `SIGTERM`; absent where the runtime does not tell. */
  readonly stopSignal?: string;
}

/** All that the runtime tells of a pod. Newest container attempts come first. */
export interface RuntimePodStatus {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Addresses of the newest sandbox; empty on the host's network. */
  readonly ips: readonly string[];
  readonly containerStatuses: readonly RuntimeContainerStatus[];
  /** Those of the sandbox in use. */
  readonly activeContainerStatuses: readonly RuntimeContainerStatus[];
  /** The newest first. */
  readonly sandboxStatuses: readonly PodSandboxStatus[];
  /** When the runtime told it: milliseconds since 1970. */
  readonly timestamp: number;
}

/** An environment variable with its final value. */
export interface EnvVar {
  readonly name: string;
  readonly value: string;
}

/** A path of the host inside a container. */
export interface Mount {
  /** The volume's name. */
  readonly name: string;
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly recursiveReadOnly?: boolean;
  readonly selinuxRelabel?: boolean;
  readonly propagation?: MountPropagation;
  /** For an image volume: the image to mount, in place of `hostPath`. */
  readonly image?: ImageSpec;
  readonly imageSubPath?: string;
}

/** A device of the host inside a container. */
export interface DeviceInfo {
  readonly pathOnHost: string;
  readonly pathInContainer: string;
  /** Letters of r, w and m. */
  readonly permissions: string;
}

/** The options of a container that come from the node, not from its spec. */
export interface RunContainerOptions {
  readonly envs: readonly EnvVar[];
  readonly mounts: readonly Mount[];
  readonly devices: readonly DeviceInfo[];
  /** Fully qualified names of CDI devices. */
  readonly cdiDevices: readonly string[];
  /** Annotations for the runtime, from device plugins. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The folder that holds termination logs; empty without one. */
  readonly podContainerDir: string;
  /** Whether the host's name is set by the container options. */
  readonly hostname: string;
}

/** An image of the node. */
export type Image = RuntimeImage;

/** The bytes of memory that a pod and its running containers use; undefined where they are not told. */
export interface PodMemoryUsage {
  readonly pod: bigint | undefined;
  readonly containers: ReadonlyMap<string, bigint | undefined>;
}

/** The container runtime as the kubelet uses it (upstream: container.Runtime). Methods throw RpcError where the runtime fails. */
export interface Runtime {
  /** Pods with sandboxes or containers: running ones, or with `all` every one that is left; with `uid` that one alone. */
  pods(all: boolean, uid?: string): Promise<RunningPod[]>;
  /** The status of a pod's sandboxes and containers. */
  podStatus(uid: string, name: string, namespace: string): Promise<RuntimePodStatus>;
  /** Brings the pod a step towards its spec. Failures are in the result. */
  syncPod(pod: Pod, status: RuntimePodStatus, options: SyncPodOptions): Promise<PodSyncResult>;
  /** Ends all containers, with hooks and grace, then the sandboxes. `pod` is undefined for a pod that nothing knows any more. */
  killPod(pod: Pod | undefined, running: RunningPod, gracePeriodOverride?: number): Promise<void>;
  /** Removes dead containers, sandboxes without containers, and logs without a pod. */
  garbageCollect(options: GarbageCollectOptions): Promise<void>;
  deleteContainer(id: string): Promise<void>;
  /** Runs a command to its end. `timeout` in milliseconds, 0 for none. Throws RpcError DeadlineExceeded. */
  runInContainer(id: string, command: readonly string[], timeout: number): Promise<CommandResult>;
  /** Whether the pod or its running containers have other resources than it was promised. */
  isPodResizeInProgress(pod: Pod, status: RuntimePodStatus): boolean;
  /** Notes the resources of a pod as a whole that its new cgroup has. Rejects where they cannot be kept. */
  updateActuatedPodLevelResources(pod: Pod): Promise<void>;
}

/** The end of a command in a container. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** The inputs of a sync beside pod and status. */
export interface SyncPodOptions {
  readonly pullSecrets: readonly Secret[];
  /** Whether a container's end restarts all containers of the pod (upstream: ShouldAllContainersRestart). */
  readonly restartAllContainers?: boolean;
  readonly signal?: AbortSignal;
}

/** The bounds of a garbage collection. */
export interface GarbageCollectOptions {
  /** Whether all sources of pods have told theirs: without it, no pod counts as gone. */
  readonly allSourcesReady: boolean;
  /** Whether containers of terminated pods that are not deleted go too. */
  readonly evictTerminated: boolean;
  /** Milliseconds that a dead container is kept at least. */
  readonly minAge: number;
  /** Dead attempts kept a container. */
  readonly maxPerPodContainer: number;
  /** Dead containers kept in all; negative for no bound. */
  readonly maxContainers: number;
}

/** Answers of the kubelet to the runtime (upstream: container.RuntimeHelper). */
export interface RuntimeHelper {
  /**
   * Environment, mounts and devices of a container; `imageVolumes` are the pulled images by volume. `cleanup` undoes subpath mounts:
   * it is due once the container is created, or could not be. Throws Error with the message for `CreateContainerConfigError`.
   */
  runContainerOptions(
    pod: Pod,
    container: Container,
    podIPs: readonly string[],
    imageVolumes?: ReadonlyMap<string, ImageSpec>,
  ): Promise<{ readonly options: RunContainerOptions; cleanup(): Promise<void> }>;
  podDNS(pod: Pod): Promise<{ servers: string[]; searches: string[]; options: string[] }>;
  /** The cgroup of the pod in the runtime's form; '' without one. */
  podCgroupParent(pod: Pod): string;
  podDir(uid: string): string;
  /** `hostname` has 63 characters at most. Throws where a fully qualified name is too long. */
  hostnameAndDomain(pod: Pod): { readonly hostname: string; readonly domain: string };
  extraSupplementalGroups(pod: Pod): readonly number[];
  /** Throws Error where the pod asks for its own user namespace and the runtime has none. */
  userNamespace(pod: Pod): UserNamespace;
  prepareDynamicResources(pod: Pod): Promise<void>;
  unprepareDynamicResources(pod: Pod): Promise<void>;
  /** Rejects where the usage cannot be read. */
  podMemoryUsage(pod: Pod): Promise<PodMemoryUsage>;
  /** Has the status of the pod read again soon, though no container of it starts or ends. */
  requestPodReinspect(uid: string): void;
  /** Told once sandbox, network and volumes stand (condition PodReadyToStartContainers). */
  podSandboxReady(pod: Pod): Promise<void>;
}
