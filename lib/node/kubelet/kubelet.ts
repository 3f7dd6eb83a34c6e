import type { Pod } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { creationTimeOf, uidOf } from '#lib/machinery/meta.ts';
import { pastActiveDeadline } from './active-deadline.ts';
import { givesBack, sameAllocation } from './allocation/allocated-pod.ts';
import type { PodUpdate } from './config/pod-update.ts';
import { housekeep } from './housekeeping.ts';
import type { KubeletPorts } from './kubelet-ports.ts';
import type { PodLifecycleEvent } from './pleg/pod-lifecycle-event.ts';
import { containersToDelete } from './pod-container-deletor.ts';
import type { PodSyncer, UpdatePodOptions } from './podworkers/pod-syncer.ts';
import type { ProbeUpdate } from './prober/probe-manager.ts';
import { rejectPod } from './reject-pod.ts';
import { needToReconcilePodReadiness } from './status/status-manager.ts';
import { SyncPod } from './sync-pod.ts';

/**
 * Decides which pods run on the node, and dispatches each to its worker (upstream: Kubelet's SyncHandler). The sync loop calls its methods
 * one at a time.
 */
export class Kubelet {
  /** The steps that the pod workers call. */
  readonly syncer: PodSyncer;
  readonly #ports: KubeletPorts;

  constructor(ports: KubeletPorts) {
    this.#ports = ports;
    this.syncer = new SyncPod(ports);
  }

  /** Handles an update from a pod source. */
  async handle({ op, pods }: PodUpdate): Promise<void> {
    switch (op) {
      case 'ADD':
        return this.#add(pods);
      case 'UPDATE':
      case 'DELETE':
        return this.#update(pods);
      case 'REMOVE':
        return this.#remove(pods);
      case 'RECONCILE':
        return this.#reconcile(pods);
      default:
        return op satisfies never;
    }
  }

  /** Handles an event of the runtime. */
  handleLifecycleEvent({ uid, type, containerID }: PodLifecycleEvent): void {
    if (type !== 'ContainerRemoved') this.syncPods([uid]);
    if (type === 'ContainerDied' && containerID !== undefined)
      this.#deleteContainers(uid, containerID, this.#ports.podWorkers.shouldPodContentBeRemoved(uid));
  }

  /** Handles the result of a probe. */
  handleProbe({ kind, podUID, containerID, result }: ProbeUpdate): void {
    const { statusManager } = this.#ports;
    const isSuccess = result === 'success';
    if (kind === 'liveness' && result !== 'failure') return;
    if (kind === 'readiness') statusManager.setContainerReadiness(podUID, containerID, isSuccess);
    if (kind === 'startup') statusManager.setContainerStartup(podUID, containerID, isSuccess);
    this.syncPods([podUID]);
  }

  /** Syncs the pods that are due and the pods past their active deadline. */
  syncDuePods(): void {
    const { podManager, statusManager, workQueue, clock } = this.#ports;
    const due = new Set(workQueue.take());
    const pods = podManager.pods().filter((pod) => {
      const uid = uidOf(pod);
      return due.has(uid) || pastActiveDeadline(pod, statusManager.podStatus(uid), clock.now()) !== undefined;
    });
    this.syncPods(pods.map(uidOf));
  }

  /** Syncs the known pods among these, without a change of their spec. */
  syncPods(uids: readonly string[]): void {
    for (const uid of uids) {
      const pod = this.#ports.podManager.podByUid(uid);
      if (pod !== undefined) this.#dispatch('sync', pod);
    }
  }

