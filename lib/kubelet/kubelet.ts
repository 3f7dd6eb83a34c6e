import type { Pod } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { creationTimeOf, uidOf } from '#lib/machinery/meta.ts';
import { podQOS } from '#lib/registry/kinds/core/pod/qos.ts';
import { pastActiveDeadline } from './active-deadline.ts';
import type { PodUpdate } from './config/pod-update.ts';
import { housekeep } from './housekeeping.ts';
import type { KubeletPorts } from './kubelet-ports.ts';
import type { PodLifecycleEvent } from './pleg/pod-lifecycle-event.ts';
import type { PodAdmitResult } from './lifecycle/pod-admit.ts';
import { containersToDelete } from './pod-container-deletor.ts';
import type { UpdatePodOptions } from './podworkers/pod-syncer.ts';
import { PodWorkers } from './podworkers/pod-workers.ts';
import { WorkQueue } from './podworkers/work-queue.ts';
import type { ProbeUpdate } from './prober/probe-manager.ts';
import { needToReconcilePodReadiness } from './status/status-manager.ts';
import { SyncPod } from './sync-pod.ts';
import { isTerminalPhase } from './types/pod-update.ts';

/** A check that fails refuses the pod, and no other one. */
const unexpected = (error: unknown): PodAdmitResult => ({
  admit: false,
  reason: 'UnexpectedAdmissionError',
  message: messageOfError(error),
});

/**
 * Decides which pods are to run on the node, and hands each to its worker (upstream: Kubelet's SyncHandler). Its methods are called one at a
 * time, by the sync loop.
 */
export class Kubelet {
  readonly podWorkers: PodWorkers;
  readonly #ports: KubeletPorts;
  readonly #workQueue: WorkQueue;

  constructor(ports: KubeletPorts) {
    this.#ports = ports;
    this.#workQueue = new WorkQueue(ports.clock);
    this.podWorkers = new PodWorkers({
      syncer: new SyncPod(ports, () => this.podWorkers),
      statuses: ports.statuses,
      workQueue: this.#workQueue,
      clock: ports.clock,
      random: () => ports.random(),
      resyncInterval: ports.syncFrequency,
      backOffPeriod: ports.backOffPeriod,
      onError: (pod, error) => ports.report(`cannot sync pod ${pod?.metadata.name ?? ''}`, error),
      onUnknownStatus: (pod, error) =>
        ports.recorder.event(pod, 'Warning', 'FailedSync', `error determining status: ${messageOfError(error)}`),
    });
  }

  /** The pods that are admitted and have not ended: they use the node's resources. */
  activePods(): Pod[] {
    return this.#ports.podManager.pods().filter((pod) => !this.#isInactive(pod));
  }

  /** Takes what a source changed. */
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

  /** Takes an event of the runtime. */
  handleLifecycleEvent({ uid, type, containerID }: PodLifecycleEvent): void {
    if (type !== 'ContainerRemoved') this.syncPods([uid]);
    if (type === 'ContainerDied' && containerID !== undefined)
      this.#deleteContainers(uid, containerID, this.podWorkers.shouldPodContentBeRemoved(uid));
  }

  /** Takes a result of a probe. */
  handleProbe({ kind, podUID, containerID, result }: ProbeUpdate): void {
    const { statusManager } = this.#ports;
    const isSuccess = result === 'success';
    if (kind === 'liveness' && result !== 'failure') return;
    if (kind === 'readiness') statusManager.setContainerReadiness(podUID, containerID, isSuccess);
    if (kind === 'startup') statusManager.setContainerStartup(podUID, containerID, isSuccess);
    this.syncPods([podUID]);
  }

