import { totalmem } from 'node:os';
import { connectTable, dynamoClient } from '#adapters/aws/dynamodb/connect.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { tableRateLedger } from '#adapters/aws/dynamodb/rate-ledger.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { tableWatchSlots } from '#adapters/aws/dynamodb/watch-slots.ts';
import { clusterKey } from '#adapters/aws/kms/cluster-key.ts';
import { MAX_STREAMED } from '#adapters/aws/lambda/limits.ts';
import { systemClock } from '#adapters/clock.ts';
import { faultLine } from '#adapters/process/fault-line.ts';
import { logLine } from '#adapters/process/log-line.ts';
import { processMetrics } from '#adapters/process/process-metrics.ts';
import { collectCommits, noteCommit } from '#adapters/process/work.ts';
import { podConnections } from '#adapters/server/kubelet/pod-connections.ts';
import { HttpsTransport } from '#adapters/server/webhook/https-transport.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { bootstrapOnce } from '#lib/controllers/bootstrap/first-start.ts';
import { keptAuthority, SIGNER } from '#lib/controllers/certificates/kept-authority.ts';
import type { SharedSecret } from '#lib/controllers/certificates/kept-signer.ts';
import { defined } from '#lib/machinery/defined.ts';
import { madeOnce } from '#lib/machinery/made-once.ts';
import type { MakeApi } from '#lib/sdk/extension-apiserver/annotated-apis.ts';
import { invocationLines } from '#lib/sdk/invocation/line.ts';
import { withReviews } from '#lib/sdk/webhook-sdk/reviews.ts';
import type { LineWriter } from '#lib/server/audit/log.ts';
import { APISERVER_USER, type User } from '#lib/server/authentication/user.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import { ChannelDialer } from '#lib/server/channel/channel-dialer.ts';
import type { Channels } from '#lib/server/channel/channels.ts';
import type { RoundTripper } from '#lib/server/channel/round-tripper.ts';
import type { ListBounds } from '#lib/server/endpoints/handlers/list-bounds.ts';
import type { WatchBounds } from '#lib/server/endpoints/handlers/watch-bounds.ts';
import { GIT_VERSION } from '#lib/server/endpoints/version.ts';
import { IdentityRate } from '#lib/server/flowcontrol/identity-rate.ts';
import type { ServerOptions } from '#lib/server/options/server-options.ts';
import type { FunctionInvoker } from '#lib/server/webhook/functions.ts';
import type { DependentsIndex } from '#lib/storage/dependents.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import type { KeyManagement } from '#lib/storage/encryption/kms.ts';
import { secretsUnder } from '#lib/storage/encryption/secrets.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import type { AggregatedPorts } from './aggregated-backends.ts';
import type { AuditTo } from './audit.ts';
import { cacheBytes } from './cache-bytes.ts';
import type { Config, FrontDoor } from './config.ts';
import type { GatewayPorts } from './gateway.ts';
import { identities } from './identities.ts';
import { foundSharedSecret, serviceAccountKeys, sharedSecret } from './identity.ts';
import type { KubeletSettings } from './kubelet-config.ts';
import { lateGateway } from './late-gateway.ts';
import { reviewersIn } from './reviewers.ts';
import { shippedOptions } from './shipped-options.ts';
import { type Apiserver, type ApiserverOptions, buildApiserver } from './wiring.ts';

/** Logs that are written continuously. Their writes are not traced, because a log line for each would cost too much. */
const UNTRACED = /\/(?:leases|events)$/;

/** The number of requests that share a process, if it serves more than one at a time. */
const CONCURRENCY: Readonly<Record<FrontDoor, number | undefined>> = {
  'function-url': undefined,
  rest: undefined,
  'web-function': 128,
  container: 600,
};

/** Maximum number of concurrent requests to aggregated APIs. */
const API_CONNECTIONS = 1000;

/** The maximum response bytes that each front door forwards. */
const STREAMED: Readonly<Record<FrontDoor, ListBounds>> = {
  'function-url': { maxBytes: MAX_STREAMED },
  rest: { maxBytes: MAX_STREAMED },
  'web-function': {},
  container: {},
};

/** Starts the API server over a table that other processes write to as well. `address` is its `host:port`. */
export async function startPlatform(config: Config, address: string): Promise<Apiserver> {
  return (await openPlatform(config, address, new Map())).server;
}

