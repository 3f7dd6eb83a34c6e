import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { DefinedAggregatedApi } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { metricsApi } from '#lib/sdk/metrics-server/metrics-api.ts';
import { scrapeNode } from '#lib/sdk/metrics-server/scrape-node.ts';
import { Scraper } from '#lib/sdk/metrics-server/scraper.ts';

/** The ports and settings of the metrics API. */
export interface MetricsServerOptions {
  /** Handles requests as a user that may list nodes and pods, and reach nodes via nodes/proxy. */
  readonly handle: Apiserver['handle'];
  readonly clock: Clock;
  /** How long a scrape of a node is reused, in ms. */
  readonly resolution: number;
  onFault(node: string, error: unknown): void;
}

/** An API server's `handle` with the server's own identity, which has the permissions that the metrics API needs. */
export const asItself =
  ({ handle, loopbackToken }: Pick<Apiserver, 'handle' | 'loopbackToken'>): Apiserver['handle'] =>
  (request) =>
    handle({ ...request, headers: { ...request.headers, authorization: `Bearer ${loopbackToken}` } });

/** The metrics API over an API server in this process, which reaches the nodes. */
export function metricsServer({ handle, clock, resolution, onFault }: MetricsServerOptions): DefinedAggregatedApi {
  const scrape = (node: string, signal: AbortSignal): Promise<string> => scrapeNode(handle, node, signal);
  const scraper = new Scraper({ clock, resolution, scrape, onFault });
  return metricsApi({ client: apiClient({ handle, userAgent: 'metrics-server' }), clock, scraper });
}
