import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { StartFault } from '../start-fault.ts';
import { askInvocations, type InvocationFilter } from './ask-invocations.ts';
import { connectionOf } from './connection.ts';
import { invocationsText } from './invocation-text.ts';
import { kubectl } from './kubectl.ts';

interface Flags {
  readonly reconciler?: string;
  readonly failed?: boolean;
  readonly watch?: boolean;
  readonly logs?: boolean;
  readonly output?: string;
  readonly namespace?: string;
  readonly logGroup?: readonly string[];
  readonly since: number;
}

/** Interval in ms between two polls with --watch. */
const PACE = 1000;
const HOUR = 3_600_000;

/** Adds `invocations`, which lists recent invocations of functions. */
export function invocationsCommand(command: Command): void {
  command
    .command('invocations')
    .description('list recent calls of reconcilers and webhooks')
    .option('--reconciler <name>', 'this reconciler or webhook only')
    .option('--failed', 'failed calls only')
    .option('--logs', 'with what each logged')
    .option('--log-group <name...>', 'of a control plane in an account: where its functions log')
    .option('--since <hours>', 'how far back, with --log-group', hours, 1)
    .option('-w, --watch', 'go on with those that follow')
    .option('-o, --output <format>', 'json prints one call in each line')
    .action((_flags: unknown, self: Command) => show(self.optsWithGlobals()));
}

async function show(flags: Flags & Readonly<Record<string, unknown>>): Promise<void> {
  if (flags.logGroup !== undefined) return showLogged(flags, flags.logGroup);
  const ask = kubectl(connectionOf(flags));
  const query = queryOf(flags);
  const first = await askInvocations(ask, query);
  process.stdout.write(printed(first.items, flags, true));
  for (let after = first.cursor; flags.watch === true; ) {
    await systemClock.sleep(PACE);
    const { cursor, items } = await askInvocations(ask, { ...query, after });
    if (items.length > 0) process.stdout.write(printed(items, flags, false));
    after = cursor;
  }
}

/** Prints the invocations in the logs of an account's functions. */
async function showLogged(flags: Flags, groups: readonly string[]): Promise<void> {
  if (flags.watch === true) throw new StartFault('log groups are not watched; ask again');
  const { CloudWatchLogsClient } = await import('@aws-sdk/client-cloudwatch-logs');
  const { askLogGroups } = await import('./ask-log-groups.ts');
  const client = new CloudWatchLogsClient({});
  try {
    const since = flags.since * HOUR;
    const items = await askLogGroups(client, { ...queryOf(flags), groups, since }, systemClock);
    process.stdout.write(printed(items, flags, true));
  } finally {
    client.destroy();
  }
}

function hours(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 10_000)) throw new InvalidArgumentError('It is a number of hours.');
  return value;
}

const queryOf = ({ reconciler, failed, namespace }: Flags): InvocationFilter => ({
  ...defined({ function: reconciler, failed, namespace }),
});

function printed(items: readonly Invocation[], { output, logs = false }: Flags, isFirst: boolean): string {
  if (output === 'json') return items.map((item) => `${JSON.stringify(item)}\n`).join('');
  return invocationsText(items, { logs, head: isFirst });
}
