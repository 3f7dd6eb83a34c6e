import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DirectoryInUse } from './data-directory.ts';
import { startApiserver, type RunningApiserver, type SyncMode } from './start-apiserver.ts';

interface Flags {
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
const flags = program.parse().opts<Flags>();

try {
  const server = await startApiserver({
    host: flags.host,
    port: flags.port,
    sync: flags.sync,
    ...(flags.inMemory === true ? {} : { dataDirectory: resolve(flags.dataDir) }),
    reportFault: (auditId, error) => console.error(JSON.stringify({ level: 'error', auditId, error: text(error) })),
  });
  const path = await writeKubeconfig(server);
  greet(server, path);
  endOnSignal(server);
} catch (error) {
  console.error(refusal(error));
  process.exitCode = 1;
}

async function writeKubeconfig(server: RunningApiserver): Promise<string> {
  const directory = resolve(flags.dataDir);
  const path = flags.inMemory === true ? join(process.cwd(), '.davit-kubeconfig') : join(directory, 'kubeconfig');
  await writeFile(path, server.kubeconfig, { mode: 0o600 });
  return path;
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

/** One line that says what to do. */
function refusal(error: unknown): string {
  if (error instanceof DirectoryInUse) return `davit: ${error.message}`;
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return `davit: ${flags.host}:${flags.port} is in use; stop what listens there, or choose another with --port`;
  }
  return `davit: ${text(error)}`;
}

function text(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
