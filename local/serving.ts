import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { systemClock } from '#adapters/clock.ts';
import { processMetrics } from '#adapters/process/process-metrics.ts';
import type { ApiserverOptions } from '#functions/apiserver/wiring.ts';
import type { ClusterTrust } from '#lib/controllers/bootstrap/objects.ts';
import { ownProxy } from '#lib/controllers/bootstrap/own-proxy.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import { ISSUER, type ServiceAccountKeys } from '#lib/server/authentication/service-account/identity.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import { hostOf } from './advertise-address.ts';
import type { Identity } from './data-directory.ts';
import type { Foundation } from './foundation.ts';
import { namespacesCheck } from './namespaces-check.ts';
import type { StartOptions } from './start-options.ts';
import type { WebhookSource } from './webhooks.ts';

/** The share of memory that caches may use. It applies to the smaller of the machine's memory and the heap limit. */
const CACHE_SHARE = 0.4;

/** Upstream's --max-requests-inflight and --max-mutating-requests-inflight together. */
const CONCURRENCY = 600;

interface Served {
  readonly port: number;
  readonly backends: Backends;
  readonly webhooks: WebhookSource;
  readonly collectors: readonly Collector[];
  hasBegun(): boolean;
}

/** The options for the server behind the port. */
export function apiserverOptions(
  options: StartOptions,
  foundation: Foundation,
  { port, backends, webhooks: { invoker }, collectors, hasBegun }: Served,
): ApiserverOptions {
  const { identity, store, ending, report, transport, audit } = foundation;
  const { authorizers, authentication, admission, functions, flowControl = { concurrency: CONCURRENCY } } = options;
  return {
    store,
    clock: systemClock,
    exclusive: true,
    cacheBytes: Math.floor(Math.min(totalmem(), getHeapStatistics().heap_size_limit) * CACHE_SHARE),
    serverAddress: `${hostOf(options)}:${port}`,
    tokens: new Map([...(options.tokens ?? []), [identity.adminToken, { name: 'admin', groups: [SYSTEM_MASTERS] }]]),
    ...defined({ authorizers, authentication }),
    backends,
    aggregated: { roundTripper: backends.roundTripper, client: options.proxyClient ?? identity.frontProxy.client },
    legacyPsp: options.legacyPsp === true,
    ...defined({ admission, audit, requestLog: options.requestLog }),
    flowControl,
    https: transport,
    serviceAccounts: serviceAccountKeys(identity, options),
    healthChecks: [
      namespacesCheck(hasBegun),
      ...foundation.healthChecks,
      { name: 'shutdown', readiness: true, check: async () => ending.signal.throwIfAborted() },
      ...(options.healthChecks ?? []),
    ],
    collectors: [processMetrics, ...collectors, ...(options.collectors ?? [])],
    webhooks: { transport, invoker, ...defined({ functions }) },
    reportFault: report,
    reportWarning: (text) => options.reportWarning?.(text),
  };
}

/** The authorities that verify clients' certificates. */
export const clientAuthorities = ({ clientCa }: StartOptions, { authority, signer }: Identity): string =>
  [authority, signer.certificate, ...(clientCa === undefined ? [] : [clientCa])]
    .map((pem) => `${pem.trim()}\n`)
    .join('');

/**
 * The authorities that sign certificates of clients and proxies, as published to other servers. They include the authority of this server's
 * own proxy certificate, unless another certificate is configured.
 */
export function clusterTrust(options: StartOptions, identity: Identity): ClusterTrust {
  const clientAuthority = clientAuthorities(options, identity);
  const proxies = [
    givenProxies(options),
    options.proxyClient === undefined ? ownProxy(identity.frontProxy) : undefined,
  ];
  const [first, second] = proxies.filter((one) => one !== undefined);
  if (first === undefined) return { clientAuthority };
  return { clientAuthority, proxies: second === undefined ? first : bothProxies(first, second) };
}

type Proxies = NonNullable<ClusterTrust['proxies']>;

function givenProxies({ proxyCa: authority, authentication: { requestHeaders } = {} }: StartOptions) {
  return authority === undefined || requestHeaders === undefined ? undefined : { authority, ...requestHeaders };
}

/** An empty list of allowed names allows any name, so it stays empty. */
const bothProxies = (given: Proxies, own: Proxies): Proxies => ({
  ...given,
  authority: `${given.authority.trim()}\n${own.authority.trim()}\n`,
  allowedNames: given.allowedNames.length === 0 ? [] : [...given.allowedNames, ...own.allowedNames],
});

/** The server's certificate and its key. */
export const shownBy = ({ serving: given }: StartOptions, { server }: Identity): KeyPair => given ?? server;

/** The authority that verifies the server's certificate. */
export const verifiedBy = ({ serving: given }: StartOptions, { authority }: Identity): string =>
  given?.certificate ?? authority;

function serviceAccountKeys(identity: Identity, { serviceAccounts }: StartOptions): ServiceAccountKeys {
  const [signingKey = '', ...verificationKeys] = identity.serviceAccountKeys;
  return { issuers: [ISSUER], signingKey, verificationKeys, ...serviceAccounts };
}
