import { MAX_INT64 } from '#lib/machinery/integer-limits.ts';
import { type ParsedSample, parseText } from '#lib/machinery/metrics/parse-text.ts';

/** The resource usage of a node or container at one moment. */
export interface MetricsPoint {
  /** The container's start in ms since 1970. Absent for nodes, and if the node does not report it. */
  readonly startTime?: number;
  /** The time of the measurement in ms since 1970. */
  readonly timestamp: number;
  /** The same time in monotonic ms, from which windows are computed. */
  readonly at: number;
  /** The CPU time since the start, in nanoseconds of one core. */
  readonly cpu: number;
  /** The working set in bytes. */
  readonly memory: number;
}

/** The points of one scrape of a node. */
export interface NodeBatch {
  /** Absent unless the node reports both its CPU and memory. */
  readonly node?: MetricsPoint;
  /** The points by `namespace/name`, then by container. A pod is omitted if a container lacks CPU or memory. */
  readonly pods: ReadonlyMap<string, ReadonlyMap<string, MetricsPoint>>;
}

/** The time of a scrape, for samples without a timestamp. */
export type MeasuredAt = Pick<MetricsPoint, 'timestamp' | 'at'>;

/**
 * The maximum time in ms: an int64 of nanoseconds, like Go's times and durations. A time that Go cannot parse would invalidate the whole
 * list.
 */
const MAX_TIME = Math.floor(Number(MAX_INT64) / 1_000_000);

type Part = { -readonly [K in keyof MetricsPoint]?: MetricsPoint[K] };
type Field = 'cpu' | 'memory' | 'startTime';

const NODE: ReadonlyMap<string, Field> = new Map([
  ['node_cpu_usage_seconds_total', 'cpu'],
  ['node_memory_working_set_bytes', 'memory'],
]);
const CONTAINER: ReadonlyMap<string, Field> = new Map([
  ['container_cpu_usage_seconds_total', 'cpu'],
  ['container_memory_working_set_bytes', 'memory'],
  ['container_start_time_seconds', 'startTime'],
]);

/** Parses the response of `/metrics/resource` like metrics-server. Throws TextFormatError. */
export function decodeBatch(text: string, measured: MeasuredAt): NodeBatch {
  const node: Part = {};
  const pods = new Map<string, Map<string, Part>>();
  for (const sample of parseText(text)) {
    const ofNode = NODE.get(sample.name);
    if (ofNode !== undefined) add(node, ofNode, sample, measured);
    const ofContainer = CONTAINER.get(sample.name);
    if (ofContainer !== undefined) add(containerIn(pods, sample.labels), ofContainer, sample, measured);
  }
  const whole = pointOf(node);
  const complete = [...pods].flatMap(([pod, parts]) => {
    const points = pointsOf(parts);
    return points === undefined ? [] : [[pod, points] as const];
  });
  return { ...(whole === undefined ? {} : { node: whole }), pods: new Map(complete) };
}

function containerIn(pods: Map<string, Map<string, Part>>, labels: ReadonlyMap<string, string>): Part {
  const pod = podKey(labels.get('namespace') ?? '', labels.get('pod') ?? '');
  const containers = pods.get(pod) ?? new Map<string, Part>();
  pods.set(pod, containers);
  const name = labels.get('container') ?? '';
  const part = containers.get(name) ?? {};
  containers.set(name, part);
  return part;
}

/** The key of a pod in a batch. */
export const podKey = (namespace: string, name: string): string => `${namespace}/${name}`;

function add(part: Part, field: Field, { value, timestamp }: ParsedSample, measured: MeasuredAt): void {
  if (!Number.isFinite(value) || value < 0) return;
  if (timestamp !== undefined && (timestamp < 0 || timestamp > MAX_TIME)) return;
  if (field === 'startTime') {
    part.startTime = value * 1000;
    return;
  }
  const amount = Math.trunc(field === 'cpu' ? value * 1e9 : value);
  if (amount > MAX_INT64) return; // quantities are int64
  part[field] = amount;
  // Windows are computed from CPU measurements, so the times of CPU samples take precedence.
  if (field !== 'cpu' && part.at !== undefined) return;
  part.timestamp = timestamp ?? measured.timestamp;
  part.at = timestamp ?? measured.at;
}

/** Creates a point. Like upstream, omits a point if either value is zero, because it was not measured yet. */
function pointOf({ startTime, timestamp = 0, at = 0, cpu = 0, memory = 0 }: Part): MetricsPoint | undefined {
  if (cpu === 0 || memory === 0) return undefined;
  return { timestamp, at, cpu, memory, ...(startTime === undefined ? {} : { startTime }) };
}

function pointsOf(parts: ReadonlyMap<string, Part>): ReadonlyMap<string, MetricsPoint> | undefined {
  const points = new Map<string, MetricsPoint>();
  for (const [container, part] of parts) {
    const point = pointOf(part);
    if (point === undefined) return undefined;
    points.set(container, point);
  }
  return points;
}
