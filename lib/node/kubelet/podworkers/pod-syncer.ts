import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { RunningPod, RuntimePodStatus } from '../container/runtime.ts';
import type { SyncPodType } from '../types/pod-update.ts';

/** Changes a status in place (upstream: PodStatusFunc). */
export type PodStatusFunc = (status: PodStatus) => void;

/** The options of a request to kill a pod. */
export interface KillPodOptions {
  /** Called when no container of the pod is running any more, or if there is no pod to kill. */
  readonly completed?: () => void;
  /** Whether the pod is evicted: its content is removed earlier. */
  readonly evict?: boolean;
  /** Applied to the reported status while the pod terminates. The latest one wins. */
  readonly podStatus?: PodStatusFunc;
  /** Grace period in seconds. */
  readonly gracePeriod?: number;
}

/** A change of a pod's desired state. Either `pod` or `runningPod` is set. */
export interface UpdatePodOptions {
  readonly updateType: SyncPodType;
  readonly pod?: Pod | undefined;
  /** The mirror of a static pod. */
  readonly mirrorPod?: Pod | undefined;
  /** A pod in the runtime without a source. It can only be killed. */
  readonly runningPod?: RunningPod | undefined;
  readonly kill?: KillPodOptions | undefined;
  /** Monotonic time of the update. If set, the duration of its sync is measured. */
  readonly startTime?: number;
}

/** The inputs of one sync. */
export interface SyncRequest {
  readonly updateType: SyncPodType;
  readonly pod: Pod;
  readonly mirrorPod: Pod | undefined;
  readonly status: RuntimePodStatus;
}

/** The inputs of one attempt to stop a pod. */
export interface TerminateRequest {
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  /** Grace period in seconds, at least 1. Undefined for the pod's own. */
  readonly gracePeriod: number | undefined;
  readonly podStatus: PodStatusFunc | undefined;
}

/** The result of a sync. */
export interface SyncOutcome {
  /** Whether the pod has terminated by itself and must be stopped. */
  readonly isTerminal: boolean;
  /** Called after the worker has recorded the time of the sync. */
  readonly postSync?: (() => void) | undefined;
}

/**
 * The steps in the life of a pod (upstream: podSyncer). A method that rejects is called again. `signal` aborts when a newer request
 * interrupts it.
 */
export interface PodSyncer {
  syncPod(request: SyncRequest, signal: AbortSignal): Promise<SyncOutcome>;
  syncTerminatingPod(request: TerminateRequest, signal: AbortSignal): Promise<void>;
  syncTerminatingRuntimePod(pod: RunningPod, signal: AbortSignal): Promise<void>;
  syncTerminatedPod(pod: Pod, status: RuntimePodStatus, signal: AbortSignal): Promise<void>;
}

/** The last pod statuses read from the runtime (upstream: container.ROCache). */
export interface PodStatusReader {
  /** The last status. It is empty if the runtime does not have the pod. Throws the error of the last read. */
  get(uid: string): RuntimePodStatus;
  /** Waits for a status that was read after the monotonic time. Rejects with the error of that read. */
  newerThan(uid: string, time: number): Promise<RuntimePodStatus>;
}
