import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Flags } from '../command.ts';
import { type Kubectl, kubectl } from '../kubectl/kubectl.ts';
import { StartFault } from '../start-fault.ts';

/** A server that runs on this machine, found via the kubeconfig that it wrote. Throws StartFault if no server runs. */
export const localServer = (command: Command, given: string | undefined): Kubectl =>
  kubectl(['--kubeconfig', kubeconfigOf(command, given)]);

/** The kubeconfig that a flag names, or the one that a server wrote to the data directory. Throws StartFault if neither exists. */
export function kubeconfigOf(command: Command, given: string | undefined): string {
  const path = given ?? join(resolve(command.opts<Flags>().dataDir), 'kubeconfig');
  if (!existsSync(path))
    throw new StartFault(`${path} does not exist; name the kubeconfig of the server by --kubeconfig`);
  return path;
}