  /** Cleans up after pods that are no longer needed. Rejects if the runtime does not respond. */
  async housekeep(): Promise<void> {
    if (!this.#ports.areSourcesReady()) return;
    await housekeep(this.#ports);
  }

  async #add(pods: readonly Pod[]): Promise<void> {
    const { podManager, statusManager, allocation } = this.#ports;
    const resizes: string[] = [];
    const created = (pod: Pod): number => creationTimeOf(pod)?.getTime() ?? 0;
    for (const added of [...pods].sort((a, b) => created(a) - created(b))) {
      podManager.updatePod(added);
      const { pod, wasMirror } = podManager.podAndMirror(added);
      if (pod === undefined) continue;
      if (!wasMirror && !(await this.#isAdmitted(pod))) continue;
      if (!wasMirror && this.#asksForResize(pod)) resizes.push(uidOf(pod));
      this.#dispatch(wasMirror ? 'update' : 'create', added);
    }
    statusManager.resizeConditions.backfill(pods);
    for (const uid of resizes) await allocation.pushPendingResize(uid);
    if (resizes.length > 0) await allocation.retryPendingResizes();
  }

  async #update(pods: readonly Pod[]): Promise<void> {
    for (const pod of pods) {
      const before = this.#ports.podManager.podByUid(uidOf(pod));
      this.#ports.podManager.updatePod(pod);
      if (before !== undefined && !sameAllocation(before, pod)) await this.#resize(pod);
      this.#dispatch('update', pod);
    }
  }

  /** Handles a pod whose requested resources have just changed. */
  async #resize(pod: Pod): Promise<void> {
    const { allocation, statusManager } = this.#ports;
    if (!this.#asksForResize(pod)) return statusManager.resizeConditions.clearPending(uidOf(pod));
    await allocation.pushPendingResize(uidOf(pod));
    await allocation.retryPendingResizes();
  }

  /** Whether the pod requests other resources than its allocated ones. A terminating pod keeps its resources. */
  #asksForResize(pod: Pod): boolean {
    const isEnding =
      this.#ports.podWorkers.isPodTerminationRequested(uidOf(pod)) || isPodPhaseTerminal(pod.status.phase);
    return !isEnding && this.#ports.allocation.allocatedPod(pod) !== pod;
  }

  async #remove(pods: readonly Pod[]): Promise<void> {
    const { podManager, areSourcesReady, allocation } = this.#ports;
    for (const removed of pods) {
      podManager.removePod(removed);
      allocation.removePod(uidOf(removed));
      const { wasMirror } = podManager.podAndMirror(removed);
      if (wasMirror) this.#dispatch('update', removed);
      // Otherwise the pod may belong to a source that has not delivered its pods yet: housekeeping handles it later.
      else if (areSourcesReady()) this.#ports.podWorkers.updatePod({ updateType: 'kill', pod: removed });
    }
    await allocation.retryPendingResizes();
  }

  async #reconcile(pods: readonly Pod[]): Promise<void> {
    const { podManager, allocation } = this.#ports;
    let hasRoom = false;
    for (const pod of pods) {
      const before = podManager.podByUid(uidOf(pod));
      podManager.updatePod(pod);
      if (before !== undefined && givesBack(allocation.allocatedPod(before), allocation.allocatedPod(pod)))
        hasRoom = true;
      if (needToReconcilePodReadiness(pod)) this.#dispatch('sync', pod);
      const { phase, reason } = pod.status;
      if (phase === 'Failed' && reason === 'Evicted') this.#deleteContainers(uidOf(pod), '', true);
    }
    if (hasRoom && allocation.hasPendingResizes()) await allocation.retryPendingResizes();
  }

  /** Dispatches a pod, or the static pod of a mirror, to its worker. */
  #dispatch(updateType: UpdatePodOptions['updateType'], given: Pod): void {
    const { pod, mirrorPod } = this.#ports.podManager.podAndMirror(given);
    const startTime = this.#ports.clock.monotonic();
    if (pod !== undefined) this.#ports.podWorkers.updatePod({ updateType, pod, mirrorPod, startTime });
  }

  /** A terminating or terminated pod skips admission: its worker only cleans up. */
  async #isAdmitted(pod: Pod): Promise<boolean> {
    if (this.#ports.podWorkers.isPodTerminationRequested(uidOf(pod)) || isPodPhaseTerminal(pod.status.phase))
      return true;
    const verdict = await this.#ports.allocation.addPod(pod);
    if (!verdict.admit) rejectPod(this.#ports, pod, verdict.reason, verdict.message);
    return verdict.admit;
  }

  /** Deletions run in the background. Garbage collection removes containers whose deletion fails. */
  #deleteContainers(uid: string, exitedContainerID: string, removeAll: boolean): void {
    const { statuses, runtime, report } = this.#ports;
    try {
      for (const id of containersToDelete(statuses.get(uid), exitedContainerID, removeAll))
        void runtime.deleteContainer(id).catch((error: unknown) => report('cannot delete a dead container', error));
    } catch (error) {
      report('cannot tell the dead containers of a pod', error);
    }
  }
}
