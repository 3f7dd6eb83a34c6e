import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Emulator, EnvironmentOf } from '#test/cloud/emulator.ts';
import { answering } from '#test/support/answering.ts';
import { freePort } from '#test/support/free-port.ts';
import { mortal } from '#test/support/mortal.ts';
import { installLocalStack, type LocalStackFiles } from './install.ts';

const GRACE = 20_000;

/** Starts LocalStack on a free loopback port. Its functions and DynamoDB are processes of this machine; `stop` ends all of them. */
export async function startLocalStack(ofFunctions: EnvironmentOf): Promise<Emulator | { missing: string }> {
  const files = await installLocalStack();
  if ('missing' in files) return files;
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'davit-localstack-'));
  const passed = ofFunctions(endpoint);
  const server = spawn(files.python, ['-m', 'localstack.runtime.main'], {
    cwd: folder,
    env: { ...process.env, ...passed, ...environment(files, { port, folder, passed: Object.keys(passed) }) },
    stdio: 'ignore',
    detached: true,
  });
  mortal(server, () => endGroup(server, 'SIGKILL'));
  await answering(server, async () => (await fetch(`${endpoint}/_localstack/health`)).ok);
  return {
    endpoint,
    stop: async () => {
      if (server.exitCode === null) await ended(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly port: number;
  readonly folder: string;
  /** Names of variables that functions inherit. */
  readonly passed: readonly string[];
}

const environment = ({ host, jars }: LocalStackFiles, { port, folder, passed }: Place) => ({
  PYTHONPATH: host,
  FILESYSTEM_ROOT: folder,
  GATEWAY_LISTEN: `127.0.0.1:${port}`,
  LOCALSTACK_HOST: `localhost:${port}`,
  // Disables further downloads, telemetry and listeners.
  SKIP_SSL_CERT_DOWNLOAD: '1',
  DISABLE_EVENTS: '1',
  DNS_ADDRESS: '0',
  // Names below localhost cannot be resolved.
  SQS_ENDPOINT_STRATEGY: 'path',
  LAMBDA_RUNTIME_EXECUTOR: 'host',
  LAMBDA_RUNTIME_ENVIRONMENT_TIMEOUT: '60',
  LAMBDA_EVENT_SOURCE_MAPPING_POLL_INTERVAL_SEC: '0.1',
  LAMBDA_EVENT_SOURCE_MAPPING_MAX_BACKOFF_ON_EMPTY_POLL_SEC: '0.2',
  LOCALSTACK_HOST_ENV: passed.join(','),
  PROVIDER_OVERRIDE_DYNAMODB: 'v2',
  LOCALSTACK_HOST_DYNAMODB_JARS: jars,
});

/** Requests LocalStack to stop, because it then ends its functions and its database. */
async function ended(server: ChildProcess): Promise<void> {
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  const late = setTimeout(() => endGroup(server, 'SIGKILL'), GRACE);
  await exit;
  clearTimeout(late);
  endGroup(server, 'SIGKILL');
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
