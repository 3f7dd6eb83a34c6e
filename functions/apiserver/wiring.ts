import type { Admission } from '#lib/registry/admission.ts';
import { admissionChain } from '#lib/admission/chain.ts';
import { UNCONFIGURED, type AdmissionConfiguration } from '#lib/admission/configuration.ts';
import { AdmissionMetrics } from '#lib/admission/metrics.ts';
import type { PluginSelection } from '#lib/admission/plugin-names.ts';
import { paramGuards } from '#lib/admission/policy/param-rights.ts';
import { RuleMetrics } from '#lib/apiextensions/cel/rule-metrics.ts';
import { customResources } from '#lib/apiextensions/custom-resources.ts';
import type { Issuer } from '#lib/authentication/oidc/validate.ts';
import type { TokenIssuer } from '#lib/authentication/token-issuer.ts';
import { SYSTEM_MASTERS, type User } from '#lib/authentication/user.ts';
import { reconfigurableAuthorization, type AuthorizerOptions } from '#lib/authorization/chain.ts';
import { AuthorizationMetrics } from '#lib/authorization/metrics.ts';
import { rbacGuards } from '#lib/authorization/rbac/escalation.ts';
import { policySource } from '#lib/authorization/rbac/policy-source.ts';
import type { Backends } from '#lib/channel/backends.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { ApiRequest, ApiResponse } from '#lib/endpoints/api.ts';
import type { AuditPorts } from '#lib/endpoints/audit/audit-ports.ts';
import type { Route } from '#lib/endpoints/non-resource.ts';
import { apiserver } from '#lib/endpoints/apiserver.ts';
import type { WatchBounds } from '#lib/endpoints/handlers/watch-bounds.ts';
import type { HealthCheck } from '#lib/endpoints/health.ts';
import type { InFlightLimits } from '#lib/endpoints/filters/filter.ts';
import type { RequestLog } from '#lib/endpoints/filters/request-line.ts';
import { storedObjects } from '#lib/endpoints/metrics/stored-objects.ts';
import { configurationSource } from '#lib/flowcontrol/configuration-source.ts';
import { FlowControl } from '#lib/flowcontrol/flow-control.ts';
import { StoredStatsSampler } from '#lib/flowcontrol/request/stored-stats.ts';
import type { Collector } from '#lib/metrics/family.ts';
import type { InvocationSink } from '#lib/invocation/invocation.ts';
import { newUid } from '#lib/machinery/random.ts';
import { QuotaLedger } from '#lib/policy/resource-quota/ledger.ts';
import { apiextensionsStrategies } from '#lib/apiextensions/strategy.ts';
import { builtInResources } from '#lib/registry/built-in.ts';
import { equivalentResources, resourceOfKind } from '#lib/registry/equivalents.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { Storage, StorageOf } from '#lib/storage/storage.ts';
import { authenticators, type AuthenticatorOptions } from './authenticators.ts';
import { Storages, type StoragesOptions } from './storages.ts';
import { clientOf, type WebhookOutlets } from './webhook-outlets.ts';

/** The user that this program's own controllers act as: upstream's loopback client. */
export const LOOPBACK: User = { name: 'system:apiserver', groups: [SYSTEM_MASTERS] };

