import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { notFound } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import {
  type AggregatedResource,
  defineAggregatedResource,
} from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { podKey } from './decode-batch.ts';
import { type NodePoints, podUsage } from './node-points.ts';
import type { MeasuredPorts } from './nodes.ts';
import { METRICS_VERSION, type PodMetrics, podMetrics, sumOf } from './objects.ts';
import { columnsOf, schemaOf, USAGE } from './table.ts';

const CONTAINER: JsonObject = { type: 'object', properties: { name: { type: 'string' }, usage: USAGE } };

/** PodMetrics for each running pod with two samples of every container. */
export function podsResource(ports: MeasuredPorts): AggregatedResource {
  const { client } = ports;
  return defineAggregatedResource<PodMetrics>({
    name: 'pods',
    kind: 'PodMetrics',
    schema: schemaOf({ containers: { type: 'array', items: CONTAINER } }),
    hasAge: false,
    columns: columnsOf(sumOf),
    storage: {
      async get(name, { namespace }) {
        const pod = await client.get({ resource: PODS, namespace, name }, { cached: true });
        if (pod?.status.phase !== 'Running') throw notFound(PODS, name); // upstream returns only running pods
        const [metrics] = await measured(ports, [pod]);
        const missing = { ...METRICS_VERSION, resource: 'podmetrics' };
        if (metrics === undefined) throw notFound(missing, `${namespace}/${name}`);
        return metrics;
      },
      async list({ namespace }) {
        const pods = await client.list(PODS, { namespace, fieldSelector: 'status.phase=Running', cached: true });
        const sorted = pods.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
        return { items: await measured(ports, sorted), resourceVersion: '' };
      },
    },
  });
}

const keyOf = (pod: Pod): string => podKey(namespaceOf(pod), nameOf(pod));

/** Scrapes only the nodes of the pods. A node's report counts only for its own pods. */
async function measured({ clock, scraper }: MeasuredPorts, pods: readonly Pod[]): Promise<PodMetrics[]> {
  const byNode = Map.groupBy(pods, nodeNameOf);
  byNode.delete('');
  const lacks = (node: string, held: NodePoints): boolean =>
    (byNode.get(node) ?? []).some((pod) => podUsage(held, keyOf(pod)) === undefined);
  const points = await scraper.pointsOf(byNode.keys(), lacks);
  const now = new Date(clock.now());
  return pods.flatMap((pod) => {
    const held = points.get(nodeNameOf(pod));
    const usage = held && podUsage(held, keyOf(pod));
    const metrics = usage && podMetrics(pod, usage, now);
    return metrics === undefined ? [] : [metrics];
  });
}
