import type { Collector } from '#lib/machinery/metrics/family.ts';
import { expose, TEXT_FORMAT } from '#lib/machinery/metrics/text.ts';
import type { Route } from '../non-resource.ts';

/** Serves /metrics: the metrics of all collectors in Prometheus format. */
export function metricsRoute(collectors: readonly Collector[]): Route {
  return {
    path: '/metrics',
    method: 'any',
    handle: async () => ({
      status: 200,
      headers: { 'content-type': TEXT_FORMAT },
      body: await expose(collectors),
    }),
  };
}
