import type { Pod } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { isDeleting, uidOf } from '#lib/machinery/meta.ts';
import { PodSandboxState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import { fullNameOf, isStaticPod, podFullName, type SyncPodType } from '../types/pod-update.ts';
import { effectiveGracePeriod } from './grace-period.ts';
import { PodSyncStatus, type PodWorkerState } from './pod-sync-status.ts';
import type { PodStatusReader, PodSyncer, UpdatePodOptions } from './pod-syncer.ts';
import { PodWorker } from './pod-worker.ts';
import { StaticPodStarts } from './static-pod-starts.ts';
import type { WorkQueue } from './work-queue.ts';

/** The ports of the workers. */
export interface PodWorkersOptions {
  /** Called with each step of a worker. */
  syncer(): PodSyncer;
  readonly statuses: PodStatusReader;
  readonly workQueue: WorkQueue;
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Delay in ms until a pod is synced again: after a successful sync, and after a failed one. */
  readonly resyncInterval: number;
  readonly backOffPeriod: number;
  /** The pod with its allocated resources, which the sync uses. */
  allocatedPod(pod: Pod): Pod;
  /** Called when a sync fails. The sync is retried. */
  onError(pod: Pod | undefined, error: unknown): void;
  /** Called when the runtime's status of the pod is unknown (event FailedSync). */
  onUnknownStatus(pod: Pod, error: unknown): void;
  /** Called when an update with a start time was handled, with its duration in ms. */
  worked(type: SyncPodType | 'terminated', milliseconds: number): void;
}

/** The state of one worker (upstream: PodWorkerSync). */
export interface PodWorkerSync {
  readonly state: PodWorkerState;
  /** Whether no source has the pod. */
  readonly isOrphan: boolean;
}

/**
 * One serial worker for each pod that should run or that the runtime has (upstream: podWorkers). A pod is synced until it terminates, is
 * deleted, evicted or orphaned. Then its containers are stopped, and then it is cleaned up. A terminating pod never starts again under its
 * uid until `syncKnownPods` has forgotten it.
 */
export class PodWorkers {
  readonly #options: PodWorkersOptions;
  readonly #statuses = new Map<string, PodSyncStatus>();
  readonly #workers = new Map<string, PodWorker>();
  readonly #starts = new StaticPodStarts();
  #podsSynced = false;

  constructor(options: PodWorkersOptions) {
    this.#options = options;
  }

  /** Sets the desired state of a pod. Updates during a sync are merged: the newest wins. */
  updatePod(update: UpdatePodOptions): void {
    const isRuntimePod = update.pod === undefined;
    if (isRuntimePod && (update.runningPod === undefined || update.updateType !== 'kill')) return;
    const uid = uidOfUpdate(update);
    const known = this.#statuses.get(uid);
    const status = known ?? this.#firstStatus(uid, update);
    this.#statuses.set(uid, status);
    if (isRuntimePod) status.wasObservedInRuntime = true;
    const pod = update.pod ?? status.pendingUpdate?.pod ?? status.activeUpdate?.pod;
    if (known !== undefined && status.isTerminationRequested && update.updateType === 'create') {
      status.isRestartRequested = true;
      return;
    }
    if (status.isFinished) return;
    const becameTerminating = requestTermination(status, { ...update, pod }, isRuntimePod);
    if (status.isTerminated && isRuntimePod) return;
    const before = status.gracePeriod;
    const kill = killOf(status, pod, update.kill);
    const isShortened = before !== 0 && status.gracePeriod !== before;
    const runningPod = pod === undefined ? update.runningPod : undefined;
    this.#startWorker(uid, status, pod);
    const allocated = pod && this.#options.allocatedPod(pod);
    status.pendingUpdate = { ...update, pod: allocated, runningPod, kill };
    this.#workers.get(uid)?.notify();
    if (becameTerminating || isShortened) status.cancel?.();
  }

  /**
   * Forgets finished pods that are not in the set, stops running ones that are not in it, and returns the state of all others. The caller
   * must add desired pods again that are not in the result.
   */
  syncKnownPods(desired: readonly Pod[]): Map<string, PodWorkerSync> {
    this.#podsSynced = true;
    const wanted = new Set(desired.map(uidOf));
    const workers = new Map<string, PodWorkerSync>();
    for (const [uid, status] of this.#statuses) {
      const isOrphan = !wanted.has(uid);
      if ((status.isRestartRequested || isOrphan) && this.#removeTerminated(uid, status, isOrphan)) continue;
      workers.set(uid, { state: status.state, isOrphan });
    }
    return workers;
  }

  /** Whether the pod has a worker and none of its containers is running. */
  isPodKnownTerminated(uid: string): boolean {
    return this.#statuses.get(uid)?.isTerminated ?? false;
  }

  /** Whether containers of the pod may be running. True for an unknown pod before the first `syncKnownPods`. */
  couldHaveRunningContainers(uid: string): boolean {
    const status = this.#statuses.get(uid);
    return status === undefined ? !this.#podsSynced : !status.isTerminated;
  }

  /** Whether the pod is completely cleaned up. */
  shouldPodBeFinished(uid: string): boolean {
    return this.#statuses.get(uid)?.isFinished ?? this.#podsSynced;
  }

  /** Whether the pod's termination was requested. A sync may still be starting it. False for an unknown pod. */
  isPodTerminationRequested(uid: string): boolean {
    return this.#statuses.get(uid)?.isTerminationRequested ?? false;
  }

  /** Whether no container of the pod will be started any more. */
  shouldPodContainersBeTerminating(uid: string): boolean {
    return this.#statuses.get(uid)?.hasStartedTerminating ?? this.#podsSynced;
  }

  /** Whether volumes and other resources of running containers may be removed. */
  shouldPodRuntimeBeRemoved(uid: string): boolean {
    return this.#statuses.get(uid)?.isTerminated ?? this.#podsSynced;
  }

  /** Whether all content of the pod may be removed, including dead containers and logs. */
  shouldPodContentBeRemoved(uid: string): boolean {
    const status = this.#statuses.get(uid);
    return status === undefined ? this.#podsSynced : status.isEvicted || (status.isDeleted && status.isTerminated);
  }

  /** Whether the static pod with this full name is terminating. Its mirror pod stays until then. */
  isPodForMirrorPodTerminating(fullName: string): boolean {
    const uid = this.#starts.startedUid(fullName);
    return uid !== undefined && this.#statuses.get(uid)?.state === 'terminating';
  }

  /** A pod that terminated before the agent started needs cleanup only. */
  #firstStatus(uid: string, { pod, runningPod }: UpdatePodOptions): PodSyncStatus {
    const { name = '', namespace = '' } = runningPod ?? {};
    const status = new PodSyncStatus(pod === undefined ? fullNameOf(name, namespace) : podFullName(pod));
    if (pod === undefined || !isPodPhaseTerminal(pod.status.phase)) return status;
    const observed = this.#lastObserved(uid);
    if (observed === undefined || hasAnythingRunning(observed)) return status;
    status.isTerminationRequested = true;
    status.hasStartedTerminating = true;
    status.isTerminated = true;
    return status;
  }

  #lastObserved(uid: string): RuntimePodStatus | undefined {
    try {
      return this.#options.statuses.get(uid);
    } catch {
      return undefined; // may be running, so it is stopped first
    }
  }

  #startWorker(uid: string, status: PodSyncStatus, pod: Pod | undefined): void {
    if (this.#workers.has(uid)) return;
    if (pod !== undefined && isStaticPod(pod)) this.#starts.wait(status.fullName, uid);
    const worker = new PodWorker({
      ...this.#options,
      status,
      uid,
      mayStart: (starting) => this.#mayStart(uid, status, starting),
      finished: () => this.#finish(uid, status),
      forgotten: () => this.#statuses.delete(uid),
    });
    this.#workers.set(uid, worker);
  }

  /** Whether the pod may start now, later, or never. */
  #mayStart(uid: string, status: PodSyncStatus, pod: Pod): 'now' | 'later' | 'never' {
    if (!isStaticPod(pod)) return 'now';
    if (status.isTerminationRequested) return 'never';
    const isGone = (waiting: string): boolean => this.#statuses.get(waiting)?.isTerminationRequested !== false;
    return this.#starts.allow(status.fullName, uid, isGone) ? 'now' : 'later';
  }

  /** Stops the worker of a pod that needs no more work. */
  #finish(uid: string, status: PodSyncStatus): void {
    status.isTerminated = true;
    status.isFinished = true;
    this.#stopWorker(uid, status);
  }

  #stopWorker(uid: string, status: PodSyncStatus): void {
    this.#workers.get(uid)?.stop();
    this.#workers.delete(uid);
    this.#starts.release(status.fullName, uid);
    status.callCompleted();
  }

  /** Returns whether the pod was forgotten. Otherwise its termination continues. */
  #removeTerminated(uid: string, status: PodSyncStatus, isOrphan: boolean): boolean {
    if (!status.isFinished) {
      if (!isOrphan) return false;
      status.isDeleted = true;
      if (status.isStarted || status.wasObservedInRuntime) {
        this.#endOrphan(uid, status);
        return false;
      }
    }
    this.#statuses.delete(uid);
    this.#stopWorker(uid, status);
    return true;
  }

  #endOrphan(uid: string, status: PodSyncStatus): void {
    if (!status.isTerminationRequested) {
      status.isTerminationRequested = true;
      status.gracePeriod = effectiveGracePeriod(status.gracePeriod, status.activeUpdate?.pod, undefined);
    }
    this.#workers.get(uid)?.requeue();
  }
}

