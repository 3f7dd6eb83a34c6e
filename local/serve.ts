import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import { faultLine } from '#adapters/process/fault-line.ts';
import { stderrLog, type WriteLine } from '#adapters/process/stderr-log.ts';
import { outliveErrors, outliveOutputs } from '#adapters/process/unhandled-errors.ts';
import { loggerTo } from '#lib/client/controller/logger.ts';
import { defined } from '#lib/machinery/defined.ts';
import { Late } from '#lib/machinery/late.ts';
import { flowControlOf } from '#lib/server/options/flow-control.ts';
import type { Flags } from './command.ts';
import { admissionOf } from './flags/admission.ts';
import { auditOf } from './flags/audit.ts';
import { authenticationOf } from './flags/authentication.ts';
import { authorizersOf } from './flags/authorization.ts';
import { controllersOf } from './flags/controller.ts';
import { encryptionOfFlags } from './flags/encryption.ts';
import { functionsOf } from './flags/function.ts';
import { kubeletOf } from './flags/kubelet.ts';
import { metricsApiOf } from './flags/metrics-api.ts';
import { nodeRangesOf } from './flags/node-range.ts';
import { proxyClientOf } from './flags/proxy-client.ts';
import { schedulerOf } from './flags/scheduler.ts';
import { serviceAccountsOf } from './flags/service-account.ts';
import { simulatedNodesOf } from './flags/simulated-nodes.ts';
import { servingOf } from './flags/tls.ts';
import { writtenKubeconfig } from './kubeconfig-path.ts';
import { mergeKubeconfig } from './merge-kubeconfig.ts';
import { exposureWarnings, writeOwnerOnly } from './owner-only.ts';
import { followFiles, newReloads } from './reload.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';
import { dataFault } from './start-fault.ts';

/** Runs the server according to its flags, until a signal ends it. Throws StartFault. */
export async function serve(flags: Flags): Promise<void> {
  outliveOutputs();
  const write = stderrLog(flags.logFormat);
  const log = loggerTo(write);
  const authorizers = await authorizersOf(flags);
  const reloads = newReloads(hostname(), systemClock);
  const kubeconfigPath = new Late<string>(); // its readers run after the server is ready
  const signal = endingSignal(); // before it listens, because a client may stop the server after the first response
  const server = await startApiserver({
    host: flags.host,
    ...defined({ advertiseAddress: flags.advertiseAddress }),
    port: flags.port,
    sync: flags.sync,
    ...(flags.inMemory === true ? {} : { dataDirectory: resolve(flags.dataDir) }),
    ...(await servingOf(flags)),
    ...(await kubeletOf(flags)),
    ...(await proxyClientOf(flags)),
    ...(await authenticationOf(flags)),
    ...(await serviceAccountsOf(flags)),
    ...defined({ authorizers }),
    ...(await admissionOf(flags)),
    ...(await encryptionOfFlags(flags)),
    ...(await auditOf(flags)),
    ...flowControlOf(flags),
    ...controllersOf(flags),
    ...functionsOf(flags),
    healthChecks: [{ name: 'kubeconfig', readiness: true, check: async () => void kubeconfigPath.take() }],
    log,
    requestLog: { every: flags.verbose === true, ownNeverSlow: true, write },
    ...nodeRangesOf(flags),
    ...(await schedulerOf(flags)),
    ...simulatedNodesOf(flags),
    ...metricsApiOf(flags),
    collectors: Object.values(reloads),
    reportFault: (auditId, error) => write(faultLine(error, auditId === '' ? {} : { auditId })),
    reportWarning: (message) => write({ level: 'warning', message }),
  });
  const reportFault = (error: unknown): void => write(faultLine(error));
  followFiles({ flags, server, reloads, clock: systemClock, reportFault }).catch(reportFault);
  const path = await writeKubeconfig(server, flags);
  if (flags.inMemory !== true) await writeClientAuthority(server, resolve(flags.dataDir));
  if (flags.inMemory !== true)
    for (const warning of await exposureWarnings(resolve(flags.dataDir))) write({ level: 'warning', message: warning });
  kubeconfigPath.give(path);
  greet(server, path);
  if (flags.mergeKubeconfig !== undefined) await mergeKubeconfigOf(server, flags.mergeKubeconfig);
  outliveErrors((error, origin) => write(faultLine(error, { origin })));
  void signal.then((name) => stop(server, name, write)).then((code) => process.exit(code));
}

/** Stops the server for a signal. Resolves with the exit code. */
async function stop(server: RunningApiserver, signal: string, write: WriteLine): Promise<number> {
  const begun = performance.now();
  write({ level: 'info', message: 'stopping', signal });
  try {
    await server.close();
    write({ level: 'info', message: 'stopped', durationMs: Math.round(performance.now() - begun) });
    return 0;
  } catch (error) {
    write(faultLine(error));
    return 1;
  }
}

/** The first signal, which ends the server even during its start. A second signal ends it immediately. */
function endingSignal(): Promise<string> {
  const { promise, resolve: received } = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => received(signal));
  return promise;
}

async function writeKubeconfig(server: RunningApiserver, flags: Flags): Promise<string> {
  const path = flags.inMemory === true ? await freeKubeconfig(server) : join(resolve(flags.dataDir), 'kubeconfig');
  await writeOwnerOnly(path, server.kubeconfig).catch((error: unknown) => {
    throw dataFault(path, error);
  });
  return path;
}

/** The authority that signs the client certificates of this server and of nodes. Kubelets use it to verify clients. */
async function writeClientAuthority({ clientAuthority }: RunningApiserver, directory: string): Promise<void> {
  const path = join(directory, 'client-ca.crt');
  await writeOwnerOnly(path, clientAuthority).catch((error: unknown) => {
    throw dataFault(path, error);
  });
}

/** The path of the kubeconfig for a server in memory. It does not overwrite the kubeconfig of another running server. */
async function freeKubeconfig({ url, port }: RunningApiserver): Promise<string> {
  const path = join(process.cwd(), '.davit-kubeconfig');
  const other = /server: (https:\S+)/.exec(await readFile(path, 'utf8').catch(() => ''))?.[1];
  return other !== undefined && other !== url && (await listens(new URL(other))) ? `${path}-${port}` : path;
}

function listens({ hostname: host, port }: URL): Promise<boolean> {
  const socket = connect({ host, port: Number(port), timeout: 1000 });
  const { promise, resolve: answer } = Promise.withResolvers<boolean>();
  socket
    .once('connect', () => answer(true))
    .once('error', () => answer(false))
    .once('timeout', () => answer(false));
  return promise.finally(() => socket.destroy());
}

function greet(server: RunningApiserver, kubeconfigPath: string): void {
  console.log(`davit is ready on ${server.url} (${Math.round(performance.now())} ms)\n`);
  console.log(`  export KUBECONFIG=${kubeconfigPath}\n`);
  console.log('Try:\n  kubectl get namespaces\n  kubectl create configmap hello --from-literal=who=world');
}

async function mergeKubeconfigOf({ kubeconfig: own }: RunningApiserver, name: string): Promise<void> {
  const path = writtenKubeconfig(process.env);
  await mergeKubeconfig({ path, name, own }, systemClock);
  const removal = ['context', 'cluster', 'user'].map((kind) => `kubectl config delete-${kind} ${name}`);
  console.log(`\n${path} has it as its current context, ${name}. To remove it:\n  ${removal.join('; ')}`);
}