export interface ApiserverOptions extends AuthenticatorOptions, StoragesOptions {
  /** Bearer tokens and whom they stand for. */
  readonly tokens: ReadonlyMap<string, User>;
  /** Who is asked what users may do, in this order. Default Node, RBAC. */
  readonly authorizers?: readonly AuthorizerOptions[];
  /** What must hold beside this server and its storage. Default nothing. */
  readonly healthChecks?: readonly HealthCheck[];
  /** What /metrics tells beside requests and objects: of the process, of controllers. Default nothing. */
  readonly collectors?: readonly Collector[];
  /** Whether pod security policies are listed, and refused with what is in their place. Default not. */
  readonly legacyPsp?: boolean;
  /**
   * How many requests are served at once: shared out by priority and fairness, or bounded for all alike. Default no bound, which
   * is right where a process serves one request at a time.
   */
  readonly flowControl?: { readonly concurrency: number } | { readonly inFlightLimits: InFlightLimits };
  /** What the front door grants to watches. Default as much as they ask for. */
  readonly watches?: WatchBounds;
  /** Which admission plugins run, and how. Default upstream's. */
  readonly admission?: { readonly plugins: PluginSelection; readonly configuration: AdmissionConfiguration };
  /** What is written of requests, and where to. Default nothing. */
  readonly audit?: AuditPorts;
  /** Where requests are logged, and which. Default none. */
  readonly requestLog?: RequestLog;
  /** What else is served at paths that are no resources. Default nothing. */
  readonly routes?: readonly Route[];
  /** Who is told of calls to webhooks. Default nobody. */
  readonly invocations?: InvocationSink;
  /** How kubelets, pods and endpoints are reached; without it they are not (503). */
  readonly backends?: Backends;
  /** How webhooks are reached; without it none is called. */
  readonly webhooks?: WebhookOutlets;
  /** Tells an operator what is no fault, but may surprise. Default nobody. */
  reportWarning?(text: string): void;
}

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };

/** What may change while the server runs; what is absent stays. */
export interface Reconfiguration {
  /** Whose ID tokens are accepted from now on. */
  readonly issuers?: readonly Issuer[];
  /** Who is asked what users may do from now on. */
  readonly authorizers?: readonly AuthorizerOptions[];
}

export interface Apiserver {
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Throws TypeError, and changes nothing, where authorizers cannot be made. */
  reconfigure(to: Reconfiguration): void;
  /** What is read next is read from the store. */
  forget(): void;
  /** The bearer token of LOOPBACK, known to this process alone. */
  readonly loopbackToken: string;
  /** Makes the tokens of service accounts, where there are any. */
  readonly tokenIssuer: TokenIssuer | undefined;
  /** What is used of every namespace's quotas. */
  readonly quotaLedger: QuotaLedger;
  /** The cache of a stored resource's sequence. */
  readonly storageOf: StorageOf;
  /** Calls back for every sequence that is open, and for each that is opened later. */
  onStorage(opened: (storage: Storage, name: string) => void): void;
  close(): Promise<void>;
}