const uidOfUpdate = ({ pod, runningPod }: UpdatePodOptions): string =>
  pod === undefined ? (runningPod?.uid ?? '') : uidOf(pod);

const hasAnythingRunning = ({ containerStatuses, sandboxStatuses }: RuntimePodStatus): boolean =>
  containerStatuses.some(({ state }) => state === 'running') ||
  sandboxStatuses.some(({ state }) => state === PodSandboxState.SANDBOX_READY);

/** Records the reason for the termination of a pod. Returns whether this update caused it. */
function requestTermination(
  status: PodSyncStatus,
  { updateType, pod, kill }: UpdatePodOptions,
  isRuntimePod: boolean,
): boolean {
  if (status.isTerminationRequested) return false;
  const isDeleted = isRuntimePod || (pod !== undefined && isDeleting(pod));
  const isKilled = updateType === 'kill';
  const isTerminal = isPodPhaseTerminal(pod?.status.phase);
  if (!isDeleted && !isTerminal && !isKilled) return false;
  status.isDeleted ||= isDeleted;
  status.isEvicted ||= !isDeleted && !isTerminal && kill?.evict === true;
  status.isTerminationRequested = true;
  return true;
}

/** The kill options for the sync. Callbacks of a request that has nothing to kill are called at once. */
function killOf(
  status: PodSyncStatus,
  pod: Pod | undefined,
  kill: UpdatePodOptions['kill'],
): UpdatePodOptions['kill'] | undefined {
  if (status.state !== 'terminating') {
    kill?.completed?.();
    return undefined;
  }
  if (kill?.completed !== undefined) status.notifyPostTerminating.push(kill.completed);
  if (kill?.podStatus !== undefined) status.statusPostTerminating = kill.podStatus;
  status.gracePeriod = effectiveGracePeriod(status.gracePeriod, pod, kill);
  return { evict: kill?.evict === true, gracePeriod: status.gracePeriod };
}
