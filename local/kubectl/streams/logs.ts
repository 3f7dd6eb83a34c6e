import type { Command } from 'commander';
import { parseDuration } from '#lib/machinery/duration.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StartFault } from '../../start-fault.ts';
import { pathOf } from './pod.ts';
import { openLog } from './pod-stream.ts';
import { shown } from './remote-command.ts';
import { type StreamSession, streaming } from './session.ts';

interface Flags {
  readonly container?: string;
  readonly follow?: true;
  readonly previous?: true;
  readonly timestamps?: true;
  readonly tail?: string;
  readonly since?: string;
  readonly sinceTime?: string;
  readonly limitBytes?: string;
}

/** One second in nanoseconds. */
const SECOND = 1_000_000_000n;

/** Adds `logs`, which prints and optionally follows the log of a container via every front door. */
export function logsCommand(command: Command): void {
  command
    .command('logs')
    .description('print the log of a container')
    .argument('<pod>')
    .argument('[container]')
    .option('-c, --container <name>', 'the container')
    .option('-f, --follow', 'go on until the container ends')
    .option('-p, --previous', 'of the container before')
    .option('--timestamps', 'with the time of each line')
    .option('--tail <lines>', 'the last lines alone')
    .option('--since <duration>', 'not older than 5s, 2m or 3h')
    .option('--since-time <time>', 'not older than a time (RFC 3339)')
    .option('--limit-bytes <bytes>', 'so much at most')
    .action((named: string, container: string | undefined, flags: Flags, self: Command) =>
      streaming(self, named, (session) => logs(session, { ...(container !== undefined && { container }), ...flags })),
    );
}

async function logs({ api, pod, terminal, signal, container }: StreamSession, flags: Flags): Promise<number> {
  const query = logQuery(container(flags.container), flags);
  const { connection, over, close } = await openLog(api, { path: pathOf(pod, 'log'), query }, signal);
  let lost = '';
  void over.then((reason) => (lost = reason));
  try {
    await shown(connection, terminal.stdout);
    return 0;
  } catch (error) {
    throw new StartFault(`the connection broke${lost === '' ? '' : `: ${lost}`}`, { cause: error });
  } finally {
    await close();
  }
}

/** The log options in the API server's form. Throws StartFault. */
export function logQuery(container: string, flags: Flags): URLSearchParams {
  const query = new URLSearchParams({ container });
  for (const name of ['follow', 'previous', 'timestamps'] as const) if (flags[name] === true) query.set(name, 'true');
  if (flags.tail !== undefined && flags.tail !== '-1') query.set('tailLines', flags.tail);
  if (flags.since !== undefined) query.set('sinceSeconds', String(secondsOf(flags.since)));
  if (flags.sinceTime !== undefined) query.set('sinceTime', flags.sinceTime);
  if (flags.limitBytes !== undefined) query.set('limitBytes', flags.limitBytes);
  return query;
}

/** Rounds up to whole seconds, as kubectl does. */
function secondsOf(duration: string): bigint {
  try {
    return (parseDuration(duration) + SECOND - 1n) / SECOND;
  } catch (error) {
    throw new StartFault(`--since: ${messageOfError(error)}`);
  }
}
