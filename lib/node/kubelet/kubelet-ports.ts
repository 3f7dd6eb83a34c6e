import type { Pod, PodStatus, Secret } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { AllocationManager } from './allocation/allocation-manager.ts';
import type { Runtime } from './container/runtime.ts';
import type { NodeEventRecorder } from './events/recorder.ts';
import type { PodMetrics } from './metrics/pod-metrics.ts';
import type { MirrorClient } from './pod/mirror-client.ts';
import type { PodManager } from './pod/pod-manager.ts';
import type { PodStatusReader } from './podworkers/pod-syncer.ts';
import type { ProbeManager } from './prober/probe-manager.ts';
import type { RuntimeState } from './runtime-state.ts';
import type { StatusManager } from './status/status-manager.ts';
import type { VolumeManager } from './volumemanager/volume-manager.ts';

/** The cgroups of pods (upstream: cm.PodContainerManager). */
export interface PodCgroups {
  /** Makes the cgroup of a pod with its limits where it is not there. Answers whether it was made. Throws Error. */
  ensureExists(pod: Pod): Promise<boolean>;
  destroy(pod: Pod): Promise<void>;
  /** Removes the cgroups of pods that are not in the set. */
  cleanupOrphans(uids: ReadonlySet<string>): Promise<void>;
}

/** The folders of pods on the node. */
export interface PodFolders {
  /** Makes the folder of a pod and those for its volumes and plugins. Throws Error. */
  make(uid: string): Promise<void>;
}

/** Secrets and ConfigMaps that pods of the node use. */
export interface ReferencedObjects {
  registerPod(pod: Pod): void;
  unregisterPod(pod: Pod): void;
  /** Throws where the secret is not there, or the API does not answer. */
  secret(namespace: string, name: string): Promise<Secret>;
}

/** Everything that the kubelet composes. */
export interface KubeletPorts {
  readonly clock: Clock;
  readonly recorder: NodeEventRecorder;
  readonly runtime: Runtime;
  /** The statuses that the lister of the runtime's pods has read. */
  readonly statuses: PodStatusReader;
  /** Asks for a look at one pod soon (upstream: RequestPodRelist). */
  requestRelist(uid: string): void;
  readonly runtimeState: Pick<RuntimeState, 'runtimeErrors' | 'networkErrors'>;
  readonly podManager: PodManager;
  readonly mirrorClient: Pick<MirrorClient, 'reconcile' | 'delete'>;
  readonly statusManager: StatusManager;
  readonly volumeManager: VolumeManager;
  readonly probeManager: ProbeManager;
  readonly cgroups: PodCgroups;
  readonly folders: PodFolders;
  readonly objects: ReferencedObjects;
  /** Admits pods, and resizes of their resources. */
  readonly allocation: AllocationManager;
  /** Whether each source has told its pods once. */
  areSourcesReady(): boolean;
  readonly podMetrics: Pick<PodMetrics, 'started' | 'worked'>;
  readonly runtimeName: string;
  /** Whether the runtime handler of the pod has recursive read-only mounts. */
  supportsRecursiveReadOnly(pod: Pod): boolean;
  readonly nodeIPs: readonly string[];
  hostIPs(): readonly string[];
  /** Writes the health of devices into a status. */
  updateAllocatedResourcesStatus(pod: Pod, status: PodStatus): void;
  unprepareDynamicResources(pod: Pod): Promise<void>;
  /** Milliseconds between syncs of a pod, and after one that failed. */
  readonly syncFrequency: number;
  readonly backOffPeriod: number;
  random(): number;
  /** Tells the log of a failure that is gone on after. */
  report(message: string, error: unknown): void;
}
