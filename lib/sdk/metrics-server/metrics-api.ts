import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { type DefinedAggregatedApi, defineAggregatedApi } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { nodesResource } from './nodes.ts';
import { METRICS_VERSION } from './objects.ts';
import { podsResource } from './pods.ts';
import type { Scraper } from './scraper.ts';

/** The ports of the metrics API. */
export interface MetricsApiOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly scraper: Pick<Scraper, 'pointsOf'>;
}

/** Serves `metrics.k8s.io/v1beta1` from nodes that are scraped on request: upstream's metrics-server. */
export function metricsApi({ client, clock, scraper }: MetricsApiOptions): DefinedAggregatedApi {
  const ports = { client: clientset(client), clock, scraper };
  return defineAggregatedApi({
    name: 'metrics-server',
    ...METRICS_VERSION,
    groupPriorityMinimum: 100,
    versionPriority: 100,
    resources: [nodesResource(ports), podsResource(ports)],
  });
}
