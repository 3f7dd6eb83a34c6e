import type { AvailabilityPorts } from '#lib/controllers/apiservice-status/reconcile.ts';
import { defined } from '#lib/machinery/defined.ts';
import { Late } from '#lib/machinery/late.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import { annotatedApis, type MakeApi } from '#lib/sdk/extension-apiserver/annotated-apis.ts';
import type { InvocationSink } from '#lib/sdk/invocation/invocation.ts';
import { aggregation } from '#lib/server/aggregation/aggregation.ts';
import { AvailabilityMetrics } from '#lib/server/aggregation/availability-metrics.ts';
import { discoveryCheck } from '#lib/server/aggregation/discovery-check.ts';
import type { FunctionApis } from '#lib/server/aggregation/function-apis.ts';
import type { AggregatedBackends } from '#lib/server/aggregation/location.ts';
import type { Issuer } from '#lib/server/authentication/oidc/validate.ts';
import type { TokenIssuer } from '#lib/server/authentication/token-issuer.ts';
import type { AuthorizerOptions } from '#lib/server/authorization/chain.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import type { NamedTls } from '#lib/server/channel/round-tripper.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { apiserver } from '#lib/server/endpoints/apiserver.ts';
import type { ApiserverPorts } from '#lib/server/endpoints/apiserver-ports.ts';
import type { AuditPorts } from '#lib/server/endpoints/audit/audit-ports.ts';
import type { RequestLog } from '#lib/server/endpoints/filters/request-line.ts';
import type { ListBounds } from '#lib/server/endpoints/handlers/list-bounds.ts';
import type { WatchBounds } from '#lib/server/endpoints/handlers/watch-bounds.ts';
import type { HealthCheck } from '#lib/server/endpoints/health.ts';
import { storedObjects } from '#lib/server/endpoints/metrics/stored-objects.ts';
import type { Route } from '#lib/server/endpoints/non-resource.ts';
import type { QuotaLedger } from '#lib/server/policy/resource-quota/ledger.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { endpointSlices } from '#lib/server/webhook/endpoint-slices.ts';
import type { ServiceResolver } from '#lib/server/webhook/service-resolver.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { RECENT } from '#lib/storage/lookup.ts';
import type { Storage, StorageOf } from '#lib/storage/storage.ts';
import { type AdmissionOptions, admission } from './admission.ts';
import { type AuthenticatorOptions, authenticators } from './authenticators.ts';
import { type AuthorizersOptions, authorizers } from './authorizers.ts';
import { type FlowControlOptions, flowControls } from './flow-control.ts';
import { loopbackTo } from './loopback.ts';
import { type ResourcesOptions, resources } from './resources.ts';
import { Storages, type StoragesOptions } from './storages.ts';
import { clientOf, type WebhookConnections } from './webhook-connections.ts';

/** The ports and settings of an API server. Each builder takes the ones that it needs. */
export interface ApiserverOptions
  extends StoragesOptions,
    AuthorizersOptions,
    ResourcesOptions,
    AdmissionOptions,
    AuthenticatorOptions,
    FlowControlOptions {
  /** Health checks in addition to those of the server and its storage. Default none. */
  readonly healthChecks?: readonly HealthCheck[];
  /** Metrics of /metrics in addition to those of requests and objects, for the process and controllers. Default none. */
  readonly collectors?: readonly Collector[];
  /** Serves PodSecurityPolicies as an empty list, and rejects writes with a message that names their replacement. Default: off. */
  readonly legacyPsp?: boolean;
  /** Limits on the duration of watches. Default none. */
  readonly watches?: WatchBounds;
  /** Limits on the size of lists. Default none. */
  readonly lists?: ListBounds;
  /** Audit policy and log. Default none. */
  readonly audit?: AuditPorts;
  /** The log of requests. Default none. */
  readonly requestLog?: RequestLog;
  /** Further handlers of non-resource paths. Default none. */
  readonly routes?: readonly Route[];
  /** Receives calls of webhooks. Default none. */
  readonly invocations?: InvocationSink;
  /** Connects to kubelets, pods and endpoints. Without it, such requests return 503. */
  readonly backends?: Backends;
  /** The transport to aggregated servers, and the initial client certificate. Without it, requests to aggregated servers return 503. */
  readonly aggregated?: Pick<AggregatedBackends, 'roundTripper'> & Pick<NamedTls, 'client'>;
  /** Group versions that functions serve. Default: those that annotations of APIServices name. */
  readonly functionApis?: FunctionApis;
  /** Creates group versions for the functions that APIServices name. Without it, the annotations have no effect. */
  readonly makeApi?: MakeApi;
  /** Calls webhooks. Without it, no webhook is called. */
  readonly webhooks?: WebhookConnections;
}

