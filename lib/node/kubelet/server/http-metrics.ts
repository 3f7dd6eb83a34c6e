import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { NodeRequest, NodeResponse } from './node-request.ts';
import { firstSegment } from './routes.ts';

const METHODS = ['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'TRACE', 'CONNECT'];
/** First path segments with their own label value. */
const PATHS =
  'healthz pods stats metrics run exec attach portForward containerLogs configz runningpods checkpoint logs debug'.split(
    ' ',
  );
const METRICS_PATHS = ['cadvisor', 'probes', 'resource'];
/** Upstream's list. It does not include portForward, because upstream's list has a different spelling. */
const LONG_RUNNING = ['exec', 'attach', 'debug'];
const LABELS = ['long_running', 'method', 'path', 'server_type'];
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Handle = (request: NodeRequest) => Promise<NodeResponse>;

/**
 * Counts requests to the node and times their responses up to the body (upstream: HTTPRequests, HTTPInflightRequests,
 * HTTPRequestsDuration).
 */
export class HttpMetrics implements Collector {
  readonly #clock: Clock;
  readonly #requests = new Value({
    type: 'counter',
    name: 'kubelet_http_requests_total',
    help: 'Number of the http requests received since the server started',
    labels: LABELS,
  });
  readonly #inflight = new Value({
    type: 'gauge',
    name: 'kubelet_http_inflight_requests',
    help: 'Number of the inflight http requests',
    labels: LABELS,
  });
  readonly #seconds = new Histogram({
    name: 'kubelet_http_requests_duration_seconds',
    help: 'Duration in seconds to serve http requests',
    labels: LABELS,
    buckets: BUCKETS,
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The same handler, with metrics. */
  observed(handle: Handle): Handle {
    return async (request) => {
      const labels = labelsOf(request);
      const started = this.#clock.monotonic();
      this.#requests.add(1, labels);
      this.#inflight.add(1, labels);
      try {
        return await handle(request);
      } finally {
        this.#inflight.add(-1, labels);
        this.#seconds.observe((this.#clock.monotonic() - started) / 1000, labels);
      }
    };
  }

  collect(): readonly Family[] {
    return [this.#requests, this.#inflight, this.#seconds].flatMap((metric) => metric.collect());
  }
}

/** Only known values from clients become label values. */
function labelsOf({ method, path }: NodeRequest): readonly string[] {
  const first = firstSegment(path);
  const below = METRICS_PATHS.find((one) => path === `/metrics/${one}`);
  const bucket = below === undefined ? (PATHS.find((one) => one === first) ?? 'other') : `metrics/${below}`;
  const isLong = LONG_RUNNING.includes(bucket);
  return [String(isLong), METHODS.includes(method) ? method : 'other', bucket, 'readwrite'];
}
