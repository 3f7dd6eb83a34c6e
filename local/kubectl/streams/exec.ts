import type { Command } from 'commander';
import { isPodPhaseTerminal, phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { StartFault } from '../../start-fault.ts';
import { pathOf, specOf } from './pod.ts';
import { openPodStream } from './pod-stream.ts';
import { REMOTE_COMMAND, type RemoteStreams, runRemote } from './remote-command.ts';
import { type StreamSession, streaming } from './session.ts';

interface Flags {
  readonly container?: string;
  readonly stdin?: true;
  readonly tty?: true;
  readonly quiet?: true;
}

const NO_TTY = 'Unable to use a TTY - input is not a terminal or the right kind of file\n';

/** Adds `exec`, which runs a command in a container via every front door. `words` are the words after `--`. */
export const execCommand =
  (words: readonly string[]) =>
  (command: Command): void => {
    command
      .command('exec')
      .description('run a command in a container')
      .argument('<pod>')
      .argument('[command...]')
      .option('-c, --container <name>', 'the container')
      .option('-i, --stdin', 'pass standard input on')
      .option('-t, --tty', 'standard input is a terminal')
      .action((named: string, given: readonly string[], flags: Flags, self: Command) =>
        streaming(self, named, (session) => exec(session, [...given, ...words], flags)),
      );
  };

/** Adds `attach`, which attaches to the process of a container. */
export function attachCommand(command: Command): void {
  command
    .command('attach')
    .description('attach to the process of a container')
    .argument('<pod>')
    .option('-c, --container <name>', 'the container')
    .option('-i, --stdin', 'pass standard input on')
    .option('-t, --tty', 'standard input is a terminal')
    .option('-q, --quiet', 'print the output alone')
    .action((named: string, flags: Flags, self: Command) =>
      streaming(self, named, (session) => attach(session, flags)),
    );
}

/** The exit code of a command in a container. Throws StartFault. */
export async function exec(session: StreamSession, words: readonly string[], flags: Flags): Promise<number> {
  if (words.length === 0) throw new StartFault('you must specify at least one command for the container');
  const { terminal, pod } = session;
  const phase = phaseOf(pod.object);
  if (isPodPhaseTerminal(phase))
    throw new StartFault(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  const stdin = flags.stdin === true;
  const isTerminal = stdin && terminal.stdin.isTTY === true;
  const tty = flags.tty === true && isTerminal;
  if (flags.tty === true && !tty) terminal.stderr.write(NO_TTY);
  const query = queryOf(session.container(flags.container), { stdin, tty });
  for (const word of words) query.append('command', word);
  return remote(session, 'exec', query, { stdin, tty });
}

async function attach(session: StreamSession, flags: Flags): Promise<number> {
  const { terminal, pod } = session;
  const container = session.container(flags.container);
  const hasTerminal = specOf(pod, container)?.tty === true;
  if (flags.tty === true && !hasTerminal)
    terminal.stderr.write(`error: Unable to use a TTY - container ${container} did not allocate one\n`);
  const streams = { stdin: flags.stdin === true, tty: hasTerminal }; // the container decides whether there is a terminal
  if (streams.stdin && terminal.stdin.isTTY === true && flags.quiet !== true)
    terminal.stderr.write("If you don't see a command prompt, try pressing enter.\n");
  return remote(session, 'attach', queryOf(container, streams), streams);
}

function queryOf(container: string, { stdin, tty }: RemoteStreams): URLSearchParams {
  const query = new URLSearchParams({ container, stdout: 'true', stderr: String(!tty) });
  if (stdin) query.set('stdin', 'true');
  if (tty) query.set('tty', 'true');
  return query;
}

async function remote(
  { api, pod, terminal, signal }: StreamSession,
  subresource: string,
  query: URLSearchParams,
  streams: RemoteStreams,
): Promise<number> {
  const stream = await openPodStream(api, { path: pathOf(pod, subresource), query, protocol: REMOTE_COMMAND }, signal);
  try {
    return await runRemote(stream, streams, terminal);
  } finally {
    await stream.close();
  }
}