/** Settings that can change while the server runs. Missing settings stay unchanged. */
export interface Reconfiguration {
  /** The issuers whose ID tokens are accepted from now on. */
  readonly issuers?: readonly Issuer[];
  /** The authorizers to use from now on. */
  readonly authorizers?: readonly AuthorizerOptions[];
  /** The client certificate for aggregated servers from now on. */
  readonly proxyClient?: NonNullable<NamedTls['client']>;
}

/** A running API server. */
export interface Apiserver {
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Throws TypeError, without any change, if authorizers cannot be created. */
  reconfigure(to: Reconfiguration): void;
  /** Checks whether an aggregated server is available, and counts the results. Undefined without a transport to aggregated servers. */
  readonly availability: AvailabilityPorts | undefined;
  /** Finds the addresses of Services. */
  readonly services: ServiceResolver;
  /** Invalidates the caches, so that the next reads go to the store. */
  forget(): void;
  /** The bearer token of LOOPBACK, which only this process has. */
  readonly loopbackToken: string;
  /** Issues service account tokens. Undefined if the server has none. */
  readonly tokenIssuer: TokenIssuer | undefined;
  /** The usage of every namespace's quotas. */
  readonly quotaLedger: QuotaLedger;
  /** The cache of a stored resource's sequence. */
  readonly storageOf: StorageOf;
  /** Calls back for every open sequence, and for each sequence opened later. */
  onStorage(opened: (storage: Storage, name: string) => void): void;
  close(): Promise<void>;
}

/** Builds the API server over a store. Every front door and the local server share this composition. */
export function buildApiserver(options: ApiserverOptions): Apiserver {
  const handler = new Late<Apiserver['handle']>();
  const loopback = loopbackTo(handler); // first: other parts send requests to their own server
  const storages = new Storages(options); // all other parts read it
  const { of: storageOf } = storages;
  const services = servicesOf(options, storageOf); // webhooks resolve their Services with it
  const webhooks = webhooksOf(options, storageOf, services); // authorizers, conversions, admission and authenticators call them
  const authorization = authorizers(options, { storageOf, webhooks }); // resource guards and plugins call it
  const served = resources(options, { storageOf, webhooks, ...authorization }); // plugins look up kinds
  const admitted = admission(options, { storageOf, webhooks, ...authorization, ...served, client: loopback.client });
  const authentication = authenticators(options, { storageOf, webhooks, loopback });
  const flow = flowControls(options, storages);
  let { client } = options.aggregated ?? {};
  const aggregated = options.aggregated && { ...options.aggregated, resolver: services, client: () => client };
  const availability = new AvailabilityMetrics();
  const parts = { storages, authorization, served, admitted, authentication, flow, aggregated, availability };
  handler.give(apiserver(endpointPorts(options, parts))); // last: it needs all other parts
  return {
    handle: handler.take(),
    reconfigure({ issuers, authorizers: asked, proxyClient }) {
      client = proxyClient ?? client;
      if (issuers !== undefined) authentication.acceptIssuers(issuers);
      if (asked !== undefined) authorization.reconfigure(asked);
    },
    availability: aggregated && {
      check: discoveryCheck({ clock: options.clock, backends: aggregated }),
      metrics: availability,
      failures: new Map(),
    },
    services,
    loopbackToken: loopback.token,
    tokenIssuer: authentication.ports.tokenIssuer,
    quotaLedger: admitted.quotaLedger,
    storageOf,
    onStorage: (opened) => storages.onOpen(opened),
    forget: () => storages.forget(),
    close: () => storages.close(),
  };
}

