import { systemClock } from '#adapters/clock.ts';
import { HttpServer } from '#adapters/server/http/server.ts';
import { givingWay } from '#adapters/server/http/stretch.ts';
import { type Apiserver, buildApiserver } from '#functions/apiserver/wiring.ts';
import { asItself, metricsServer } from '#functions/metrics-server/wiring.ts';
import { ControllerTokens } from '#functions/reconcilers/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { AttemptMetrics } from '#lib/client/controller/attempt-metrics.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { QueueMetrics } from '#lib/client/controller/queue-metrics.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { restMapper } from '#lib/client/rest-mapper.ts';
import { type TypedClient, typedClient } from '#lib/client/typed-client.ts';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { Late } from '#lib/machinery/late.ts';
import { POSEIDON } from '#lib/poseidon/profile-name.ts';
import { switchedOff } from '#lib/poseidon/switched-off.ts';
import type { DefinedAggregatedApi } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { InvocationLog } from '#lib/sdk/invocation/invocation-log.ts';
import { invocationRoutes } from '#lib/sdk/invocation/routes.ts';
import { metricsReaderRole } from '#lib/sdk/metrics-server/reader-role.ts';
import { withReviews } from '#lib/sdk/webhook-sdk/reviews.ts';
import type { TransformerOf } from '#lib/storage/encryption/encrypted-store.ts';
import { advertisedAddress, hostOf, urlHere } from './advertise-address.ts';
import { type ApiSource, apisInProcess, bothApis, functionApisOf } from './aggregated-apis.ts';
import { localBackends } from './backends.ts';
import { checkpointing } from './checkpointing.ts';
import { RunningControllers } from './controllers.ts';
import { type Identity, lockDirectory } from './data-directory.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import { functionStates } from './function-states.ts';
import { functionHost } from './functions/function-host.ts';
import { LocalFunctions } from './functions/local-functions.ts';
import { LocalNotifications } from './node-notifications.ts';
import { RETENTION } from './open-store.ts';
import { RunningScheduler } from './running-scheduler.ts';
import { apiserverOptions, clientAuthorities, clusterTrust, shownBy, verifiedBy } from './serving.ts';
import { type Simulation, simulationOf } from './simulation.ts';
import { fileFault, listenFault } from './start-fault.ts';
import type { StartOptions } from './start-options.ts';
import { both, inProcess, reviewersOf, type WebhookSource } from './webhooks.ts';

/** A running server. `await using` ends it. */
export interface RunningApiserver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The administrator's kubeconfig as YAML. */
  readonly kubeconfig: string;
  readonly adminToken: string;
  /** Acts as the administrator without a network connection. */
  readonly client: TypedClient;
  readonly certificateAuthority: string;
  /** The PEM authority that signs nodes' certificates and, by default, the client certificate that this server presents to kubelets. */
  readonly clientAuthority: string;
  /** See `reconfigure` of Apiserver. */
  reconfigure: Apiserver['reconfigure'];
  /** From now on, encrypts and decrypts stored objects with other transformers. */
  encryptBy(transformerOf: TransformerOf): void;
  close(): Promise<void>;
}

