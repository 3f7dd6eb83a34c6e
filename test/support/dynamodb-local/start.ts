import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { answering } from '#test/support/answering.ts';
import { freePort } from '#test/support/free-port.ts';
import { mortal } from '#test/support/mortal.ts';
import { installDynamoDbLocal } from './install.ts';

export interface DynamoDbLocal {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts DynamoDB Local in memory on a free loopback port; `stop` ends it. Returns the reason if Java or Maven is missing. If
 * DAVIT_DYNAMODB_ENDPOINT is set, that running server is used and keeps running.
 */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal | { missing: string }> {
  const running = process.env['DAVIT_DYNAMODB_ENDPOINT'];
  if (running !== undefined) return { endpoint: running, stop: async () => undefined };
  const installed = await installDynamoDbLocal();
  if ('missing' in installed) return installed;
  const port = await freePort();
  const server = mortal(spawn('java', javaArguments(installed.jars, port), { cwd: installed.jars, stdio: 'ignore' }));
  await answering(server, () => accepts(port));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      if (server.exitCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
}

/** Disables the second compiler and parallel collectors, which cost more processor time than they save in minutes. */
const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx512m'];

function javaArguments(jars: string, port: number): string[] {
  const main = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';
  const options = ['-disableTelemetry', '-sharedDb', '-inMemory'];
  const paths = [`-Djava.library.path=${jars}`, '-cp', `${jars}/*`];
  return [...JAVA_OPTIONS, ...paths, main, '-port', String(port), ...options];
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}
