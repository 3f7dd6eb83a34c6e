import type { QueuedPodInfo } from '../../framework/interface.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** A pod that waits for a node, and what became of it so far: upstream's QueuedPodInfo. */
export interface QueuedPod extends QueuedPodInfo {
  podInfo: PodInfo;
  /** When it was queued or last tried, monotonic, milliseconds. */
  timestamp: number;
  attempts: number;
  /** When it was ready to be tried first, monotonic, milliseconds. */
  initialAttempt: number | undefined;
  /** How often it found no node. */
  unschedulableCount: number;
  /** How often in a row trying it failed otherwise. */
  consecutiveErrors: number;
  /** Plugins that refused it. */
  unschedulablePlugins: ReadonlySet<string>;
  /** Plugins that wait for something outside. */
  pendingPlugins: ReadonlySet<string>;
  /** The plugin that does not let it into the queue; empty where none does. */
  gatingPlugin: string;
}

/** A pod that comes to the queue at `now`, in monotonic milliseconds. */
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

/** Whether no plugin refused it: what became of it was a fault, or it was not tried. */
export const hasNoRejector = ({ unschedulablePlugins, pendingPlugins }: QueuedPod): boolean =>
  unschedulablePlugins.size + pendingPlugins.size === 0;

/** The uid of a pod in the queue. */
export const uidOfQueued = ({ podInfo }: QueuedPod): string => podInfo.uid;
