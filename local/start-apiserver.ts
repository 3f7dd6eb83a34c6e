import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { systemClock } from '#adapters/clock.ts';
import { processMetrics } from '#adapters/process/process-metrics.ts';
import { HttpServer } from '#adapters/http/server.ts';
import { givingWay } from '#adapters/http/stretch.ts';
import { buildApiserver, type Apiserver, type ApiserverOptions } from '#functions/apiserver/wiring.ts';
import { ControllerTokens } from '#functions/reconcilers/wiring.ts';
import { ISSUER, type ServiceAccountKeys } from '#lib/authentication/service-account/identity.ts';
import { SYSTEM_MASTERS } from '#lib/authentication/user.ts';
import type { Backends } from '#lib/channel/backends.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { restMapper } from '#lib/client/rest-mapper.ts';
import { typedClient, type TypedClient } from '#lib/client/typed-client.ts';
import { AttemptMetrics } from '#lib/controller/attempt-metrics.ts';
import type { Logger } from '#lib/controller/logger.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import { QueueMetrics } from '#lib/controller/queue-metrics.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { Collector } from '#lib/metrics/family.ts';
import { InvocationLog } from '#lib/invocation/invocation-log.ts';
import { invocationRoutes } from '#lib/invocation/routes.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import type { TransformerOf } from '#lib/storage/encryption/encrypted-store.ts';
import { withReviews } from '#lib/webhook-sdk/reviews.ts';
import { advertisedAddress, hostOf, urlHere } from './advertise-address.ts';
import { localBackends } from './backends.ts';
import { lockDirectory, type Identity } from './data-directory.ts';
import { lay, type Foundation } from './foundation.ts';
import { RETENTION } from './open-store.ts';
import { kubeconfig } from './kubeconfig.ts';
import { namespacesCheck } from './namespaces-check.ts';
import { fileFault, listenFault } from './start-fault.ts';
import type { StartOptions } from './start-options.ts';
import { simulationOf } from './simulation.ts';
import { checkpointing } from './checkpointing.ts';
import { RunningControllers } from './controllers.ts';
import { functionStates } from './function-states.ts';
import { LocalFunctions } from './functions/local-functions.ts';
import { RunningScheduler } from './running-scheduler.ts';
import { functionHost } from './functions/function-host.ts';
import { both, inProcess, reviewersOf, type WebhookSource } from './webhooks.ts';

/** A running server. `await using` ends it. */
export interface RunningApiserver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** A kubeconfig of the administrator, as YAML. */
  readonly kubeconfig: string;
  readonly adminToken: string;
  /** Acts as the administrator, without the wire. */
  readonly client: TypedClient;
  readonly certificateAuthority: string;
  /** Signs the certificates of nodes, and the one that kubelets are shown by default. PEM. */
  readonly clientAuthority: string;
  /** As Apiserver's. */
  reconfigure: Apiserver['reconfigure'];
  /** Stores, and reads, by other transformers from now on. */
  encryptBy(transformerOf: TransformerOf): void;
  close(): Promise<void>;
}

/** Of the memory that the machine has and the heap may take, what caches may hold. */
const CACHE_SHARE = 0.4;

/** Upstream's --max-requests-inflight and --max-mutating-requests-inflight together. */
const CONCURRENCY = 600;

