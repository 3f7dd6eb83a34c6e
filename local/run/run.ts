import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import { ApiConnection } from '#adapters/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { elect } from '#lib/client/leader-election.ts';
import { reasonOf } from '#lib/controller/attempt.ts';
import type { DefinedReconciler } from '#lib/controller/define-reconciler.ts';
import { runRemote } from '#lib/controller/run-remote.ts';
import { loadFunctions } from '../functions/load-functions.ts';
import { jsonLogger } from '../json-logger.ts';
import { fileFault, StartFault } from '../start-fault.ts';
import { inCluster, isInCluster, type Place } from './in-cluster.ts';
import { placeOf } from './kubeconfig-place.ts';

export interface RunFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly leaderElect: boolean;
  readonly leaseName: string;
  readonly leaseNamespace?: string;
  readonly timeout: number;
}

/** Until a signal ends it, or the lease is lost: StartFault. */
export async function run(path: string, flags: RunFlags): Promise<void> {
  const log = jsonLogger;
  const reconcilers = await reconcilersOf(path);
  const { remote, namespace } = await place(flags);
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ending.abort());
  using connection = new ApiConnection(remote);
  const handle: ApiConnection['handle'] = (request) => connection.handle(request);
  const work = (signal: AbortSignal): Promise<void> =>
    runRemote(reconcilers, {
      handle,
      clock: systemClock,
      log,
      random: Math.random,
      namespace: flags.namespace ?? '',
      timeout: flags.timeout * 1000,
      signal,
    });
  log.info('begins', { server: remote.url });
  if (!flags.leaderElect) return work(ending.signal);
  const isOver = await elect(
    {
      client: apiClient({ handle, userAgent: 'davit-run' }),
      clock: systemClock,
      random: Math.random,
      namespace: flags.leaseNamespace ?? namespace,
      name: flags.leaseName,
      identity: `${hostname()}_${randomUUID()}`,
      signal: ending.signal,
      onFault: (error) => log.error(`the lease: ${reasonOf(error)}`),
    },
    work,
  );
  if (!isOver) throw new StartFault('the lease was lost');
}

async function reconcilersOf(path: string): Promise<readonly DefinedReconciler[]> {
  const { reconcilers, webhooks } = await loadFunctions(path);
  for (const name of webhooks.keys()) jsonLogger.error(`${name} is a webhook: it does not run here`);
  if (reconcilers.size === 0) throw new StartFault(`${path} declares no reconciler`);
  return [...reconcilers.values()];
}

/** As client-go: a flag, the environment, the pod, the home directory. */
async function place({ kubeconfig, context }: RunFlags): Promise<Place> {
  const named = kubeconfig ?? process.env['KUBECONFIG']?.split(delimiter).find((path) => path !== '');
  if (named === undefined && isInCluster(process.env)) return inCluster(process.env);
  const path = named ?? join(homedir(), '.kube/config');
  try {
    return placeOf(await readFile(path, 'utf8'), dirname(path), context);
  } catch (error) {
    throw fileFault(path, error);
  }
}
