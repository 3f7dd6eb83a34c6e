import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Emulator, EnvironmentOf } from '#test/cloud/emulator.ts';
import { answering } from '#test/support/answering.ts';
import { freePort } from '#test/support/free-port.ts';
import { mortal } from '#test/support/mortal.ts';
import { installMinistack } from './install.ts';

/** Dummy credentials. Only loopback is used, and no metadata service is contacted. */
export const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
export const region = 'us-east-1';
export const account = '000000000000';

/**
 * Starts ministack on a free loopback port; `stop` ends it. Returns the reason if it is not available. If DAVIT_MINISTACK_ENDPOINT is set,
 * that running server is used and keeps running.
 */
export async function startMinistack(ofFunctions?: EnvironmentOf): Promise<Emulator | { missing: string }> {
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
  const running = process.env['DAVIT_MINISTACK_ENDPOINT'];
  if (running !== undefined && ofFunctions === undefined) return { endpoint: running, stop: async () => undefined };
  const python = await installMinistack();
  if ('missing' in python) return python;
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const env = { ...process.env, ...environment(port), ...ofFunctions?.(endpoint) };
  const server = mortal(spawn(python.path, ['-m', 'ministack'], { env, stdio: 'ignore' }));
  await answering(server, async () => (await fetch(`${endpoint}/_ministack/health`)).ok);
  return {
    endpoint,
    stop: async () => {
      if (server.exitCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
}

/** By default it listens on every address. */
const environment = (port: number) => ({
  GATEWAY_PORT: String(port),
  MINISTACK_HOST: 'localhost',
  BIND_HOST: '127.0.0.1',
  IOT_MTLS_ENABLED: '0',
  LAMBDA_EXECUTOR: 'local',
});
