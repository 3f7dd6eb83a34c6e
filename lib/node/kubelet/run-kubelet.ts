import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Client } from '#lib/client/client.ts';
import type { ListWatch } from '#lib/client/list-watch.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { RuntimeStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { AllocationManager } from './allocation/allocation-manager.ts';
import { runApiserverSource } from './config/apiserver.ts';
import { type FileSourceOptions, runFileSource } from './config/file.ts';
import { PodConfig } from './config/pod-config.ts';
import type { NodeEventRecorder } from './events/recorder.ts';
import { Kubelet } from './kubelet.ts';
import type { KubeletCore } from './kubelet-core.ts';
import type { KubeletPorts } from './kubelet-ports.ts';
import type { PodAdmitHandler } from './lifecycle/pod-admit.ts';
import { GenericPLEG, type GenericPLEGOptions } from './pleg/generic.ts';
import { MirrorClient } from './pod/mirror-client.ts';
import type { PodSyncer } from './podworkers/pod-syncer.ts';
import { RuntimeState } from './runtime-state.ts';
import { SyncLoop } from './sync-loop.ts';
import { isStaticPod, type PodSource } from './types/pod-update.ts';

/** Interval in ms between status requests to the runtime, and between collections of dead containers. */
const RUNTIME_STATUS = 5000;
const CONTAINER_GC = 60_000;

/** The parts of a kubelet that its pods need in addition to the machine and its container runtime. */
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
};

/** The ports of a node's pods. */
export interface RunKubeletOptions extends Pick<KubeletPorts, 'runtimeName' | 'nodeIPs' | 'hostIPs'> {
  readonly client: Client;
  readonly node: string;
  readonly clock: Clock;
  random(): number;
  /** Interval in ms between syncs of a pod. */
  readonly syncFrequency: number;
  readonly recorder: NodeEventRecorder;
  /** Lists and watches the pods of this node. */
  readonly pods: ListWatch;
  /** The static pods of the node. Absent if no directory is configured for them. */
  readonly files?: Pick<FileSourceOptions, 'manifests' | 'frequency' | 'changed'>;
  /** The status that the container runtime reports about itself. Rejects if the runtime does not respond. */
  runtimeStatus(): Promise<Pick<RuntimeStatus, 'conditions'>>;
  report(message: string, error: unknown): void;
}

/** The sources of a node's pods. */
export const podSources = ({ files }: Pick<RunKubeletOptions, 'files'>): readonly PodSource[] =>
  files === undefined ? ['api'] : ['api', 'file'];

/** All loops that reconcile the pods of a node (upstream: Kubelet.Run). */
export class RunKubelet {
  /** The steps that the workers of the core call. */
  readonly syncer: PodSyncer;
  readonly runtimeState: RuntimeState;
  readonly #options: RunKubeletOptions;
  readonly #core: KubeletCore;
  readonly #runtime: KubeletRooms['runtime'];
  readonly #allocation: AllocationManager;
  readonly #pleg: GenericPLEG;
  readonly #loop: SyncLoop;
  readonly #config: PodConfig;

  constructor(options: RunKubeletOptions, core: KubeletCore, { admitHandlers, ...rooms }: KubeletRooms) {
    const { clock, client, recorder, report, syncFrequency } = options;
    const { podManager, statusManager, events, statuses, sources } = core;
    this.#options = options;
    this.#core = core;
    this.#runtime = rooms.runtime;
    const onEvent: GenericPLEGOptions['onEvent'] = (event) => events.runtimeEvent(event);
    const pleg = { runtime: rooms.runtime, cache: statuses, toReinspect: core.toReinspect, clock, report, onEvent };
    this.#pleg = new GenericPLEG(pleg);
    this.runtimeState = new RuntimeState(clock, [{ name: 'PLEG', fault: () => this.#pleg.healthy() }]);
    this.#allocation = new AllocationManager({
      allocated: core.allocated,
      admitHandlers,
      conditions: statusManager.resizeConditions,
      recorder,
      clock,
      areSourcesReady: () => core.areSourcesReady(),
      activePods: () => core.activePods(),
      podByUid: (uid) => podManager.podByUid(uid),
      syncPod: (uid) => kubelet.syncPods([uid]),
      report,
    });
    const kubelet = new Kubelet({
      ...rooms,
      ...options,
      allocation: this.#allocation,
      statuses,
      requestRelist: (uid) => this.#pleg.requestRelist(uid),
      runtimeState: this.runtimeState,
      podManager,
      podWorkers: core.podWorkers,
      workQueue: core.workQueue,
      mirrorClient: new MirrorClient(client, options.node),
      statusManager,
      podMetrics: core.podMetrics,
      areSourcesReady: () => core.areSourcesReady(),
    });
    this.syncer = kubelet.syncer;
    const sourceSeen = (source: PodSource): void => sources.add(source);
    const { runtimeState } = this;
    this.#loop = new SyncLoop({ kubelet, events, runtimeState, clock, syncFrequency, sourceSeen, report });
    this.#config = new PodConfig({ clock, recorder, deliver: (update) => events.config(update) });
  }

  /** Runs until the signal aborts. Pods keep running after that. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#each(RUNTIME_STATUS, 'cannot ask the runtime for its status', () => this.#updateRuntime(), signal),
      this.#pleg.run(signal),
      this.#loop.run(signal),
      this.#allocation.run(signal),
      this.#core.statusManager.run(signal),
      this.#each(CONTAINER_GC, 'cannot collect dead containers', () => this.#collect(), signal),
      this.#followApi(signal),
      this.#followFiles(signal),
    ]);
  }

  /** The reason why the sync loop is unhealthy. Undefined if it is healthy. */
  syncLoopFault(): string | undefined {
    return this.#loop.fault();
  }

  /** Syncs the static pods, because their mirrors can exist from now on (upstream: fastStaticPodsRegistration). */
  syncStaticPods(): void {
    const { events, podManager } = this.#core;
    events.sync(podManager.pods().filter(isStaticPod).map(uidOf));
  }

  async #updateRuntime(): Promise<void> {
    this.runtimeState.update(await this.#options.runtimeStatus());
  }

  /** Keeps one dead attempt of each container, of any age, which is upstream's default. Also records a failure as an event of the node. */
  async #collect(): Promise<void> {
    const { node: name, recorder } = this.#options;
    const allSourcesReady = this.#core.areSourcesReady();
    const bounds = { minAge: 0, maxPerPodContainer: 1, maxContainers: -1 };
    try {
      await this.#runtime.garbageCollect({ allSourcesReady, evictTerminated: false, ...bounds });
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
}