interface Platform {
  readonly server: Apiserver;
  readonly store: SequenceStore;
  readonly index: DependentsIndex;
  /** A secret that is stored encrypted in the table. */
  readonly secret: SharedSecret;
  /** The channels of nodes, if this process reaches them. */
  readonly channels?: Channels;
}

/** The program's adapters. Tests replace those of the account. */
export interface Surroundings {
  readonly table: Table;
  /** Receives the lines of the audit log. */
  readonly audit: LineWriter;
  /** Creates a container's connections to nodes. Functions do not contain that code. */
  backends(kubelets: KubeletSettings | undefined, secret: SharedSecret): Backends;
}

/** Builds the server and its storage for callers in the same process. Only this process has `tokens`. */
export async function openPlatform(
  config: Config,
  address: string,
  tokens: ReadonlyMap<string, User>,
  given: Partial<Surroundings> = {},
): Promise<Platform> {
  const table = given.table ?? connectTable(dynamoClient({}), config.table);
  const kms = clusterKey(config.kmsKey, config.clusterId);
  const keys = serviceAccountKeys(table, { clock: systemClock, name: 'service-accounts', kms });
  const stored = dynamoStore(table, { clock: systemClock });
  const store = new EncryptedStore(stored, secretsUnder(kms, systemClock), (damage) => reportFault('', damage));
  const shipped = await shippedOptions(config.options);
  const secret: Platform['secret'] = (name, make) => sharedSecret(table, { clock: systemClock, name, kms }, make);
  const authority = () => signerCertificate(table, kms);
  const reached = backends(config, { table, secret }, given);
  const shared = options(config, { table, store, shipped, secret, channels: reached.backends?.channels });
  const server = buildApiserver({
    ...shared,
    ...(await audit(shipped, { writer: given.audit ?? STDOUT, transport: shared.webhooks.transport })),
    ...reached,
    tokens: new Map([...(shipped?.tokens ?? []), ...tokens]),
    serverAddress: address,
    serviceAccounts: { ...keys, ...shipped?.serviceAccounts },
    nodeAssertions: { cluster: config.clusterId, authority },
  });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'davit' });
  const { hostname, port } = new URL(`https://${address}`);
  await bootstrapOnce(client, { host: hostname, port: port === '' ? 443 : Number(port) }, GIT_VERSION);
  return { server, store: shared.store, index: stored, secret, ...defined({ channels: reached.backends?.channels }) };
}

/** The CA certificate that signs nodes' certificates. Undefined until a reconciler creates it. */
async function signerCertificate(table: Table, kms: KeyManagement | undefined): Promise<string | undefined> {
  const kept = await foundSharedSecret(table, { clock: systemClock, name: SIGNER, kms });
  return kept && keptAuthority(kept);
}

interface Parts {
  readonly table: Table;
  readonly store: SequenceStore;
  readonly shipped: ServerOptions | undefined;
  /** Calls webhooks in pods, if this server carries the channels. */
  readonly channels: Channels | undefined;
  readonly secret: SharedSecret;
}

function options(config: Config, { table, store, shipped, channels, secret }: Parts) {
  const connectPod = channels && podConnections(new ChannelDialer(channels), APISERVER_USER);
  const transport = new HttpsTransport(defined({ connectPod }));
  const concurrency = CONCURRENCY[config.frontDoor];
  const { reviewers, known } = reviewersIn(config.reviews);
  const own = {
    store,
    clock: systemClock,
    exclusive: false,
    cacheBytes: cacheBytes(totalmem()),
    https: transport,
    authentication: { ...shipped?.authentication, aws: identities(config, shipped?.authentication.aws?.map) },
    ...defined({ authorizers: shipped?.authorizers, admission: shipped?.admission, legacyPsp: shipped?.legacyPsp }),
    webhooks: { transport, invoker: functions, known },
    makeApi,
    aggregated: { roundTripper: lateRoundTripper(defined({ secret, channels })) },
    watches: watchBounds(config, table),
    lists: STREAMED[config.frontDoor],
    ...identityRate(config, table),
    collectors: [processMetrics],
    ...(concurrency === undefined ? {} : { flowControl: shipped?.flowControl ?? { concurrency } }),
    invocations: invocationLines(logLine),
    committed: (sequence, version) => UNTRACED.test(sequence) || noteCommit(sequence, version),
    requestLog: { every: false, write: logLine, collect: collectCommits },
    reportFault,
    reportWarning,
  } satisfies Omit<ApiserverOptions, 'serverAddress' | 'tokens'>;
  return withReviews(own, reviewers);
}