/** The API server over a store: the composition that every front door and the local server share. */
export function buildApiserver(options: ApiserverOptions): Apiserver {
  const storages = new Storages(options);
  const storageOf = storages.of;
  const policies = policySource(storageOf, DEFAULT_CLUSTER);
  const { clock, invocations } = options;
  const webhooks = options.webhooks && clientOf(options.webhooks, { clock, storageOf, invocations });
  const authorizationMetrics = new AuthorizationMetrics(clock);
  const judge = reconfigurableAuthorization(
    {
      storageOf,
      cluster: DEFAULT_CLUSTER,
      clock,
      policies,
      metrics: authorizationMetrics,
      ...(webhooks === undefined ? {} : { webhooks }),
    },
    options.authorizers,
  );
  const { authorizer, ruleResolver } = judge;
  const guards = {
    ...rbacGuards({ authorizer, policies }),
    ...paramGuards({ authorizer, cluster: DEFAULT_CLUSTER, resourceOfKind: (kind) => ofKind(kind) }),
  };
  const builtIn = builtInResources(storageOf, { guards, strategies: apiextensionsStrategies });
  const ruleMetrics = new RuleMetrics(clock);
  const custom = customResources({
    ruleMetrics,
    storageOf,
    cluster: DEFAULT_CLUSTER,
    warn: (text) => options.reportWarning?.(text),
    ...(webhooks === undefined ? {} : { webhooks }),
  });
  const ofKind = resourceOfKind(builtIn, custom);
  const loopbackToken = newUid();
  const loopback = (): Client => apiClient({ handle, token: loopbackToken, userAgent: 'davit' });
  const quotaLedger = quotaLedgerOf(options);
  const admissionMetrics = new AdmissionMetrics(clock);
  const admission: Admission = admissionChain({
    metrics: admissionMetrics,
    quotaLedger,
    storageOf,
    cluster: DEFAULT_CLUSTER,
    clock,
    authorizer,
    equivalents: equivalentResources(builtIn, custom),
    resourceOfKind: ofKind,
    webhooks,
    plugins: options.admission?.plugins ?? { enable: [], disable: [] },
    configuration: options.admission?.configuration ?? UNCONFIGURED,
    makeNamespace: async (name) => void (await loopback().create(NAMESPACES, { metadata: { name } })),
  });
  const known = authenticators(options, {
    tokens: new Map([...options.tokens, [loopbackToken, LOOPBACK]]),
    storageOf,
    webhooks,
    loopback,
  });
  const flow = flowControlOf(options, storages);
  const handle = apiserver({
    ...flow,
    clock,
    cluster: DEFAULT_CLUSTER,
    admission,
    builtIn,
    custom,
    ...known,
    authorizer,
    ruleResolver,
    serverAddress: options.serverAddress,
    legacyPsp: options.legacyPsp === true,
    healthChecks: [...ownChecks(storageOf), ...(options.healthChecks ?? [])],
    collectors: [
      storedObjects(() => storages.all(), DEFAULT_CLUSTER),
      ruleMetrics,
      admissionMetrics,
      authorizationMetrics,
      ...known.collectors,
      ...(flow.flowControl === undefined ? [] : [flow.flowControl]),
      ...auditCollectors(options),
      ...(options.collectors ?? []),
    ],
    ...givenParts(options),
    reportFault: options.reportFault,
  });
  const reconfigure = ({ issuers, authorizers }: Reconfiguration): void => {
    if (issuers !== undefined) known.acceptIssuers(issuers);
    if (authorizers !== undefined) judge.reconfigure(authorizers);
  };
  return {
    handle,
    reconfigure,
    loopbackToken,
    tokenIssuer: known.tokenIssuer,
    quotaLedger,
    storageOf,
    onStorage: (opened) => storages.onOpen(opened),
    forget: () => storages.forget(),
    close: () => storages.close(),
  };
}

/** The parts that a server has only where its options give them. */
const givenParts = ({ backends, audit, requestLog, watches, routes }: ApiserverOptions) => ({
  ...(backends === undefined ? {} : { backends }),
  ...(audit === undefined ? {} : { audit }),
  ...(requestLog === undefined ? {} : { requestLog }),
  ...(watches === undefined ? {} : { watches }),
  ...(routes === undefined ? {} : { routes }),
});

const auditCollectors = ({ audit }: ApiserverOptions): readonly Collector[] =>
  audit === undefined ? [] : [audit.metrics];

function quotaLedgerOf({ store, clock, exclusive }: ApiserverOptions): QuotaLedger {
  return new QuotaLedger({ cluster: DEFAULT_CLUSTER, clock, exclusive, sequence: (name) => store.sequence(name) });
}

function flowControlOf(
  { flowControl, clock }: ApiserverOptions,
  storages: Storages,
): { readonly flowControl?: FlowControl; readonly inFlightLimits?: InFlightLimits } {
  if (flowControl === undefined || 'inFlightLimits' in flowControl) return flowControl ?? {};
  const { stats } = new StoredStatsSampler({
    clock,
    cluster: DEFAULT_CLUSTER,
    opened: (stored) => storages.opened(stored),
  });
  const configuration = configurationSource(storages.of, DEFAULT_CLUSTER);
  return { flowControl: new FlowControl({ clock, concurrency: flowControl.concurrency, configuration, stats }) };
}

/** Upstream's names: whoever asks for a check of etcd means the storage. */
function ownChecks(storageOf: StorageOf): readonly HealthCheck[] {
  const namespaces = storageOf({ group: '', resource: 'namespaces' });
  return [
    { name: 'ping', check: async () => {} },
    { name: 'etcd', check: async () => void (await namespaces.head()) },
  ];
}