/** Resolves Services to addresses, via the channels of nodes if this server carries them. */
const servicesOf = ({ backends }: ApiserverOptions, storageOf: StorageOf): ServiceResolver =>
  endpointSlices({
    cluster: DEFAULT_CLUSTER,
    storageOf,
    random: Math.random,
    hasChannel: (node) => backends?.channels?.find(node) !== undefined,
  });

/** The group versions that functions serve. Undefined if functions cannot serve any. */
const functionApisOf = (
  { functionApis, makeApi: make }: ApiserverOptions,
  storageOf: StorageOf,
): FunctionApis | undefined => functionApis ?? (make && annotatedApis({ cluster: DEFAULT_CLUSTER, storageOf, make }));

function webhooksOf(
  { webhooks, clock, invocations }: ApiserverOptions,
  storageOf: StorageOf,
  services: ServiceResolver,
) {
  return webhooks && clientOf(webhooks, { clock, storageOf, services, invocations });
}

interface Parts {
  readonly storages: Storages;
  readonly authorization: ReturnType<typeof authorizers>;
  readonly served: ReturnType<typeof resources>;
  readonly admitted: ReturnType<typeof admission>;
  readonly authentication: ReturnType<typeof authenticators>;
  readonly flow: ReturnType<typeof flowControls>;
  readonly aggregated: AggregatedBackends | undefined;
  readonly availability: AvailabilityMetrics;
}

/** Assembles the ports of the endpoints. */
function endpointPorts(options: ApiserverOptions, parts: Parts): ApiserverPorts {
  const { storages, authorization, served, admitted, authentication, flow, aggregated } = parts;
  return {
    ...flow.bounds,
    ...authentication.ports,
    ...givenParts(options),
    aggregation: aggregation({
      storageOf: storages.of,
      cluster: DEFAULT_CLUSTER,
      clock: options.clock,
      ...defined({
        backends: aggregated,
        functions: functionApisOf(options, storages.of),
        maxWatchSeconds: options.watches?.maxSeconds,
      }),
    }),
    clock: options.clock,
    cluster: DEFAULT_CLUSTER,
    admission: admitted.chain,
    builtIn: served.builtIn,
    custom: served.custom,
    authorizer: authorization.authorizer,
    ruleResolver: authorization.ruleResolver,
    serverAddress: options.serverAddress,
    legacyPsp: options.legacyPsp === true,
    healthChecks: [...ownChecks(storages.of), ...(options.healthChecks ?? [])],
    collectors: [
      storedObjects(() => storages.all(), DEFAULT_CLUSTER),
      ...[served, admitted, authorization, authentication, flow].flatMap(({ collectors }) => collectors),
      parts.availability,
      ...auditCollectors(options),
      ...(options.collectors ?? []),
    ],
    reportFault: options.reportFault,
  };
}

/** The ports that exist only if the options configure them. */
const givenParts = ({ backends, audit, requestLog, watches, lists, routes, identityRate }: ApiserverOptions) => ({
  ...defined({ backends, audit, requestLog, watches, lists, routes, identityRate }),
});

const auditCollectors = ({ audit }: ApiserverOptions): readonly Collector[] =>
  audit === undefined ? [] : [audit.metrics];

/**
 * The server's own health checks, with upstream's names: the check named etcd checks the storage. Like upstream's, it runs at most once per
 * second.
 */
function ownChecks(storageOf: StorageOf): readonly HealthCheck[] {
  const namespaces = storageOf({ group: '', resource: 'namespaces' });
  return [
    { name: 'ping', check: async () => {} },
    { name: 'etcd', check: async () => void (await namespaces.head(RECENT)) },
  ];
}