/** Starts the whole control plane in this process. */
export async function startApiserver(options: StartOptions = {}): Promise<RunningApiserver> {
  const { dataDirectory } = options;
  const unlock = dataDirectory === undefined ? async () => {} : await lockDirectory(dataDirectory, 'serve');
  try {
    return await start(options, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function start(given: StartOptions, unlock: () => Promise<void>): Promise<RunningApiserver> {
  const simulation = await simulationOf(given, systemClock); // rejects an invalid simulation before anything is opened
  const made = Promise.withResolvers<Apiserver>(); // the server behind the port; clients may learn the port earlier
  const code = await userCode(given, made.promise); // the options include the user's review webhooks
  const options = withReviews(given, reviewersOf(code.webhooks.declarations()));
  const foundation = await openFoundation(options);
  const schedulers = await schedulersOf(options, foundation);
  const parts: Parts = {
    options,
    foundation,
    simulation,
    schedulers,
    rings: new LocalNotifications(foundation.channels, systemClock),
    ...code,
    ...observers(),
    tokens: new ControllerTokens(),
  };
  const controllers = new Late<RunningControllers | undefined>(); // routes list the controllers, which in turn call the server
  const http = await listen(options, foundation, async (request) => (await made.promise).handle(request));
  const server = await serverOf(parts, http.port, controllers);
  made.resolve(server);
  const checkpoints = checkpointsOf(server, foundation);
  for (const scheduler of schedulers) await scheduler.start(server);
  controllers.give(await startControllers(server, parts, http.port));
  serveFunctions(server, parts, controllers.take());
  const close = async (): Promise<void> => {
    foundation.ending.abort();
    await controllers.take()?.close();
    for (const scheduler of schedulers) await scheduler.close();
    await code.functions?.close();
    await http.close();
    await checkpoints;
    await server.close();
    await foundation.close();
    await unlock();
  };
  const { identity, store } = foundation;
  const { reconfigure, forget } = server;
  const encryptBy = (transformerOf: TransformerOf): void => {
    store.transformBy(transformerOf);
    forget();
  };
  const acts = { client: administrator(server, identity), reconfigure, encryptBy, close };
  return { ...described(options, identity, http.port), ...acts, [Symbol.asyncDispose]: close };
}

/** The parts of a server that exist before it listens. */
interface Parts extends UserCode, Observers {
  readonly options: StartOptions;
  readonly foundation: Foundation;
  readonly simulation: Simulation | undefined;
  readonly schedulers: readonly RunningScheduler[];
  readonly rings: LocalNotifications;
  /** Authenticates built-in reconcilers at the server. */
  readonly tokens: ControllerTokens;
}

/** The user's code that runs in this process. */
interface UserCode {
  readonly functions: LocalFunctions | undefined;
  readonly webhooks: WebhookSource;
  readonly apis: ApiSource;
}

async function userCode(given: StartOptions, server: Promise<Apiserver>): Promise<UserCode> {
  const functions = await openFunctions(given);
  const log = given.log ?? SILENT;
  const own = inProcess(given.webhooks ?? [], log);
  const ownApis = apisInProcess([...metricsApis(given, server), ...(given.aggregatedApis ?? [])], log);
  if (functions === undefined) return { functions, webhooks: own, apis: ownApis };
  return { functions, webhooks: both(own, functions), apis: bothApis(ownApis, functions.apis) };
}

/** The metrics API, if requested. It calls the server that serves it. */
function metricsApis({ metricsApi, log = SILENT }: StartOptions, server: Promise<Apiserver>): DefinedAggregatedApi[] {
  if (metricsApi === undefined) return [];
  const handle: Apiserver['handle'] = async (request) => asItself(await server)(request);
  const onFault = (node: string, error: unknown): void => log.info(`metrics of node ${node}: ${messageOfError(error)}`);
  return [metricsServer({ handle, clock: systemClock, ...metricsApi, onFault })];
}

/** Logs and metrics of running functions. */
interface Observers {
  readonly invocations: InvocationLog;
  readonly queueMetrics: QueueMetrics;
  readonly attempts: AttemptMetrics;
}

const observers = (): Observers => ({
  invocations: new InvocationLog(),
  queueMetrics: new QueueMetrics(systemClock),
  attempts: new AttemptMetrics(systemClock),
});

/** The API server behind the port. It yields to other work between its steps. */
async function serverOf(
  { options, foundation, simulation, schedulers, rings, webhooks, apis, functions, tokens, ...observed }: Parts,
  port: number,
  controllers: Late<RunningControllers | undefined>,
): Promise<Apiserver> {
  const { invocations, queueMetrics, attempts } = observed;
  const own = { signer: foundation.identity.signer, serving: shownBy(options, foundation.identity).certificate };
  const serves = apiserverOptions(options, foundation, {
    backends: await localBackends(options.kubelet, own, { clock: systemClock, channels: foundation.channels }),
    port,
    webhooks,
    collectors: [queueMetrics, attempts, rings, ...schedulers],
    hasBegun: () => controllers.isGiven,
  });
  const routes = invocationRoutes(invocations, {
    running: () => controllers.value,
    functions: () => functionStates({ controllers: controllers.value, webhooks, apis, functions }),
  });
  const acting = schedulers.map(({ token, user }) => [token, user] as const);
  const users = new Map([...serves.tokens, ...tokens.users(), ...acting, ...(simulation?.users ?? [])]);
  const built = buildApiserver({ ...serves, routes, invocations, tokens: users, functionApis: functionApisOf(apis) });
  return { ...built, handle: givingWay(built.handle) };
}

const checkpointsOf = (server: Apiserver, { store, report, ending }: Foundation): Promise<void> =>
  checkpointing(server, store, {
    clock: systemClock,
    reportFault: report,
    retention: RETENTION,
    signal: ending.signal,
  });

/** The schedulers receive changes from the controllers' feed, so without controllers no scheduler runs. */
async function schedulersOf(
  { controllers, scheduler, poseidon }: StartOptions,
  { channels, report: reportFault }: Foundation,
): Promise<RunningScheduler[]> {
  if (controllers === false) return [];
  const ports = { clock: systemClock, channels, reportFault };
  const own = scheduler === false ? [] : [new RunningScheduler({ ...ports, configuration: scheduler })];
  if (poseidon === undefined) return own;
  const { runningPoseidon } = await import('./poseidon.ts');
  return [...own, runningPoseidon(poseidon, ports)];
}

async function startControllers(
  server: Apiserver,
  { options, foundation, simulation, schedulers, rings, webhooks, apis, tokens, invocations, ...metrics }: Parts,
  port: number,
): Promise<RunningControllers | undefined> {
  const { controllers = ['*'], reconcilers = [], log = SILENT, nodeRanges, nodeMonitorGracePeriod } = options;
  if (controllers === false) return undefined;
  const { identity, store, report } = foundation;
  return RunningControllers.start(server, {
    webhooks,
    apis,
    tokens,
    queueMetrics: metrics.queueMetrics,
    attempts: metrics.attempts,
    told(change) {
      for (const scheduler of schedulers) scheduler.tell(change);
      rings.tell(change);
    },
    besides: [
      ...(simulation?.reconcilers(server) ?? []),
      ...metricsReaders(options, server),
      ...poseidonOff(options, server),
    ],
    clock: systemClock,
    reportFault: report,
    controllers,
    reconcilers,
    log,
    invocations: [invocations],
    authority: verifiedBy(options, identity),
    signer: identity.signer,
    trust: clusterTrust(options, identity),
    ...defined({ nodeRanges, nodeMonitorGracePeriod }),
    address: { host: advertisedAddress(options), port },
    sequences: await store.names(),
  });
}

function metricsReaders({ metricsApi }: StartOptions, { handle, loopbackToken: token }: Apiserver): Reconciler[] {
  return metricsApi === undefined ? [] : [metricsReaderRole(apiClient({ handle, token, userAgent: 'metrics-server' }))];
}

function poseidonOff({ poseidon }: StartOptions, { handle, loopbackToken: token }: Apiserver): Reconciler[] {
  if (poseidon !== undefined) return [];
  const client = apiClient({ handle, token, userAgent: POSEIDON });
  return [switchedOff({ client, clock: systemClock, remedy: 'start it with --poseidon' })];
}

function serveFunctions(
  server: Apiserver,
  { functions, options: { log = SILENT } }: Parts,
  controllers: RunningControllers | undefined,
): void {
  if (controllers !== undefined) functions?.serve(functionHost(server, controllers, log));
}

function administrator({ handle }: Apiserver, { adminToken: token }: Identity): TypedClient {
  const client = apiClient({ handle, token, userAgent: 'davit' });
  const signal = new AbortController().signal;
  return typedClient({ client, mapper: restMapper(client), fieldManager: 'davit', signal });
}

async function openFunctions({
  functionsFolder: folder,
  functionLimits: limits = {},
  functionSecrets: secretsFile,
  log = SILENT,
}: StartOptions): Promise<LocalFunctions | undefined> {
  if (folder === undefined) return undefined;
  return LocalFunctions.open({ folder, limits, log, ...defined({ secretsFile }) }).catch((error: unknown) => {
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
      ...defined({ proxyCa }),
    },
    gzip: true,
    handle,
    onFault: (error) => report('', error),
  }).catch(async (error: unknown) => {
    await store.close();
    throw listenFault(`${hostOf(options)}:${port}`, error);
  });
}

/** The entries for the server's kubeconfig. */
const NAMES = { cluster: 'davit', user: 'admin', context: 'davit' };

function described(options: StartOptions, identity: Identity, port: number) {
  const { admin, adminToken } = identity;
  const authority = verifiedBy(options, identity);
  const url = urlHere(options, port);
  return {
    url,
    port,
    kubeconfig: kubeconfigOf({ name: NAMES, server: url, authority, user: admin }),
    adminToken,
    certificateAuthority: authority,
    clientAuthority: identity.signer.certificate,
  };
}
