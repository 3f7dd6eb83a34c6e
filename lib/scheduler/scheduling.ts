import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Cache } from './backend/cache/cache.ts';
import type { SchedulingQueue } from './backend/queue/scheduling-queue.ts';
import type { Framework } from './framework/runtime/framework.ts';
import type { WaitingPods } from './framework/runtime/waiting-pods.ts';
import type { SchedulerMetrics } from './metrics/metrics.ts';
import type { PodsInPreBind } from './pods-in-pre-bind.ts';

/** The state shared by all steps of scheduling. */
export interface Scheduling {
  readonly client: Clientset;
  readonly clock: Clock;
  /** Aborts when the scheduler shuts down. */
  readonly signal: AbortSignal;
  readonly cache: Cache;
  readonly queue: SchedulingQueue;
  /** The frameworks by scheduler name. */
  readonly frameworks: ReadonlyMap<string, Framework>;
  readonly percentageOfNodesToScore: number;
  readonly waitingPods: WaitingPods;
  readonly inPreBind: PodsInPreBind;
  readonly metrics: SchedulerMetrics;
  /** The current state of the pod; undefined if it does not exist. */
  podNow(namespace: string, name: string): Pod | undefined;
  /** Waits until another request to the API server may start, and lets other tasks of the process run from time to time. */
  pause(): Promise<void>;
  reportFault(error: unknown): void;
}

/** The name of the scheduler that the pod requests. */
export const schedulerNameOf = ({ spec }: Pod): string => spec.schedulerName ?? '';
