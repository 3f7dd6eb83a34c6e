import type { Command } from 'commander';
import { untilAborted } from '#lib/machinery/wait/unless-aborted.ts';
import { connectionOf } from '../connection.ts';
import type { Way } from './exchange.ts';
import { KubectlProxy } from './kubectl-proxy.ts';
import { containerOf, type PodRef, podOf } from './pod.ts';
import type { Terminal } from './terminal.ts';

/** The context that all commands on a pod share. */
export interface StreamSession {
  readonly api: Way;
  readonly pod: PodRef;
  readonly terminal: Terminal;
  /** The container with that name, or kubectl's default. */
  container(asked: string | undefined): string;
  /** Aborts when the user ends the command. */
  readonly signal: AbortSignal;
}

/** Signals with their numbers, which determine the exit code. */
const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/**
 * Runs a command on a pod and returns its exit code. `self` has kubectl's flags for the connection. Standard input is not read after the
 * command ends.
 */
export async function streaming(
  self: Command,
  named: string,
  act: (session: StreamSession) => Promise<number>,
): Promise<void> {
  const connection = connectionOf(self.optsWithGlobals());
  const ending = new AbortController();
  const { signal } = ending;
  let code = 0;
  for (const [name, number] of Object.entries(SIGNALS))
    process.once(name, () => {
      code = 128 + number;
      ending.abort();
    });
  const pod = await podOf(connection, named);
  using api = await KubectlProxy.start(connection);
  const { stdin, stdout, stderr } = process;
  const container = (asked: string | undefined): string => containerOf(pod, asked, stderr);
  try {
    const acting = act({ api, pod, terminal: { stdin, stdout, stderr }, container, signal });
    process.exitCode = (await untilAborted(acting, signal)) ?? code;
  } finally {
    ending.abort();
    stdin.destroy();
  }
}
