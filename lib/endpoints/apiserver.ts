import type { AdmissionChain } from '#lib/admission/admission.ts';
import type { Authenticator } from '#lib/authentication/authenticator.ts';
import type { OpenIdMetadata } from '#lib/authentication/openid-metadata.ts';
import type { TokenIssuer } from '#lib/authentication/token-issuer.ts';
import { ANONYMOUS } from '#lib/authentication/user.ts';
import type { Authorizer } from '#lib/authorization/authorizer.ts';
import type { RuleResolver } from '#lib/authorization/rule-resolver.ts';
import type { FlowControl } from '#lib/flowcontrol/flow-control.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector } from '#lib/metrics/family.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { BuiltInResources } from '#lib/registry/built-in.ts';
import type { CustomResources, Resources } from '#lib/registry/resources.ts';
import type { ApiRequest, ApiResponse } from './api.ts';
import type { AuditPorts } from './audit/audit-record.ts';
import { Latencies } from './audit/latencies.ts';
import { discoveredVersions } from './discovery/discovered.ts';
import type { DiscoveredVersion } from './discovery/resource-list.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { buildChain } from './filters/chain.ts';
import type { InFlightLimits } from './filters/max-in-flight.ts';
import type { WatchBounds } from './handlers/watch-bounds.ts';
import { indexRoutes } from './index-route.ts';
import { healthRoutes, type HealthCheck } from './health.ts';
import { legacyPspEndpoints, withLegacyPsp } from './legacy-psp.ts';
import { AccessMetrics } from './metrics/access-metrics.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import { metricsRoute } from './metrics/route.ts';
import { WatchMetrics } from './metrics/watch-metrics.ts';
import { nonResourceRoutes, type Route } from './non-resource.ts';
import { openIdRoutes } from './openid-metadata.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { NO_INFO } from './request-info.ts';
import { router } from './router.ts';
import { specialEndpoints } from './special.ts';
import { buildInfo, versionRoute } from './version.ts';

export interface ApiserverPorts {
  readonly clock: Clock;
  readonly cluster: string;
  readonly admission: AdmissionChain;
  readonly builtIn: BuiltInResources;
  readonly custom: CustomResources;
  readonly authenticator: Authenticator;
  /** The audiences of this server: what a token is reviewed for that names none. */
  readonly audiences?: readonly string[];
  /** Headers by which proxies tell who someone is; in lower case. */
  isIdentityHeader?(name: string): boolean;
  /** What service accounts' issuer publishes. */
  readonly openIdMetadata?: OpenIdMetadata;
  readonly authorizer: Authorizer;
  /** Makes tokens of service accounts; without one there are none. */
  readonly tokenIssuer?: TokenIssuer;
  /** Who waits for whom; without it nobody waits. */
  readonly flowControl?: FlowControl;
  /** How many requests may be under way, where nobody waits. */
  readonly inFlightLimits?: InFlightLimits;
  /** Lists what someone may do. */
  readonly ruleResolver: RuleResolver;
  readonly serverAddress: string;
  /** Pod security policies are listed, and refused with what is in their place. */
  readonly legacyPsp?: boolean;
  /** What the front door grants to watches. Default as much as they ask for. */
  readonly watches?: WatchBounds;
  readonly healthChecks: readonly HealthCheck[];
  /** What /metrics tells beside the requests. */
  readonly collectors: readonly Collector[];
  /** What else is served at paths that are no resources. */
  readonly routes?: readonly Route[];
  /** What is written of requests, and where to; absent, nothing is. */
  readonly audit?: AuditPorts;
  reportFault(auditId: string, error: unknown): void;
}

/** The core: a request in, an answer out, whatever the front door. */
export function apiserver(ports: ApiserverPorts): (request: ApiRequest) => Promise<ApiResponse> {
  const { clock, cluster, admission, builtIn, custom } = ports;
  const resources: Resources = { find: async (gvr) => builtIn.find(gvr) ?? custom.find(gvr) };
  const metrics = new RequestMetrics();
  const access = new AccessMetrics();
  const watchMetrics = new WatchMetrics();
  const versions = async (): Promise<readonly DiscoveredVersion[]> => {
    const served = await discoveredVersions(custom);
    return ports.legacyPsp === true ? withLegacyPsp(served) : served;
  };
  const routes = [
    ...healthRoutes(ports.healthChecks),
    versionRoute,
    ...openIdRoutes(ports.openIdMetadata),
    metricsRoute([metrics, access, watchMetrics, buildInfo, ...ports.collectors]),
    ...discoveryRoutes({ versions, serverAddress: ports.serverAddress }),
    ...openApiRoutes(custom),
    ...(ports.routes ?? []),
  ];
  const nonResource = nonResourceRoutes([...routes, ...indexRoutes(routes, versions)]);
  const special = { ...specialEndpoints(ports), ...(ports.legacyPsp === true ? legacyPspEndpoints : {}) };
  const watches = ports.watches ?? {};
  const route = router({ resources, admission, clock, cluster, nonResource, special, watches, watchMetrics });
  const chain = buildChain(route, { ...ports, metrics, access });
  return (request) =>
    chain(request, {
      auditId: request.headers['audit-id'] || newUid(),
      now: new Date(clock.now()),
      warnings: new Set(),
      annotations: new Map(),
      info: NO_INFO,
      user: ANONYMOUS,
      latencies: ports.audit === undefined ? undefined : new Latencies(),
    });
}
