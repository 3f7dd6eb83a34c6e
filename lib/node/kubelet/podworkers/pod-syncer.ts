import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { RunningPod, RuntimePodStatus } from '../container/runtime.ts';
import type { SyncPodType } from '../types/pod-update.ts';

/** Changes a status in place (upstream: PodStatusFunc). */
export type PodStatusFunc = (status: PodStatus) => void;

/** The options of a request to kill a pod. */
export interface KillPodOptions {
  /** Called once no container of the pod runs any more, or where the pod is not to be killed. */
  readonly completed?: () => void;
  /** Content of an evicted pod is removed sooner. */
  readonly evict?: boolean;
  /** Applied to the status that is reported while the pod terminates. The latest one wins. */
  readonly podStatus?: PodStatusFunc;
  /** Seconds. */
  readonly gracePeriod?: number;
}

/** A change of what is wanted of a pod. Either `pod` or `runningPod` is there. */
export interface UpdatePodOptions {
  readonly updateType: SyncPodType;
  readonly pod?: Pod | undefined;
  /** The mirror of a static pod. */
  readonly mirrorPod?: Pod | undefined;
  /** A pod of the runtime that no source tells; it can be killed only. */
  readonly runningPod?: RunningPod | undefined;
  readonly kill?: KillPodOptions | undefined;
  /** When the update came, by the monotonic clock: how long it takes is counted where it is there. */
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
  /** Seconds, at least 1; undefined for the pod's own. */
  readonly gracePeriod: number | undefined;
  readonly podStatus: PodStatusFunc | undefined;
}

/** How a sync ended. */
export interface SyncOutcome {
  /** Whether the pod has ended by itself and is to be stopped. */
  readonly isTerminal: boolean;
  /** Called once the worker has noted the time of the sync. */
  readonly postSync?: (() => void) | undefined;
}

/** The steps of a pod's life (upstream: podSyncer). Each method rejects to be called again; `signal` aborts when a newer request shortens it. */
export interface PodSyncer {
  syncPod(request: SyncRequest, signal: AbortSignal): Promise<SyncOutcome>;
  syncTerminatingPod(request: TerminateRequest, signal: AbortSignal): Promise<void>;
  syncTerminatingRuntimePod(pod: RunningPod, signal: AbortSignal): Promise<void>;
  syncTerminatedPod(pod: Pod, status: RuntimePodStatus, signal: AbortSignal): Promise<void>;
}

/** The statuses of the runtime that were read last (upstream: container.ROCache). */
export interface PodStatusReader {
  /** The last status; an empty one where the runtime does not know the pod. Throws the error of the last reading. */
  get(uid: string): RuntimePodStatus;
  /** A status that was read after the time (of the monotonic clock); waits for it. Rejects with the error of that reading. */
  newerThan(uid: string, time: number): Promise<RuntimePodStatus>;
}
