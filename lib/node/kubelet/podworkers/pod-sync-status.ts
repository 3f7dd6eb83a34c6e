import type { PodStatusFunc, UpdatePodOptions } from './pod-syncer.ts';

/** The stage of a pod's life: it is brought up, its containers are stopped, or it is cleaned up. */
export type PodWorkerState = 'sync' | 'terminating' | 'terminated';

/** The life of one pod as its worker knows it (upstream: podSyncStatus). */
export class PodSyncStatus {
  readonly fullName: string;
  /** The newest update that no sync has seen. */
  pendingUpdate: UpdatePodOptions | undefined;
  /** The update that syncs have seen last, merged with those before. */
  activeUpdate: UpdatePodOptions | undefined;
  /** Ends the sync that runs. */
  cancel: (() => void) | undefined;
  isStarted = false;
  isTerminationRequested = false;
  /** The worker has seen the request: no container starts any more. */
  hasStartedTerminating = false;
  /** No container runs any more. */
  isTerminated = false;
  /** Seconds that containers have to stop; 0 before termination. */
  gracePeriod = 0;
  readonly notifyPostTerminating: (() => void)[] = [];
  statusPostTerminating: PodStatusFunc | undefined;
  /** The API deletes the pod, or no source has it. */
  isDeleted = false;
  isEvicted = false;
  /** Everything of the pod is cleaned up. */
  isFinished = false;
  /** A pod with the same uid was created while this one terminates. */
  isRestartRequested = false;
  /** The runtime has it: it has to be stopped even if no worker has started it. */
  wasObservedInRuntime = false;

  constructor(fullName: string) {
    this.fullName = fullName;
  }

  get state(): PodWorkerState {
    if (this.isTerminated) return 'terminated';
    return this.isTerminationRequested ? 'terminating' : 'sync';
  }

  /** Tells those that wait for the pod to stop. */
  callCompleted(): void {
    for (const completed of this.notifyPostTerminating.splice(0)) completed();
  }

  /** Merges an update into the active one. A pod of the runtime does not replace a pod of a source, kill options of updates add up. */
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

/** A replay of an update must not call back again: the status keeps the callbacks. */
const withoutCallbacks = ({ evict, gracePeriod }: NonNullable<UpdatePodOptions['kill']>): UpdatePodOptions['kill'] => ({
  evict: evict === true,
  ...(gracePeriod === undefined ? {} : { gracePeriod }),
});
