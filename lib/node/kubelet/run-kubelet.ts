import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Client } from '#lib/client/client.ts';
import type { ListWatch } from '#lib/client/list-watch.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { RuntimeStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { AllocationManager } from './allocation/allocation-manager.ts';
import type { PodResourceState } from './allocation/pod-resource-state.ts';
import { runApiserverSource } from './config/apiserver.ts';
import { type FileSourceOptions, runFileSource } from './config/file.ts';
import { PodConfig } from './config/pod-config.ts';
import { SourcesReady } from './config/sources-ready.ts';
import { PodStatusCache } from './container/cache.ts';
import type { NodeEventRecorder } from './events/recorder.ts';
import { Kubelet } from './kubelet.ts';
import type { KubeletPorts } from './kubelet-ports.ts';
import type { PodAdmitHandler } from './lifecycle/pod-admit.ts';
import { PodMetrics } from './metrics/pod-metrics.ts';
import { GenericPLEG } from './pleg/generic.ts';
import { MirrorClient } from './pod/mirror-client.ts';
import { PodManager } from './pod/pod-manager.ts';
import type { PodWorkers } from './podworkers/pod-workers.ts';
import type { ProbeUpdate } from './prober/probe-manager.ts';
import { RuntimeState } from './runtime-state.ts';
import { StatusManager } from './status/status-manager.ts';
import { SyncLoop } from './sync-loop.ts';
import { isStaticPod } from './types/pod-update.ts';

/** Interval in ms between status requests to the runtime, and between collections of dead containers. */
const RUNTIME_STATUS = 5000;
const CONTAINER_GC = 60_000;

/** The parts of a kubelet that its pods need, on top of the machine and its container runtime. */
export type KubeletRooms = Pick<
  KubeletPorts,
  | 'runtime'
  | 'volumeManager'
  | 'probeManager'
  | 'cgroups'
  | 'folders'
  | 'objects'
  | 'supportsRecursiveReadOnly'
  | 'updateAllocatedResourcesStatus'
  | 'unprepareDynamicResources'
> & {
  /** Checks of a pod before it runs or before its resources change, in this order. */
  readonly admitHandlers: readonly PodAdmitHandler[];
  /** The resources allocated to pods. */
  readonly allocated: PodResourceState;
};

/** The ports that those parts call. */
export interface KubeletCore {
  readonly podManager: PodManager;
  readonly statusManager: StatusManager;
  readonly podState: Pick<
    PodWorkers,
    | 'isPodTerminationRequested'
    | 'shouldPodBeFinished'
    | 'shouldPodContentBeRemoved'
    | 'shouldPodRuntimeBeRemoved'
    | 'updatePod'
  >;
  /** The admitted pods that have not terminated. */
  activePods(): readonly Pod[];
  /** Those pods with their allocated resources. */
  allocatedPods(): readonly Pod[];
  /** Requests that the status of a pod is read again soon. */
  requestReinspect(uid: string): void;
  probeUpdated(update: ProbeUpdate): void;
  /** Called when a device of these pods changed. */
  syncPods(uids: readonly string[]): void;
}

/** The ports of a node's pods. */
export interface RunKubeletOptions
  extends Pick<KubeletPorts, 'runtimeName' | 'nodeIPs' | 'hostIPs' | 'syncFrequency' | 'backOffPeriod'> {
  readonly client: Client;
  readonly node: string;
  readonly clock: Clock;
  random(): number;
  readonly recorder: NodeEventRecorder;
  /** Lists and watches the pods of this node. */
  readonly pods: ListWatch;
  /** The static pods of the node. Absent if no directory is configured for them. */
  readonly files?: Pick<FileSourceOptions, 'manifests' | 'frequency' | 'changed'>;
  /** The status that the container runtime reports about itself. Rejects if the runtime does not respond. */
  runtimeStatus(): Promise<Pick<RuntimeStatus, 'conditions'>>;
  rooms(core: KubeletCore): KubeletRooms;
  report(message: string, error: unknown): void;
}

/** All loops that reconcile the pods of a node (upstream: Kubelet.Run). */
export class RunKubelet {
  readonly podManager = new PodManager();
  readonly statusManager: StatusManager;
  readonly runtimeState: RuntimeState;
  readonly podMetrics = new PodMetrics();
  readonly kubelet: Kubelet;
  readonly loop: SyncLoop;
  readonly #options: RunKubeletOptions;
  readonly #rooms: KubeletRooms;
  readonly #allocation: AllocationManager;
  readonly #pleg: GenericPLEG;
  readonly #config: PodConfig;
  readonly #sources: SourcesReady;

