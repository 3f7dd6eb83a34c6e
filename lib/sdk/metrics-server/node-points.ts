import type { MetricsPoint, NodeBatch } from './decode-batch.ts';

/** The last two points of a node and of its containers, because a rate requires two. */
export interface NodePoints {
  readonly last: NodeBatch;
  /** The previous points, for containers that have not restarted since. */
  readonly previous: NodeBatch;
}

/** The usage in the window between two points. */
export interface Usage {
  /** The CPU usage in nanocores. */
  readonly cpu: number;
  /** The memory usage in bytes. */
  readonly memory: number;
  /** The time of the measurement in ms since 1970. */
  readonly timestamp: number;
  /** The window in ms. */
  readonly window: number;
}

/** Upstream's minimum age in ms of a container whose usage is measured from its start. */
const FRESH = 10_000;

/** The points after one more scrape. A container younger than `resolution` ms is measured from its start. */
export function withBatch(known: NodePoints | undefined, next: NodeBatch, resolution: number): NodePoints {
  const before = earlier(known?.last.node, known?.previous.node, next.node);
  const pods = new Map<string, ReadonlyMap<string, MetricsPoint>>();
  for (const [pod, points] of next.pods) {
    const lasts = known?.last.pods.get(pod);
    const previous = known?.previous.pods.get(pod);
    const found = [...points].flatMap(([name, point]) => {
      const one = earlier(lasts?.get(name), previous?.get(name), point) ?? started(point, resolution);
      return one === undefined ? [] : [[name, one] as const];
    });
    if (found.length > 0) pods.set(pod, new Map(found));
  }
  return { last: next, previous: { pods, ...(before === undefined ? {} : { node: before }) } };
}

/** Returns the first of `last` and `previous` that is older than `next` and has the same start time. */
function earlier(
  last: MetricsPoint | undefined,
  previous: MetricsPoint | undefined,
  next: MetricsPoint | undefined,
): MetricsPoint | undefined {
  return [last, previous].find(
    (one) => next !== undefined && one !== undefined && one.at < next.at && one.startTime === next.startTime,
  );
}

/** The point at a young container's start, with zero usage. */
function started(point: MetricsPoint, resolution: number): MetricsPoint | undefined {
  const { startTime, timestamp, at } = point;
  if (startTime === undefined) return undefined;
  const age = timestamp - startTime;
  return age >= FRESH && age < resolution ? { ...point, timestamp: startTime, at: at - age, cpu: 0 } : undefined;
}

/** The usage of the node. Undefined if there are fewer than two points. */
export const nodeUsage = ({ last, previous }: NodePoints): Usage | undefined => usageBetween(previous.node, last.node);

/** The usage of a pod's containers, by name. Undefined unless each has two points. */
export function podUsage({ last, previous }: NodePoints, pod: string): ReadonlyMap<string, Usage> | undefined {
  const points = last.pods.get(pod);
  if (points === undefined) return undefined;
  const before = previous.pods.get(pod);
  const all = [...points].map(([name, point]) => [name, usageBetween(before?.get(name), point)] as const);
  const told = all.flatMap(([name, usage]) => (usage === undefined ? [] : [[name, usage] as const]));
  return told.length === all.length ? new Map(told) : undefined;
}

/** Returns undefined if the CPU time decreased, because the node or container restarted. */
function usageBetween(before: MetricsPoint | undefined, last: MetricsPoint | undefined): Usage | undefined {
  if (before === undefined || last === undefined || last.cpu < before.cpu || last.at <= before.at) return undefined;
  const window = last.at - before.at;
  const cpu = Math.trunc(((last.cpu - before.cpu) / window) * 1000);
  return { cpu, memory: last.memory, timestamp: last.timestamp, window };
}