/** Invokes functions of the account. The code is loaded for the first call. */
const functions: FunctionInvoker = {
  async invoke(...asked) {
    return (await (invoker ??= loadInvoker())).invoke(...asked);
  },
};
let invoker: Promise<FunctionInvoker> | undefined;

async function loadInvoker(): Promise<FunctionInvoker> {
  const [{ LambdaClient }, { lambdaInvoker }] = await Promise.all([
    import('@aws-sdk/client-lambda'),
    import('#adapters/aws/lambda/function-invoker.ts'),
  ]);
  return lambdaInvoker(new LambdaClient({}));
}

/** The same for functions that serve group versions. */
const makeApi: MakeApi = async (...asked) => (await (apis ??= loadApis()))(...asked);
let apis: Promise<MakeApi> | undefined;

async function loadApis(): Promise<MakeApi> {
  const [{ LambdaClient }, { lambdaApiInvoker }, { annotatedApi }] = await Promise.all([
    import('@aws-sdk/client-lambda'),
    import('#adapters/aws/lambda/api-invoker.ts'),
    import('#lib/sdk/extension-apiserver/annotated-api.ts'),
  ]);
  // Each watch holds a connection, and webhooks must not wait for one. A retried write could be executed twice.
  const requestHandler = { httpsAgent: { maxSockets: API_CONNECTIONS } };
  return annotatedApi(lambdaApiInvoker(new LambdaClient({ maxAttempts: 1, requestHandler })));
}

/** The transport to aggregated servers. The first call loads its code and reads its certificate. */
function lateRoundTripper(ports: AggregatedPorts): RoundTripper {
  const opened = madeOnce(async () => (await import('./aggregated-backends.ts')).openAggregated(ports));
  return { send: async (request) => (await opened()).send(request) };
}

function watchBounds({ watchSeconds, idleSeconds, watchSlots }: Config, table: Table): WatchBounds {
  const shared = { cluster: DEFAULT_CLUSTER, clock: systemClock };
  return {
    ...defined({ maxSeconds: watchSeconds, idleSeconds }),
    ...(watchSlots === undefined ? {} : { slots: tableWatchSlots(table, { ...shared, count: watchSlots }) }),
  };
}

function identityRate({ requestsPerSecond }: Config, table: Table): Pick<ApiserverOptions, 'identityRate'> {
  if (requestsPerSecond === undefined) return {};
  const ledger = tableRateLedger(table, { cluster: DEFAULT_CLUSTER, clock: systemClock });
  return { identityRate: new IdentityRate({ clock: systemClock, ledger, requestsPerSecond, random: Math.random }) };
}

const STDOUT: LineWriter = { write: (line) => void process.stdout.write(line), close: () => {} };

async function audit(
  shipped: ServerOptions | undefined,
  to: Pick<AuditTo, 'writer' | 'transport'>,
): Promise<Pick<ApiserverOptions, 'audit'>> {
  if (shipped?.audit === undefined) return {};
  const { auditPorts } = await import('./audit.ts');
  return defined({ audit: auditPorts(shipped.audit, { ...to, clock: systemClock, reportFault }) });
}

function backends(
  { kubelets, gateway, frontDoor }: Config,
  { table, secret }: GatewayPorts,
  { backends: open }: Partial<Surroundings>,
): Pick<ApiserverOptions, 'backends'> {
  if (gateway !== undefined) return { backends: lateGateway(gateway, { table, secret }) };
  return frontDoor === 'container' && open !== undefined ? { backends: open(kubelets, secret) } : {};
}

/** Logs an error as one line of JSON. The client's audit id finds the details that the response omits. */
export const reportFault = (auditId: string, error: unknown): void => logLine(faultLine(error, { auditId }));

/** Logs an unhandled error in the same form. */
export const reportUnhandled = (error: Error, origin: string): void => reportFault(origin, error);

const reportWarning = (message: string): void => logLine({ level: 'warning', message });
