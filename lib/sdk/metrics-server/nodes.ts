import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { notFound } from '#lib/machinery/errors.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import {
  type AggregatedResource,
  defineAggregatedResource,
} from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { nodeUsage } from './node-points.ts';
import { METRICS_VERSION, type NodeMetrics, nodeMetrics } from './objects.ts';
import type { Scraper } from './scraper.ts';
import { columnsOf, schemaOf, USAGE } from './table.ts';

/** The ports of a metrics resource. */
export interface MeasuredPorts {
  readonly client: Clientset;
  readonly clock: Clock;
  readonly scraper: Pick<Scraper, 'pointsOf'>;
}

/** NodeMetrics for each node that has been scraped twice. */
export function nodesResource(ports: MeasuredPorts): AggregatedResource {
  const { client } = ports;
  return defineAggregatedResource<NodeMetrics>({
    name: 'nodes',
    kind: 'NodeMetrics',
    namespaced: false,
    schema: schemaOf({ usage: USAGE }),
    hasAge: false,
    columns: columnsOf(({ usage }, resource) => usage[resource]),
    storage: {
      async get(name) {
        const node = await client.get({ resource: NODES, namespace: '', name }, { cached: true });
        if (node === undefined) throw notFound(NODES, name);
        const [metrics] = await measured(ports, [node]);
        if (metrics === undefined) throw notFound({ ...METRICS_VERSION, resource: 'nodemetrics' }, name);
        return metrics;
      },
      async list() {
        const nodes = await client.list(NODES, { cached: true });
        const sorted = nodes.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
        return { items: await measured(ports, sorted), resourceVersion: '' };
      },
    },
  });
}

async function measured({ clock, scraper }: MeasuredPorts, nodes: readonly Node[]): Promise<NodeMetrics[]> {
  const points = await scraper.pointsOf(nodes.map(nameOf), (_, held) => nodeUsage(held) === undefined);
  const now = new Date(clock.now());
  return nodes.flatMap((node) => {
    const held = points.get(nameOf(node));
    const usage = held && nodeUsage(held);
    return usage === undefined ? [] : [nodeMetrics(node, usage, now)];
  });
}
