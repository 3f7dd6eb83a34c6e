import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { admissionFlags, admissionOf, type AdmissionFlags } from './admission-flags.ts';
import { auditFlags, auditOf, type AuditFlags } from './audit-flags.ts';
import { authenticationFlags, authenticationOf, type AuthenticationFlags } from './authentication-flags.ts';
import { authorizationFlags, authorizersOf, type AuthorizationFlags } from './authorization-flags.ts';
import { encryptionFlags, encryptionOfFlags, type EncryptionFlags } from './encryption-flags.ts';
import { startApiserver, type RunningApiserver, type SyncMode } from './start-apiserver.ts';
import { fileFault, messageOf } from './start-fault.ts';

interface Flags extends AuthenticationFlags, AuthorizationFlags, AdmissionFlags, EncryptionFlags, AuditFlags {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly inMemory?: boolean;
  readonly sync: SyncMode;
}

const program = new Command('davit')
  .description('A Kubernetes control plane in one process.')
  .option('--host <address>', 'the address to listen on', '127.0.0.1')
  .option('--port <number>', 'the port to listen on; 0 takes any free one', portNumber, 6443)
  .option('--data-dir <path>', 'where everything is kept', '.davit')
  .option('--in-memory', 'keep nothing: all is gone at the end')
  .addOption(
    new Option('--sync <mode>', 'when a write is acknowledged').choices(['full', 'normal', 'off']).default('full'),
  );

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

const started = performance.now();
const flags = auditFlags(encryptionFlags(admissionFlags(authorizationFlags(authenticationFlags(program)))))
  .parse()
  .opts<Flags>();

try {
  const authorizers = await authorizersOf(flags);
  const server = await startApiserver({
    host: flags.host,
    port: flags.port,
    sync: flags.sync,
    ...(flags.inMemory === true ? {} : { dataDirectory: resolve(flags.dataDir) }),
    ...(await authenticationOf(flags)),
    ...(authorizers === undefined ? {} : { authorizers }),
    ...(await admissionOf(flags)),
    ...(await encryptionOfFlags(flags)),
    ...(await auditOf(flags)),
    reportFault: (auditId, error) => console.error(JSON.stringify({ level: 'error', auditId, error: text(error) })),
  });
  const path = await writeKubeconfig(server);
  greet(server, path);
  endOnSignal(server);
} catch (error) {
  console.error(`davit: ${messageOf(error)}`);
  process.exit(1);
}

async function writeKubeconfig(server: RunningApiserver): Promise<string> {
  const path = flags.inMemory === true ? await freeKubeconfig(server) : join(resolve(flags.dataDir), 'kubeconfig');
  await writeFile(path, server.kubeconfig, { mode: 0o600 }).catch((error: unknown) => {
    throw fileFault(path, error);
  });
  return path;
}

/** Where a server in memory leaves its kubeconfig: not over that of another which still runs. */
async function freeKubeconfig({ url, port }: RunningApiserver): Promise<string> {
  const path = join(process.cwd(), '.davit-kubeconfig');
  const other = /server: (https:\S+)/.exec(await readFile(path, 'utf8').catch(() => ''))?.[1];
  return other !== undefined && other !== url && (await listens(new URL(other))) ? `${path}-${port}` : path;
}

function listens({ hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: hostname, port: Number(port), timeout: 1000 });
  const { promise, resolve: answer } = Promise.withResolvers<boolean>();
  socket
    .once('connect', () => answer(true))
    .once('error', () => answer(false))
    .once('timeout', () => answer(false));
  return promise.finally(() => socket.destroy());
}

function greet(server: RunningApiserver, kubeconfigPath: string): void {
  console.log(`davit is ready on ${server.url} (${Math.round(performance.now() - started)} ms)\n`);
  console.log(`  export KUBECONFIG=${kubeconfigPath}\n`);
  console.log('Try:\n  kubectl get namespaces\n  kubectl create configmap hello --from-literal=who=world');
}

function endOnSignal(server: RunningApiserver): void {
  const end = (): void => {
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(text(error));
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

function text(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
