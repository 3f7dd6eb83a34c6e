import type { MetricsPoint, NodeBatch } from './decode-batch.ts';

/** The last two points of a node and of its containers: a rate needs two. */
export interface NodePoints {
  readonly last: NodeBatch;
  /** Points before those of `last`, of containers that have not begun again since. */
  readonly previous: NodeBatch;
}

/** Use over the window between two points. */
export interface Usage {
  /** Nanocores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
  /** When it was measured, milliseconds since 1970. */
  readonly timestamp: number;
  /** Milliseconds. */
  readonly window: number;
}

/** The least age of a container, in milliseconds, from which its use since its start is told: upstream's. */
const FRESH = 10_000;

/** The points after one more scrape. A container younger than `resolution` milliseconds is measured from its start. */
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

/** The later of two known points that is before the next, and of the same start. */
function earlier(
  last: MetricsPoint | undefined,
  previous: MetricsPoint | undefined,
  next: MetricsPoint | undefined,
): MetricsPoint | undefined {
  return [last, previous].find(
    (one) => next !== undefined && one !== undefined && one.at < next.at && one.startTime === next.startTime,
  );
}

/** The point of a young container's start, where it had used nothing. */
function started(point: MetricsPoint, resolution: number): MetricsPoint | undefined {
  const { startTime, timestamp, at } = point;
  if (startTime === undefined) return undefined;
  const age = timestamp - startTime;
  return age >= FRESH && age < resolution ? { ...point, timestamp: startTime, at: at - age, cpu: 0 } : undefined;
}

/** The use of the node; undefined without two points. */
export const nodeUsage = ({ last, previous }: NodePoints): Usage | undefined => usageBetween(previous.node, last.node);

/** The use of the containers of a pod, by name; undefined unless there are two points of each. */
export function podUsage({ last, previous }: NodePoints, pod: string): ReadonlyMap<string, Usage> | undefined {
  const points = last.pods.get(pod);
  if (points === undefined) return undefined;
  const before = previous.pods.get(pod);
  const all = [...points].map(([name, point]) => [name, usageBetween(before?.get(name), point)] as const);
  const told = all.flatMap(([name, usage]) => (usage === undefined ? [] : [[name, usage] as const]));
  return told.length === all.length ? new Map(told) : undefined;
}

/** Undefined where processor time went back: the node, or the container, began again. */
function usageBetween(before: MetricsPoint | undefined, last: MetricsPoint | undefined): Usage | undefined {
  if (before === undefined || last === undefined || last.cpu < before.cpu || last.at <= before.at) return undefined;
  const window = last.at - before.at;
  const cpu = Math.trunc(((last.cpu - before.cpu) / window) * 1000);
  return { cpu, memory: last.memory, timestamp: last.timestamp, window };
}
