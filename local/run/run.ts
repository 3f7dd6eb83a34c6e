import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { hostname } from 'node:os';
import { systemClock } from '#adapters/clock.ts';
import { captureConsole, withOwnConsole } from '#adapters/process/captured-console.ts';
import { faultLine } from '#adapters/process/fault-line.ts';
import { processMetrics } from '#adapters/process/process-metrics.ts';
import { type LogFormat, stderrLog } from '#adapters/process/stderr-log.ts';
import { outliveErrors, outliveOutputs } from '#adapters/process/unhandled-errors.ts';
import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import type { RemoteNamespace } from '#adapters/server/http/kubeconfig.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { AttemptMetrics } from '#lib/client/controller/attempt-metrics.ts';
import { type Logger, loggerTo } from '#lib/client/controller/logger.ts';
import { QueueMetrics } from '#lib/client/controller/queue-metrics.ts';
import { runRemote } from '#lib/client/controller/run-remote.ts';
import { elect } from '#lib/client/leader-election.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { expose, TEXT_FORMAT } from '#lib/machinery/metrics/text.ts';
import type { ExportedFunctions } from '#lib/sdk/webhook-sdk/exported-functions.ts';
import { loadFunctions } from '../functions/load-functions.ts';
import { homeKubeconfig, kubeconfigPaths } from '../kubeconfig-path.ts';
import { StartFault } from '../start-fault.ts';
import type { BindAddress } from './bind-address.ts';
import { inCluster, isInCluster } from './in-cluster.ts';
import { placeAmong, placeAt } from './kubeconfig-place.ts';
import { serveTexts } from './text-server.ts';
import { serveWebhooks } from './webhook-server.ts';

/** The flags of the command. */
export interface RunFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly leaderElect: boolean;
  readonly leaseName: string;
  readonly leaseNamespace?: string;
  readonly timeout: number;
  readonly healthProbeBindAddress?: BindAddress;
  readonly metricsBindAddress?: BindAddress;
  readonly webhookBindAddress: BindAddress;
  readonly webhookCertDir?: string;
  readonly logFormat?: LogFormat;
}

/** Runs until a signal ends it. Throws StartFault if the lease is lost. */
export async function run(path: string, flags: RunFlags): Promise<void> {
  outliveOutputs();
  captureConsole();
  const write = stderrLog(flags.logFormat);
  const log = loggerTo(write);
  const functions = await functionsOf(path, flags, log);
  const { remote, namespace } = await place(flags);
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      log.info('stopping', { signal });
      ending.abort();
    });
  const observers = { attempts: new AttemptMetrics(systemClock), queues: new QueueMetrics(systemClock), log };
  const servers = await listen(functions, flags, observers);
  outliveErrors((error, origin) => write(faultLine(error, { origin })));
  using connection = new ApiConnection(remote);
  log.info('begins', { server: remote.url });
  try {
    if (functions.reconcilers.size === 0) await aborted(ending.signal);
    else await reconcile(functions, { connection, namespace, observers, signal: ending.signal }, flags);
  } finally {
    for (const server of servers) server.close();
  }
  log.info('stopped');
}

/** The functions in the file that can run here. Throws StartFault if there are none. */
async function functionsOf(path: string, { webhookCertDir }: RunFlags, log: Logger): Promise<ExportedFunctions> {
  const { reconcilers, webhooks } = await loadFunctions(path);
  const served = webhookCertDir === undefined ? new Map() : webhooks;
  if (webhookCertDir === undefined)
    for (const name of webhooks.keys())
      log.error(`${name} is a webhook: it is served where --webhook-cert-dir names the folder of its certificate`);
  if (reconcilers.size === 0 && served.size === 0) throw new StartFault(`${path} declares no reconciler`);
  return { reconcilers, webhooks: served };
}

/** Serves health, metrics and webhooks. Webhooks do not wait for the lease. */
async function listen(
  { webhooks }: ExportedFunctions,
  flags: RunFlags,
  { attempts, queues, log }: Observers,
): Promise<readonly Server[]> {
  const { healthProbeBindAddress: health, metricsBindAddress: scraped, webhookCertDir: certificates } = flags;
  const servers: Server[] = [];
  const ok = { type: 'text/plain', text: async () => 'ok' };
  const metrics = { type: TEXT_FORMAT, text: () => expose([attempts, queues, processMetrics]) };
  if (certificates !== undefined && webhooks.size > 0) {
    const timeout = flags.timeout * 1000;
    servers.push(await serveWebhooks({ address: flags.webhookBindAddress, certificates, webhooks, log, timeout }));
    log.info('webhooks are served', { webhooks: [...webhooks.keys()] });
  }
  if (scraped !== undefined) servers.push(await serveTexts({ address: scraped, pages: { '/metrics': metrics }, log }));
  // Last, so that a ready process serves everything.
  if (health !== undefined)
    servers.push(await serveTexts({ address: health, pages: { '/healthz': ok, '/readyz': ok }, log }));
  return servers;
}

interface Observers {
  readonly log: Logger;
  readonly attempts: AttemptMetrics;
  readonly queues: QueueMetrics;
}

const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
};

interface Ground {
  readonly connection: ApiConnection;
  readonly namespace: string;
  readonly observers: Observers;
  readonly signal: AbortSignal;
}

async function reconcile(functions: ExportedFunctions, ground: Ground, flags: RunFlags): Promise<void> {
  const handle: ApiConnection['handle'] = (request) => ground.connection.handle(request);
  const work = (signal: AbortSignal): Promise<void> =>
    runRemote([...functions.reconcilers.values()].map(withOwnConsole), {
      handle,
      clock: systemClock,
      random: Math.random,
      namespace: flags.namespace ?? '',
      timeout: flags.timeout * 1000,
      ...ground.observers,
      signal,
    });
  if (!flags.leaderElect) return work(ground.signal);
  const isOver = await elect(
    {
      client: apiClient({ handle, userAgent: 'davit-run' }),
      clock: systemClock,
      random: Math.random,
      namespace: flags.leaseNamespace ?? ground.namespace,
      name: flags.leaseName,
      identity: `${hostname()}_${randomUUID()}`,
      signal: ground.signal,
      onFault: (error) => ground.observers.log.error(`the lease: ${messageOfError(error)}`),
    },
    work,
  );
  if (!isOver) throw new StartFault('the lease was lost');
}

/** Uses client-go's order: a flag, the environment, the pod, the home directory. */
async function place({ kubeconfig, context }: RunFlags): Promise<RemoteNamespace> {
  if (kubeconfig !== undefined) return placeAt(kubeconfig, context);
  const paths = kubeconfigPaths(process.env);
  if (paths.length > 0) return placeAmong(paths, context);
  return isInCluster(process.env) ? inCluster(process.env) : placeAt(homeKubeconfig(), context);
}
