import { defined } from '#lib/machinery/defined.ts';
import type { Resources } from '#lib/server/registry/resources.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { Latencies } from '#lib/server/request/latencies.ts';
import { newRequestContext } from '#lib/server/request/request-context.ts';
import type { ApiResponse } from './api.ts';
import type { ApiserverPorts } from './apiserver-ports.ts';
import { discoveredVersions } from './discovery/discovered.ts';
import type { DiscoveredVersion } from './discovery/resource-list.ts';
import { type DiscoverySource, discoveryRoutes } from './discovery/routes.ts';
import { buildChain } from './filters/chain.ts';
import { healthRoutes } from './health.ts';
import { indexRoutes } from './index-route.ts';
import { legacyPspEndpoints, withLegacyPsp } from './legacy-psp.ts';
import { AccessMetrics } from './metrics/access-metrics.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import { metricsRoute } from './metrics/route.ts';
import { WatchMetrics } from './metrics/watch-metrics.ts';
import { nonResourceRoutes } from './non-resource.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { openIdRoutes } from './openid-metadata.ts';
import { router } from './router.ts';
import { specialEndpoints } from './special.ts';
import { buildInfo, versionRoute } from './version.ts';

/** The API server: turns a request into a response, independent of the front door. */
export function apiserver(ports: ApiserverPorts): (request: ApiRequest) => Promise<ApiResponse> {
  const { clock, cluster, admission, builtIn, custom } = ports;
  const resources: Resources = { find: async (gvr) => builtIn.find(gvr) ?? custom.find(gvr) };
  const metrics = new RequestMetrics();
  const access = new AccessMetrics();
  const watchMetrics = new WatchMetrics();
  const own = async (): Promise<readonly DiscoveredVersion[]> => {
    const served = await discoveredVersions(custom);
    return ports.legacyPsp === true ? withLegacyPsp(served) : served;
  };
  const versions: DiscoverySource['versions'] = async (options) => {
    const served = await own();
    return ports.aggregation === undefined ? served : ports.aggregation.discovered(served, options);
  };
  const routes = [
    ...healthRoutes(ports.healthChecks),
    versionRoute,
    ...openIdRoutes(ports.openIdMetadata),
    metricsRoute([metrics, access, watchMetrics, buildInfo, ...ports.collectors]),
    ...discoveryRoutes({ own, versions, serverAddress: ports.serverAddress }),
    ...openApiRoutes(custom, ports.aggregation),
    ...(ports.routes ?? []),
  ];
  const nonResource = nonResourceRoutes([...routes, ...indexRoutes(routes, () => versions({ withResources: false }))]);
  const special = { ...specialEndpoints(ports), ...(ports.legacyPsp === true ? legacyPspEndpoints : {}) };
  const { watches = {}, lists = {} } = ports;
  const served = { resources, admission, clock, cluster, nonResource, special, watches, lists, watchMetrics };
  const route = router({ ...served, ...defined({ aggregation: ports.aggregation }) });
  const chain = buildChain(route, { ...ports, metrics, access });
  return (request) => {
    const latencies = ports.audit === undefined ? undefined : new Latencies();
    return chain(newRequestContext(request, { now: new Date(clock.now()), ...defined({ latencies }) }));
  };
}
