import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import type { KubernetesObject, ObjectMeta } from '#lib/client/typed-client.ts';
import { durationText } from '#lib/machinery/duration.ts';
import { labelsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { addQuantities, parseQuantity, type Quantity, quantityText } from '#lib/machinery/resource/quantity.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { Usage } from './node-points.ts';

/** Quantities by resource: `cpu` in nanocores, `memory` in bytes. */
export interface ResourceUsage {
  readonly cpu: string;
  readonly memory: string;
}

interface Measured extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly timestamp: string | null;
  /** A duration: `15.024s`. */
  readonly window: string;
}

/** A `metrics.k8s.io/v1beta1` NodeMetrics. */
export interface NodeMetrics extends Measured {
  readonly usage: ResourceUsage;
}

/** A `metrics.k8s.io/v1beta1` PodMetrics. */
export interface PodMetrics extends Measured {
  readonly containers: readonly { readonly name: string; readonly usage: ResourceUsage }[];
}

/** The group version of metrics. */
export const METRICS_VERSION = { group: 'metrics.k8s.io', version: 'v1beta1' } as const;
const API_VERSION = `${METRICS_VERSION.group}/${METRICS_VERSION.version}`;

/** The metrics of a node. Like upstream, the creation time is the time of the response. */
export const nodeMetrics = (node: Node, usage: Usage, now: Date): NodeMetrics => ({
  apiVersion: API_VERSION,
  kind: 'NodeMetrics',
  metadata: { name: nameOf(node), ...described(node, now) },
  ...times(usage),
  usage: quantities(usage),
});

/** The metrics of a pod with at least one container. Their time is that of the earliest container measurement. */
export function podMetrics(pod: Pod, usages: ReadonlyMap<string, Usage>, now: Date): PodMetrics | undefined {
  const [earliest] = [...usages.values()].sort((a, b) => a.timestamp - b.timestamp);
  if (earliest === undefined) return undefined;
  return {
    apiVersion: API_VERSION,
    kind: 'PodMetrics',
    metadata: { name: nameOf(pod), namespace: namespaceOf(pod), ...described(pod, now) },
    ...times(earliest),
    containers: [...usages].map(([name, usage]) => ({ name, usage: quantities(usage) })),
  };
}

function described(object: Node | Pod, now: Date): Pick<ObjectMeta, 'labels' | 'creationTimestamp'> {
  const labels = labelsOf(object);
  const creationTimestamp = timeOf(now);
  return { creationTimestamp, ...(Object.keys(labels).length === 0 ? {} : { labels }) };
}

const times = ({ timestamp, window }: Usage) => ({
  timestamp: timeOf(timestamp),
  window: durationText(BigInt(Math.round(window * 1000)) * 1000n),
});

const quantities = ({ cpu, memory }: Usage): ResourceUsage => ({
  cpu: quantityText({ unscaled: BigInt(cpu), scale: -9, format: 'DecimalSI' }),
  memory: quantityText({ unscaled: BigInt(memory), scale: 0, format: 'BinarySI' }),
});

/** The sum of one resource over the containers of a pod. */
export function sumOf({ containers }: PodMetrics, resource: keyof ResourceUsage): string {
  const [first, ...rest] = containers.map(({ usage }) => parseQuantity(usage[resource]));
  const sum = rest.reduce<Quantity | undefined>((all, one) => all && addQuantities(all, one), first);
  return sum === undefined ? '0' : quantityText(sum);
}
