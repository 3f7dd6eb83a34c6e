import type { Pod, PodStatus, Secret } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { AllocationManager } from './allocation/allocation-manager.ts';
import type { Runtime } from './container/runtime.ts';
import type { NodeEventRecorder } from './events/recorder.ts';
import type { PodMetrics } from './metrics/pod-metrics.ts';
import type { MirrorClient } from './pod/mirror-client.ts';
import type { PodManager } from './pod/pod-manager.ts';
import type { PodStatusReader } from './podworkers/pod-syncer.ts';
import type { PodWorkers } from './podworkers/pod-workers.ts';
import type { WorkQueue } from './podworkers/work-queue.ts';
import type { ProbeManager } from './prober/probe-manager.ts';
import type { RuntimeState } from './runtime-state.ts';
import type { StatusManager } from './status/status-manager.ts';
import type { VolumeManager } from './volumemanager/volume-manager.ts';

/** The cgroups of pods (upstream: cm.PodContainerManager). */
export interface PodCgroups {
  /** Creates the cgroup of a pod with its limits, unless it exists. Returns whether it was created. Throws Error. */
  ensureExists(pod: Pod): Promise<boolean>;
  destroy(pod: Pod): Promise<void>;
  /** Removes the cgroups of pods that are not in the set. */
  cleanupOrphans(uids: ReadonlySet<string>): Promise<void>;
}

/** The directories of pods on the node. */
export interface PodFolders {
  /** Creates the directory of a pod and those for its volumes and plugins. Throws Error. */
  make(uid: string): Promise<void>;
}

/** Secrets and ConfigMaps that the node's pods refer to. */
export interface ReferencedObjects {
  registerPod(pod: Pod): void;
  unregisterPod(pod: Pod): void;
  /** Throws if the secret does not exist or the API is unavailable. */
  secret(namespace: string, name: string): Promise<Secret>;
}

/** The components of the kubelet. */
export interface KubeletPorts {
  readonly clock: Clock;
  readonly recorder: NodeEventRecorder;
  readonly runtime: Runtime;
  /** The pod statuses that the PLEG has read from the runtime. */
  readonly statuses: PodStatusReader;
  /** Requests an early relist of one pod (upstream: RequestPodRelist). */
  requestRelist(uid: string): void;
  readonly runtimeState: Pick<RuntimeState, 'runtimeErrors' | 'networkErrors'>;
  readonly podManager: PodManager;
  readonly podWorkers: PodWorkers;
  /** The pods that are due for another sync. */
  readonly workQueue: Pick<WorkQueue, 'take'>;
  readonly mirrorClient: Pick<MirrorClient, 'reconcile' | 'delete'>;
  readonly statusManager: StatusManager;
  readonly volumeManager: VolumeManager;
  readonly probeManager: ProbeManager;
  readonly cgroups: PodCgroups;
  readonly folders: PodFolders;
  readonly objects: ReferencedObjects;
  /** Admits pods and resizes of their resources. */
  readonly allocation: AllocationManager;
  /** Whether every source has delivered its pods once. */
  areSourcesReady(): boolean;
  readonly podMetrics: Pick<PodMetrics, 'started'>;
  readonly runtimeName: string;
  /** Whether the runtime handler of the pod supports recursive read-only mounts. */
  supportsRecursiveReadOnly(pod: Pod): boolean;
  readonly nodeIPs: readonly string[];
  hostIPs(): readonly string[];
  /** Writes the health of devices into a status. */
  updateAllocatedResourcesStatus(pod: Pod, status: PodStatus): void;
  unprepareDynamicResources(pod: Pod): Promise<void>;
  /** Logs a failure that does not stop the kubelet. */
  report(message: string, error: unknown): void;
}
