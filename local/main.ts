import { davitCommand, type Flags } from './command.ts';
import { backupCommands } from './commands/backup.ts';
import { eventsCommand } from './commands/events.ts';
import { kubeconfigCommand } from './commands/kubeconfig.ts';
import { newCommand } from './commands/new.ts';
import { redriveCommand } from './commands/redrive.ts';
import { replayCommand } from './commands/replay.ts';
import { tokenCommand } from './commands/token.ts';
import { typesCommand } from './commands/types.ts';
import { whichCommand } from './commands/which.ts';
import { manifestsCommand } from './commands/manifests.ts';
import { runCommand } from './commands/run.ts';
import { applyConfig, effectiveConfig } from './flags/config.ts';
import { serve } from './serve.ts';
import { messageOf } from './start-fault.ts';

const command = davitCommand();

try {
  command.command('start', { isDefault: true }).description('the server; the same as no command').action(begin);
  for (const add of [
    backupCommands,
    tokenCommand,
    kubeconfigCommand,
    whichCommand,
    newCommand,
    typesCommand,
    runCommand,
    manifestsCommand,
    redriveCommand,
    replayCommand,
    eventsCommand,
  ])
    add(command);
  await command.parseAsync();
} catch (error) {
  console.error(`davit: ${messageOf(error)}`);
  process.exit(1);
}

async function begin(): Promise<void> {
  const { config } = command.opts<Flags>();
  if (config !== undefined) applyConfig(command, config);
  const flags = command.opts<Flags>();
  if (flags.printConfig === true) process.stdout.write(effectiveConfig(command));
  else await serve(flags);
}
