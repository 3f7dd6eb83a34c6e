import { resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import type { Flags } from '../command.ts';
import { serverStatus, statusText } from './server-status.ts';

/** The exit code if no server runs, the same as in LSB init scripts and pg_ctl. */
const NOT_RUNNING = 3;

/** Adds `status`, which shows the server of a data directory. */
export function statusCommand(command: Command): void {
  command
    .command('status')
    .description('show whether a server runs, its process, address and kubeconfig; the exit code is 3 if none runs')
    .action(async () => {
      const directory = resolve(command.opts<Flags>().dataDir);
      const status = await serverStatus(directory);
      process.stdout.write(status === undefined ? notRunning(directory) : statusText(status, systemClock.now()));
      if (status === undefined) process.exitCode = NOT_RUNNING;
    });
}

const notRunning = (directory: string): string =>
  `no server runs with the data directory ${directory}; davit start starts one, --data-dir names another directory\n`;
