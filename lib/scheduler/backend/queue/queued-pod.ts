import type { QueuedPodInfo } from '../../framework/interface.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** A pod that waits for a node, with the results of its attempts so far: upstream's QueuedPodInfo. */
export interface QueuedPod extends QueuedPodInfo {
  podInfo: PodInfo;
  /** The monotonic time in milliseconds of the last enqueue or attempt. */
  timestamp: number;
  attempts: number;
  /** The monotonic time in milliseconds at which the first attempt became possible. */
  initialAttempt: number | undefined;
  /** The number of attempts that found no node. */
  unschedulableCount: number;
  /** The number of consecutive attempts that failed with an error. */
  consecutiveErrors: number;
  /** The plugins that refused the pod. */
  unschedulablePlugins: ReadonlySet<string>;
  /** The plugins that wait for an external event. */
  pendingPlugins: ReadonlySet<string>;
  /** The plugin that keeps the pod out of the queue; empty if none does. */
  gatingPlugin: string;
}

/** Creates the queue entry of a pod enqueued at `now`, in monotonic milliseconds. */
export const newQueuedPod = (podInfo: PodInfo, now: number): QueuedPod => ({
  podInfo,
  timestamp: now,
  attempts: 0,
  initialAttempt: undefined,
  unschedulableCount: 0,
  consecutiveErrors: 0,
  unschedulablePlugins: new Set(),
  pendingPlugins: new Set(),
  gatingPlugin: '',
});

/** Whether a PreEnqueue plugin keeps the pod out of the queue. */
export const isGated = ({ gatingPlugin }: QueuedPod): boolean => gatingPlugin !== '';

/** Whether no plugin refused the pod: it failed with an error, or was never tried. */
export const hasNoRejector = ({ unschedulablePlugins, pendingPlugins }: QueuedPod): boolean =>
  unschedulablePlugins.size + pendingPlugins.size === 0;

/** The uid of a pod in the queue. */
export const uidOfQueued = ({ podInfo }: QueuedPod): string => podInfo.uid;
