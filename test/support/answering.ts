import type { ChildProcess } from 'node:child_process';
import { eventually } from './eventually.ts';

/** Resolves when a server that a test has started responds. Rejects if it exits before that. A probe that throws is repeated. */
export async function answering(server: ChildProcess, probe: () => Promise<boolean>): Promise<void> {
  const isOver = (): boolean => server.exitCode !== null || server.signalCode !== null;
  await eventually(
    async () => isOver() || (await probe()),
    () => `${server.spawnargs.join(' ')} does not answer`,
  );
  if (isOver())
    throw new Error(`${server.spawnargs.join(' ')} ended with code ${server.exitCode ?? server.signalCode}`);
}
