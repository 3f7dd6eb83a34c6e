import type { PodStatusFunc, UpdatePodOptions } from './pod-syncer.ts';

/** The stage of a pod: it is being synced, its containers are being stopped, or it is being cleaned up. */
export type PodWorkerState = 'sync' | 'terminating' | 'terminated';

/** The state of one pod in its worker (upstream: podSyncStatus). */
export class PodSyncStatus {
  readonly fullName: string;
  /** The newest update that no sync has started with. */
  pendingUpdate: UpdatePodOptions | undefined;
  /** The update of the last sync, merged with earlier ones. */
  activeUpdate: UpdatePodOptions | undefined;
  /** Cancels the sync in progress. */
  cancel: (() => void) | undefined;
  isStarted = false;
  isTerminationRequested = false;
  /** The worker has seen the request to terminate and starts no more containers. */
  hasStartedTerminating = false;
  /** No container is running any more. */
  isTerminated = false;
  /** Grace period of the containers in seconds, 0 before termination. */
  gracePeriod = 0;
  readonly notifyPostTerminating: (() => void)[] = [];
  statusPostTerminating: PodStatusFunc | undefined;
  /** The API is deleting the pod, or no source has it. */
  isDeleted = false;
  isEvicted = false;
  /** The pod is completely cleaned up. */
  isFinished = false;
  /** A pod with the same uid was created while this one is terminating. */
  isRestartRequested = false;
  /** The runtime has the pod, so it must be stopped even if no worker started it. */
  wasObservedInRuntime = false;

  constructor(fullName: string) {
    this.fullName = fullName;
  }

  get state(): PodWorkerState {
    if (this.isTerminated) return 'terminated';
    return this.isTerminationRequested ? 'terminating' : 'sync';
  }

  /** Notifies the callers that wait for the pod to stop. */
  callCompleted(): void {
    for (const completed of this.notifyPostTerminating.splice(0)) completed();
  }

  /** Merges an update into the active one. A runtime pod does not replace a pod from a source, and the kill options of updates add up. */
  mergeLastUpdate(update: UpdatePodOptions): void {
    const { pod, mirrorPod, kill } = this.activeUpdate ?? {};
    const isPodKept = pod !== undefined && update.runningPod !== undefined;
    this.activeUpdate = {
      updateType: this.activeUpdate?.updateType ?? 'sync',
      pod: isPodKept ? pod : update.pod,
      mirrorPod: update.mirrorPod ?? mirrorPod,
      runningPod: update.runningPod,
      kill: update.kill === undefined ? kill : withoutCallbacks(update.kill),
    };
  }
}

/** The status keeps the callbacks, because a replayed update must not call them again. */
const withoutCallbacks = ({ evict, gracePeriod }: NonNullable<UpdatePodOptions['kill']>): UpdatePodOptions['kill'] => ({
  evict: evict === true,
  ...(gracePeriod === undefined ? {} : { gracePeriod }),
});