  /** Syncs the pods that are due, and those past their deadline. */
  syncDuePods(): void {
    const { podManager, statusManager, clock } = this.#ports;
    const due = new Set(this.#workQueue.take());
    const pods = podManager.pods().filter((pod) => {
      const uid = uidOf(pod);
      return due.has(uid) || pastActiveDeadline(pod, statusManager.podStatus(uid), clock.now()) !== undefined;
    });
    this.syncPods(pods.map(uidOf));
  }

  /** Syncs the pods that are known, without a change of their spec. */
  syncPods(uids: readonly string[]): void {
    for (const uid of uids) {
      const pod = this.#ports.podManager.podByUid(uid);
      if (pod !== undefined) this.#dispatch('sync', pod);
    }
  }

  /** Removes what pods left that nothing wants any more. Rejects where the runtime does not answer. */
  async housekeep(): Promise<void> {
    if (!this.#ports.areSourcesReady()) return;
    await housekeep(this.#ports, this.podWorkers, () => this.activePods());
  }

  async #add(pods: readonly Pod[]): Promise<void> {
    const created = (pod: Pod): number => creationTimeOf(pod)?.getTime() ?? 0;
    for (const added of [...pods].sort((a, b) => created(a) - created(b))) {
      this.#ports.podManager.updatePod(added);
      const { pod, wasMirror } = this.#ports.podManager.podAndMirror(added);
      if (pod === undefined) continue;
      if (!wasMirror && !(await this.#isAdmitted(pod))) continue;
      this.#dispatch(wasMirror ? 'update' : 'create', added);
    }
  }

  #update(pods: readonly Pod[]): void {
    for (const pod of pods) {
      this.#ports.podManager.updatePod(pod);
      this.#dispatch('update', pod);
    }
  }

  #remove(pods: readonly Pod[]): void {
    const { podManager, areSourcesReady } = this.#ports;
    for (const removed of pods) {
      podManager.removePod(removed);
      const { wasMirror } = podManager.podAndMirror(removed);
      if (wasMirror) this.#dispatch('update', removed);
      // Otherwise the pod may be of a source that has not told its pods yet: housekeeping comes back to it.
      else if (areSourcesReady()) this.podWorkers.updatePod({ updateType: 'kill', pod: removed });
    }
  }

  #reconcile(pods: readonly Pod[]): void {
    for (const pod of pods) {
      this.#ports.podManager.updatePod(pod);
      if (needToReconcilePodReadiness(pod)) this.#dispatch('sync', pod);
      const { phase, reason } = pod.status;
      if (phase === 'Failed' && reason === 'Evicted') this.#deleteContainers(uidOf(pod), '', true);
    }
  }

  /** Hands a pod, or the pod of a mirror, to its worker. */
  #dispatch(updateType: UpdatePodOptions['updateType'], given: Pod): void {
    const { pod, mirrorPod } = this.#ports.podManager.podAndMirror(given);
    if (pod !== undefined) this.podWorkers.updatePod({ updateType, pod, mirrorPod });
  }

  /** A pod that is to end, or has ended, is not checked: its worker only cleans up. */
  async #isAdmitted(pod: Pod): Promise<boolean> {
    if (this.podWorkers.isPodTerminationRequested(uidOf(pod)) || isTerminalPhase(pod.status.phase)) return true;
    const others = this.activePods().filter((other) => uidOf(other) !== uidOf(pod));
    for (const handler of this.#ports.admitHandlers) {
      const verdict = await handler.admit(pod, others).catch(unexpected);
      if (verdict.admit) continue;
      this.#reject(pod, verdict.reason, verdict.message);
      return false;
    }
    return true;
  }

  #reject(pod: Pod, reason: string, message: string): void {
    const { recorder, statusManager } = this.#ports;
    recorder.event(pod, 'Warning', reason, message);
    const said = { reason, message: `Pod was rejected: ${message}` };
    statusManager.setPodStatus(pod, { phase: 'Failed', qosClass: podQOS(pod.spec), ...said });
  }

  #isInactive(pod: Pod): boolean {
    const uid = uidOf(pod);
    if (this.podWorkers.isPodKnownTerminated(uid)) return true;
    const phases = [pod.status.phase, this.#ports.statusManager.podStatus(uid)?.phase];
    return phases.some(isTerminalPhase) && !this.podWorkers.isPodTerminationRequested(uid);
  }

  /** Nothing waits for the deletions: garbage collection comes back to what is left. */
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