/** Starts the whole control plane in this process. */
export async function startApiserver(options: StartOptions = {}): Promise<RunningApiserver> {
  const { dataDirectory } = options;
  const unlock = dataDirectory === undefined ? async () => {} : await lockDirectory(dataDirectory);
  try {
    return await start(options, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function start(given: StartOptions, unlock: () => Promise<void>): Promise<RunningApiserver> {
  const simulation = await simulationOf(given, systemClock);
  const functions = await openFunctions(given);
  const own = inProcess(given.webhooks ?? [], given.log ?? SILENT);
  const webhooks = functions === undefined ? own : both(own, functions);
  const options = withReviews(given, reviewersOf(webhooks.declarations()));
  const foundation = await lay(options);
  const { identity, store, ending, report } = foundation;
  let server: Apiserver | undefined; // behind the port that it names to clients
  const http = await listen(options, foundation, (request) => (server as Apiserver).handle(request));
  const tokens = new ControllerTokens();
  const invocations = new InvocationLog();
  const queueMetrics = new QueueMetrics(systemClock);
  const attempts = new AttemptMetrics(systemClock);
  const scheduler = schedulerOf(options, report);
  let controllers: RunningControllers | undefined;
  let hasBegun = false;
  const serves = {
    ...serving(options, foundation, {
      backends: await localBackends(
        options.kubelet,
        { signer: identity.signer, serving: shownBy(options, identity).certificate },
        systemClock,
      ),
      port: http.port,
      webhooks,
      collectors: [queueMetrics, attempts, ...(scheduler === undefined ? [] : [scheduler])],
      hasBegun: () => hasBegun,
    }),
    routes: invocationRoutes(invocations, {
      running: () => controllers,
      functions: () => functionStates({ controllers, webhooks, functions }),
    }),
    invocations,
  };
  const acting = scheduler === undefined ? [] : [[scheduler.token, SCHEDULER_USER] as const];
  const nodes = simulation?.users ?? [];
  const users = new Map([...serves.tokens, ...tokens.users(), ...acting, ...nodes]);
  const built = buildApiserver({ ...serves, tokens: users });
  server = { ...built, handle: givingWay(built.handle) };
  const checkpoints = checkpointing(server, store, {
    clock: systemClock,
    reportFault: report,
    retention: RETENTION,
    signal: ending.signal,
  });
  await scheduler?.start(server);
  const told = scheduler && ((change: ObjectChange): void => scheduler.tell(change));
  const parts = {
    port: http.port,
    webhooks,
    tokens,
    invocations,
    queueMetrics,
    attempts,
    ...(told === undefined ? {} : { told }),
    ...(simulation === undefined ? {} : { besides: simulation.reconcilers(server) }),
  };
  controllers = await startControllers(server, options, foundation, parts);
  hasBegun = true;
  if (controllers !== undefined) functions?.serve(functionHost(server, controllers, options.log ?? SILENT));
  const close = async (): Promise<void> => {
    ending.abort();
    await controllers?.close();
    await scheduler?.close();
    await functions?.close();
    await http.close();
    await checkpoints;
    await server?.close();
    await foundation.close();
    await unlock();
  };
  const { reconfigure, forget } = server;
  const encryptBy = (transformerOf: TransformerOf): void => {
    store.transformBy(transformerOf);
    forget();
  };
  const acts = { client: administrator(server, identity), reconfigure, encryptBy, close };
  return { ...described(options, identity, http.port), ...acts, [Symbol.asyncDispose]: close };
}

interface ControllerParts {
  readonly port: number;
  readonly webhooks: WebhookSource;
  readonly tokens: ControllerTokens;
  readonly invocations: InvocationLog;
  readonly queueMetrics: QueueMetrics;
  readonly besides?: readonly Reconciler[];
  readonly attempts: AttemptMetrics;
  told?(change: ObjectChange): void;
}

/** Changes come to it as they come to controllers: without those there is none. */
function schedulerOf(
  { controllers, scheduler }: StartOptions,
  reportFault: Foundation['report'],
): RunningScheduler | undefined {
  if (controllers === false || scheduler === false) return undefined;
  return new RunningScheduler({ clock: systemClock, configuration: scheduler, reportFault });
}

async function startControllers(
  server: Apiserver,
  options: StartOptions,
  { identity, store, report }: Foundation,
  { port, invocations, ...parts }: ControllerParts,
): Promise<RunningControllers | undefined> {
  const { controllers = ['*'], reconcilers = [], log = SILENT, nodeRanges } = options;
  if (controllers === false) return undefined;
  return RunningControllers.start(server, {
    ...parts,
    clock: systemClock,
    reportFault: report,
    controllers,
    reconcilers,
    log,
    invocations: [invocations],
    authority: verifiedBy(options, identity),
    signer: identity.signer,
    clientAuthority: clientAuthorities(options, identity),
    ...(nodeRanges === undefined ? {} : { nodeRanges }),
    address: { host: advertisedAddress(options), port },
    sequences: await store.names(),
  });
}

function administrator({ handle }: Apiserver, { adminToken: token }: Identity): TypedClient {
  const client = apiClient({ handle, token, userAgent: 'davit' });
  const signal = new AbortController().signal;
  return typedClient({ client, mapper: restMapper(client), fieldManager: 'davit', signal });
}

async function openFunctions({
  functionsFolder: folder,
  functionLimits: limits = {},
  log = SILENT,
}: StartOptions): Promise<LocalFunctions | undefined> {
  if (folder === undefined) return undefined;
  return LocalFunctions.open({ folder, limits, log }).catch((error: unknown) => {
    throw fileFault(folder, error);
  });
}

const SILENT: Logger = { info() {}, error() {} };

async function listen(
  options: StartOptions,
  { identity, store, report }: Foundation,
  handle: Apiserver['handle'],
): Promise<HttpServer> {
  const { port = 0, proxyCa } = options;
  return HttpServer.listen({
    host: hostOf(options),
    port,
    tls: {
      ...shownBy(options, identity),
      clientCa: clientAuthorities(options, identity),
      ...(proxyCa === undefined ? {} : { proxyCa }),
    },
    gzip: true,
    handle,
    onFault: (error) => report('', error),
  }).catch(async (error: unknown) => {
    await store.close();
    throw listenFault(`${hostOf(options)}:${port}`, error);
  });
}

interface Served {
  readonly port: number;
  readonly backends: Backends;
  readonly webhooks: WebhookSource;
  readonly collectors: readonly Collector[];
  hasBegun(): boolean;
}

function serving(
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
    ...(authorizers === undefined ? {} : { authorizers }),
    ...(authentication === undefined ? {} : { authentication }),
    backends,
    legacyPsp: options.legacyPsp === true,
    ...(admission === undefined ? {} : { admission }),
    ...(audit === undefined ? {} : { audit }),
    ...(options.requestLog === undefined ? {} : { requestLog: options.requestLog }),
    flowControl,
    https: transport,
    serviceAccounts: serviceAccountKeys(identity, options),
    healthChecks: [
      namespacesCheck(hasBegun),
      ...foundation.healthChecks,
      { name: 'shutdown', readiness: true, check: async () => ending.signal.throwIfAborted() },
    ],
    collectors: [processMetrics, ...collectors, ...(options.collectors ?? [])],
    webhooks: { transport, invoker, ...(functions === undefined ? {} : { functions }) },
    reportFault: report,
    reportWarning: (text) => options.reportWarning?.(text),
  };
}

/** What the server verifies clients' certificates by. */
const clientAuthorities = ({ clientCa }: StartOptions, { authority, signer }: Identity): string =>
  [authority, signer.certificate, ...(clientCa === undefined ? [] : [clientCa])]
    .map((pem) => `${pem.trim()}\n`)
    .join('');

/** The certificate that the server shows, and its key. */
const shownBy = ({ serving }: StartOptions, { server }: Identity): KeyPair => serving ?? server;

/** What clients verify the server's certificate by. */
const verifiedBy = ({ serving: given }: StartOptions, { authority }: Identity): string =>
  given?.certificate ?? authority;

function described(options: StartOptions, identity: Identity, port: number) {
  const { admin, adminToken } = identity;
  const authority = verifiedBy(options, identity);
  const url = urlHere(options, port);
  return {
    url,
    port,
    kubeconfig: kubeconfig({ server: url, authority, client: admin }),
    adminToken,
    certificateAuthority: authority,
    clientAuthority: identity.signer.certificate,
  };
}

function serviceAccountKeys(identity: Identity, { serviceAccounts }: StartOptions): ServiceAccountKeys {
  const [signingKey = '', ...verificationKeys] = identity.serviceAccountKeys;
  return { issuers: [ISSUER], signingKey, verificationKeys, ...serviceAccounts };
}
