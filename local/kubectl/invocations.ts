import type { Command } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import type { Invocation } from '#lib/invocation/invocation.ts';
import { askInvocations, type Asked } from './ask-invocations.ts';
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
}

/** Milliseconds between two questions of one who watches. */
const PACE = 1000;

/** Adds `invocations`: what functions did lately. */
export function invocationsCommand(command: Command): void {
  command
    .command('invocations')
    .description('what reconcilers and webhooks did lately')
    .option('--reconciler <name>', 'of this one alone; a webhook has a name as well')
    .option('--failed', 'only what failed')
    .option('--logs', 'with what each logged')
    .option('-w, --watch', 'go on with those that follow')
    .option('-o, --output <format>', 'json: one a line, whole')
    .action((_flags: unknown, self: Command) => show(self.optsWithGlobals()));
}

async function show(flags: Flags & Readonly<Record<string, unknown>>): Promise<void> {
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

const queryOf = ({ reconciler, failed, namespace }: Flags): Asked => ({
  ...(reconciler === undefined ? {} : { function: reconciler }),
  ...(failed === undefined ? {} : { failed }),
  ...(namespace === undefined ? {} : { namespace }),
});

function printed(items: readonly Invocation[], { output, logs = false }: Flags, isFirst: boolean): string {
  if (output === 'json') return items.map((item) => `${JSON.stringify(item)}\n`).join('');
  return invocationsText(items, { logs, head: isFirst });
}