  constructor(options: RunKubeletOptions) {
    const { clock, client, recorder, report } = options;
    this.#options = options;
    this.#sources = new SourcesReady(options.files === undefined ? ['api'] : ['api', 'file']);
    this.statusManager = new StatusManager({
      client,
      clock,
      podManager: this.podManager,
      couldHaveRunningContainers: (pod) => this.kubelet.podWorkers.couldHaveRunningContainers(this.#podUid(pod)),
      onFault: (error) => report('cannot write the status of a pod', error),
    });
    this.#rooms = options.rooms(this.#core());
    const { runtime, admitHandlers, allocated } = this.#rooms;
    this.#allocation = new AllocationManager({
      allocated,
      admitHandlers,
      conditions: this.statusManager.resizeConditions,
      recorder,
      clock,
      areSourcesReady: () => this.#sources.areAllReady,
      activePods: () => this.kubelet.activePods(),
      podByUid: (uid) => this.podManager.podByUid(uid),
      syncPod: (uid) => this.kubelet.syncPods([uid]),
      report,
    });
    const cache = new PodStatusCache();
    this.#pleg = new GenericPLEG({
      runtime,
      cache,
      clock,
      report,
      onEvent: (event) => this.loop.runtimeEvent(event),
    });
    this.runtimeState = new RuntimeState(clock, [{ name: 'PLEG', fault: () => this.#pleg.healthy() }]);
    this.kubelet = new Kubelet({
      ...this.#rooms,
      allocation: this.#allocation,
      ...options,
      statuses: cache,
      requestRelist: (uid) => this.#pleg.requestRelist(uid),
      runtimeState: this.runtimeState,
      podManager: this.podManager,
      mirrorClient: new MirrorClient(client, options.node),
      statusManager: this.statusManager,
      podMetrics: this.podMetrics,
      areSourcesReady: () => this.#sources.areAllReady,
    });
    this.loop = new SyncLoop({
      kubelet: this.kubelet,
      runtimeState: this.runtimeState,
      clock,
      sourceSeen: (source) => this.#sources.add(source),
      report,
    });
    this.#config = new PodConfig({ clock, recorder, deliver: (update) => this.loop.config(update) });
  }

  /** Whether every source has delivered its pods once. */
  get areSourcesReady(): boolean {
    return this.#sources.areAllReady;
  }

  /** Runs until the signal aborts. Pods keep running after that. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#each(RUNTIME_STATUS, 'cannot ask the runtime for its status', () => this.#updateRuntime(), signal),
      this.#pleg.run(signal),
      this.loop.run(signal),
      this.#allocation.run(signal),
      this.statusManager.run(signal),
      this.#each(CONTAINER_GC, 'cannot collect dead containers', () => this.#collect(), signal),
      this.#followApi(signal),
      this.#followFiles(signal),
    ]);
  }

  /** Syncs the static pods, because their mirrors can exist from now on (upstream: fastStaticPodsRegistration). */
  syncStaticPods(): void {
    this.loop.sync(this.podManager.pods().filter(isStaticPod).map(uidOf));
  }

  async #updateRuntime(): Promise<void> {
    this.runtimeState.update(await this.#options.runtimeStatus());
  }

  /** Keeps upstream's default: one dead attempt of each container, of any age. A failure is also an event of the node. */
  async #collect(): Promise<void> {
    const { node: name, recorder } = this.#options;
    const allSourcesReady = this.#sources.areAllReady;
    const bounds = { minAge: 0, maxPerPodContainer: 1, maxContainers: -1 };
    try {
      await this.#rooms.runtime.garbageCollect({ allSourcesReady, evictTerminated: false, ...bounds });
    } catch (error) {
      const about = { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name } };
      recorder.event(about, 'Warning', 'ContainerGCFailed', messageOfError(error));
      throw error;
    }
  }

  async #each(period: number, what: string, step: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, report } = this.#options;
    while (!signal.aborted) {
      await step().catch((error: unknown) => report(what, error));
      await clock.sleep(period, signal);
    }
  }

  #followApi(signal: AbortSignal): Promise<void> {
    const { pods: from, clock, random, report } = this.#options;
    const set = (pods: readonly Pod[]): void => this.#config.set('api', pods);
    const onFault = (error: unknown): void => report('cannot follow the pods of the node', error);
    return runApiserverSource({ from, clock, random, set, onFault }, signal);
  }

  async #followFiles(signal: AbortSignal): Promise<void> {
    const { files, clock, node, report } = this.#options;
    if (files === undefined) return;
    const set = (pods: readonly Pod[]): void => this.#config.set('file', pods);
    const onFault = (path: string | undefined, error: unknown): void =>
      report(`cannot read static pods${path === undefined ? '' : ` of ${path}`}`, error);
    await runFileSource({ ...files, clock, node, set, onFault }, signal);
  }

  /** For a mirror pod, the uid of its static pod, which owns the containers. */
  #podUid(pod: Pod): string {
    return this.podManager.translateUid(uidOf(pod));
  }

  #core(): KubeletCore {
    return {
      podManager: this.podManager,
      statusManager: this.statusManager,
      podState: {
        isPodTerminationRequested: (uid) => this.kubelet.podWorkers.isPodTerminationRequested(uid),
        shouldPodBeFinished: (uid) => this.kubelet.podWorkers.shouldPodBeFinished(uid),
        shouldPodContentBeRemoved: (uid) => this.kubelet.podWorkers.shouldPodContentBeRemoved(uid),
        shouldPodRuntimeBeRemoved: (uid) => this.kubelet.podWorkers.shouldPodRuntimeBeRemoved(uid),
        updatePod: (update) => this.kubelet.podWorkers.updatePod(update),
      },
      activePods: () => this.kubelet.activePods(),
      allocatedPods: () => this.kubelet.allocatedPods(),
      requestReinspect: (uid) => this.#pleg.requestReinspect(uid),
      probeUpdated: (update) => this.loop.probe(update),
      syncPods: (uids) => this.loop.sync(uids),
    };
  }
}
