import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { activePods } from './active-pods.ts';
import { allocatedPod } from './allocation/allocated-pod.ts';
import type { PodResourceState } from './allocation/pod-resource-state.ts';
import { SourcesReady } from './config/sources-ready.ts';
import type { PodStatusCache } from './container/cache.ts';
import type { NodeEventRecorder } from './events/recorder.ts';
import { PodMetrics } from './metrics/pod-metrics.ts';
import { PodManager } from './pod/pod-manager.ts';
import type { PodSyncer } from './podworkers/pod-syncer.ts';
import { PodWorkers } from './podworkers/pod-workers.ts';
import { WorkQueue } from './podworkers/work-queue.ts';
import { StatusManager } from './status/status-manager.ts';
import { SyncLoopEvents } from './sync-loop-events.ts';
import type { PodSource } from './types/pod-update.ts';

/** The ports of the core. */
export interface KubeletCoreOptions {
  readonly client: Client;
  readonly clock: Clock;
  random(): number;
  readonly recorder: NodeEventRecorder;
  /** The sources of pods, each of which must deliver its pods before any pod is removed. */
  readonly sources: readonly PodSource[];
  /** The resources allocated to pods. */
  readonly allocated: PodResourceState;
  /** The pod statuses that the PLEG has read from the runtime. */
  readonly statuses: PodStatusCache;
  /** Interval in ms between syncs of a pod, and the delay before the retry of a failed sync. */
  readonly syncFrequency: number;
  readonly backOffPeriod: number;
  /**
   * The steps of a sync. This is a function, because the steps use components that depend on this core. It is first called when the kubelet
   * dispatches a pod.
   */
  syncer(): PodSyncer;
  /** Logs a failure that does not stop the kubelet. */
  report(message: string, error: unknown): void;
}

/** The pods of a node with their workers and statuses. It is created before the parts that act on pods. */
export class KubeletCore {
  readonly podManager = new PodManager();
  readonly podMetrics = new PodMetrics();
  /** The queue of the sync loop. */
  readonly events = new SyncLoopEvents();
  /** The uids of pods whose status the PLEG reads with the next listing, even without a change. */
  readonly toReinspect = new Set<string>();
  readonly allocated: PodResourceState;
  readonly statuses: PodStatusCache;
  readonly sources: SourcesReady;
  readonly workQueue: WorkQueue;
  readonly podWorkers: PodWorkers;
  readonly statusManager: StatusManager;

  constructor(options: KubeletCoreOptions) {
    const { client, clock, report, recorder, allocated, statuses } = options;
    this.allocated = allocated;
    this.statuses = statuses;
    this.sources = new SourcesReady(options.sources);
    this.workQueue = new WorkQueue(clock);
    this.podWorkers = new PodWorkers({
      allocatedPod: (pod) => allocatedPod(pod, allocated),
      syncer: () => options.syncer(),
      statuses,
      workQueue: this.workQueue,
      clock,
      random: () => options.random(),
      resyncInterval: options.syncFrequency,
      backOffPeriod: options.backOffPeriod,
      onError: (pod, error) => report(`cannot sync pod ${pod?.metadata.name ?? ''}`, error),
      worked: (type, milliseconds) => this.podMetrics.worked(type, milliseconds),
      onUnknownStatus: (pod, error) =>
        recorder.event(pod, 'Warning', 'FailedSync', `error determining status: ${messageOfError(error)}`),
    });
    this.statusManager = new StatusManager({
      client,
      clock,
      podManager: this.podManager,
      couldHaveRunningContainers: (pod) => this.podWorkers.couldHaveRunningContainers(this.#podUid(pod)),
      onFault: (error) => report('cannot write the status of a pod', error),
    });
  }

  /** The admitted pods that have not terminated. */
  activePods(): Pod[] {
    return activePods(this);
  }

  /** The active pods with their allocated resources. */
  allocatedPods(): Pod[] {
    return this.activePods().map((pod) => allocatedPod(pod, this.allocated));
  }

  /** Whether every source has delivered its pods once. */
  areSourcesReady(): boolean {
    return this.sources.areAllReady;
  }

  /** For a mirror pod, the uid of its static pod, which owns the containers. */
  #podUid(pod: Pod): string {
    return this.podManager.translateUid(uidOf(pod));
  }
}
