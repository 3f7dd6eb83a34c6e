import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { Cache } from './backend/cache/cache.ts';
import type { SchedulingQueue } from './backend/queue/scheduling-queue.ts';
import type { Framework } from './framework/runtime/framework.ts';
import type { WaitingPods } from './framework/runtime/waiting-pods.ts';
import type { SchedulerMetrics } from './metrics/metrics.ts';
import type { PodsInPreBind } from './pods-in-pre-bind.ts';

/** What the steps of placing pods share. */
export interface Scheduling {
  readonly client: Client;
  readonly clock: Clock;
  /** Aborts when the scheduler ends. */
  readonly signal: AbortSignal;
  readonly cache: Cache;
  readonly queue: SchedulingQueue;
  /** By the scheduler's name. */
  readonly frameworks: ReadonlyMap<string, Framework>;
  readonly percentageOfNodesToScore: number;
  readonly waitingPods: WaitingPods;
  readonly inPreBind: PodsInPreBind;
  readonly metrics: SchedulerMetrics;
  /** The pod as it is known now. */
  podNow(namespace: string, name: string): JsonObject | undefined;
  reportFault(error: unknown): void;
}

export const schedulerNameOf = (pod: JsonObject): string => text(objectAt(pod, 'spec'), 'schedulerName');
export const nodeNameOf = (pod: JsonObject): string => text(objectAt(pod, 'spec'), 'nodeName');
