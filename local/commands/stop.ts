import { resolve } from 'node:path';
import type { Command } from 'commander';
import { millisecondsOf } from '#lib/machinery/duration.ts';
import type { Flags } from '../command.ts';
import { type Owner, ownerOf } from '../data-directory.ts';
import { eventually } from '../eventually.ts';
import { duration } from '../flags/duration.ts';
import { messageOf, StartFault } from '../start-fault.ts';

/** Adds `stop`, which stops the server of a data directory. */
export function stopCommand(command: Command): void {
  command
    .command('stop')
    .description('stop the server of the data directory, and wait until it exits')
    .option('--timeout <duration>', 'how long to wait', duration, '60s')
    .action(async ({ timeout }: { readonly timeout: string }) => {
      const directory = resolve(command.opts<Flags>().dataDir);
      const pid = await stopServer(directory, millisecondsOf(timeout));
      console.log(`stopped the server of ${directory} (process ${pid})`);
    });
}

/**
 * Requests the server to stop and waits for it. Resolves with its process id. Throws StartFault if none runs, or if it still runs after the
 * timeout.
 */
export async function stopServer(directory: string, timeoutMs: number): Promise<string> {
  const { pid } = await serverOf(directory);
  signal(pid);
  await eventually(() => hasEnded(directory, pid), { timeout: timeoutMs });
  return pid;
}

async function serverOf(directory: string): Promise<Owner> {
  const owner = await ownerOf(directory);
  if (owner === undefined)
    throw new StartFault(`no server runs with the data directory ${directory}; --data-dir names another`);
  if (!owner.isServer)
    throw new StartFault(`process ${owner.pid} has ${directory} and is not a server; wait until it ends`);
  return owner;
}

function signal(pid: string): void {
  try {
    process.kill(Number(pid), 'SIGTERM');
  } catch (error) {
    throw new StartFault(`cannot stop process ${pid}: ${messageOf(error)}`);
  }
}

async function hasEnded(directory: string, pid: string): Promise<void> {
  if ((await ownerOf(directory))?.pid === pid)
    throw new StartFault(`process ${pid} still runs; wait longer with --timeout, or end it with kill -9 ${pid}`);
}
