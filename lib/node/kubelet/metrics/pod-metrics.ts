import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import type { SyncPodType } from '../types/pod-update.ts';

const START_BUCKETS = [
  0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600,
];
/** The default buckets of Prometheus's Go client. */
const WORKER_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Duration of pod starts and syncs (upstream: PodStartDuration, PodWorkerDuration). */
export class PodMetrics implements Collector {
  readonly #start = new Histogram({
    name: 'kubelet_pod_start_duration_seconds',
    help: 'Duration in seconds from kubelet seeing a pod for the first time to the pod starting to run',
    buckets: START_BUCKETS,
  });
  readonly #worker = new Histogram({
    name: 'kubelet_pod_worker_duration_seconds',
    help: 'Duration in seconds to sync a single pod. Broken down by operation type: create, update, or sync',
    labels: ['operation_type'],
    buckets: WORKER_BUCKETS,
  });

  /** Records a pod that runs this many milliseconds after it was first seen. */
  started(milliseconds: number): void {
    this.#start.observe(milliseconds / 1000);
  }

  /** Records an update that a worker handled, with its duration in milliseconds. */
  worked(type: SyncPodType | 'terminated', milliseconds: number): void {
    this.#worker.observe(milliseconds / 1000, [type]);
  }

  collect(): readonly Family[] {
    return [this.#start, this.#worker].flatMap((metric) => metric.collect());
  }
}
