import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { RequestLabels } from './request-labels.ts';

const SERVED_BY = ['group', 'version', 'resource', 'subresource', 'scope', 'component'];
const SLOW = [0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const THOUSANDS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const LONGEST = 253;
const SIZED: ReadonlySet<string> = new Set(['GET', 'LIST']);

/** A finished request. */
export interface FinishedRequest {
  readonly labels: RequestLabels;
  readonly code: number;
  readonly seconds: number;
  /** The size of the response in bytes. */
  readonly size: number;
}

/** Metrics of requests, under the names that upstream's dashboards use. */
export class RequestMetrics implements Collector {
  readonly #total = new Value({
    type: 'counter',
    name: 'apiserver_request_total',
    help: 'Requests that were answered.',
    labels: ['verb', 'dry_run', ...SERVED_BY, 'code'],
  });
  readonly #duration = new Histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Seconds from a request to the end of its answer.',
    labels: ['verb', 'dry_run', ...SERVED_BY],
    buckets: [0.005, 0.025, 0.05, 0.1, 0.2, ...SLOW],
  });
  readonly #objective = new Histogram({
    name: 'apiserver_request_sli_duration_seconds',
    help: 'Seconds from a request to the end of its answer, as service level objectives count them.',
    labels: ['verb', ...SERVED_BY],
    buckets: [0.05, 0.1, 0.2, ...SLOW],
  });
  readonly #size = new Histogram({
    name: 'apiserver_response_sizes',
    help: 'Bytes of the answers to reads.',
    labels: ['verb', ...SERVED_BY],
    buckets: THOUSANDS,
  });
  readonly #longRunning = new Value({
    type: 'gauge',
    name: 'apiserver_longrunning_requests',
    help: 'Watches and other streams that are open.',
    labels: ['verb', ...SERVED_BY],
  });
  readonly #deprecated = new Value({
    type: 'gauge',
    name: 'apiserver_requested_deprecated_apis',
    help: 'What is deprecated and was asked for.',
    labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
  });
  readonly #terminations = new Value({
    type: 'counter',
    name: 'apiserver_request_terminations_total',
    help: 'Requests that were refused for want of room, or given up for want of time.',
    labels: ['verb', ...SERVED_BY, 'code'],
  });
  readonly #inFlight = new Value({
    type: 'gauge',
    name: 'apiserver_current_inflight_requests',
    help: 'Requests that are being answered.',
    labels: ['request_kind'],
  });

  /** Records a request for a deprecated API. */
  deprecated({ served: [group = '', version = '', resource = '', subresource = ''] }: RequestLabels): void {
    this.#deprecated.set(1, [group, version, resource, subresource, '']);
  }

  /** Adds `n` to the number of reads or writes in flight. */
  inFlight(kind: 'readOnly' | 'mutating', n: 1 | -1): void {
    this.#inFlight.add(n, [kind]);
  }

  /** Adds `n` to the number of open streams. */
  longRunning({ verb, served }: RequestLabels, n: 1 | -1): void {
    this.#longRunning.add(n, [verb, ...served]);
  }

  /** Records a request that the server terminated to protect itself. The names are not validated yet, so long ones are omitted. */
  terminated({ verb, served }: RequestLabels, code: number): void {
    this.#terminations.add(1, [verb, ...served.map((name) => (name.length > LONGEST ? '' : name)), String(code)]);
  }

  finished({ labels: { verb, dryRun, served }, code, seconds, size }: FinishedRequest): void {
    this.#total.add(1, [verb, dryRun, ...served, String(code)]);
    this.#duration.observe(seconds, [verb, dryRun, ...served]);
    this.#objective.observe(seconds, [verb, ...served]);
    if (SIZED.has(verb)) this.#size.observe(size, [verb, ...served]);
  }

  collect(): readonly Family[] {
    const all = [
      this.#total,
      this.#duration,
      this.#objective,
      this.#size,
      this.#longRunning,
      this.#inFlight,
      this.#deprecated,
      this.#terminations,
    ];
    return all.flatMap((metric) => metric.collect());
  }
}
