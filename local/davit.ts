import type { Command } from 'commander';
import { stderrLog } from '#adapters/process/stderr-log.ts';
import { davitCommand, type Flags } from './command.ts';
import { backupCommands } from './commands/backup.ts';
import { checkCommand } from './commands/check.ts';
import { completionCommand } from './commands/completion.ts';
import { eventsCommand } from './commands/events.ts';
import { flowCommand } from './commands/flow.ts';
import { kubeconfigCommand } from './commands/kubeconfig.ts';
import { manifestsCommand } from './commands/manifests.ts';
import { newCommand } from './commands/new.ts';
import { nodeCommand } from './commands/node.ts';
import { redriveCommand } from './commands/redrive.ts';
import { replayCommand } from './commands/replay.ts';
import { runCommand } from './commands/run.ts';
import { statusCommand } from './commands/status.ts';
import { stopCommand } from './commands/stop.ts';
import { tokenCommand } from './commands/token.ts';
import { typesCommand } from './commands/types.ts';
import { whichCommand } from './commands/which.ts';
import { checkValues } from './flags/check.ts';
import { applyConfig, effectiveConfig, unknownCommand, unknownFlag } from './flags/config.ts';
import { shortHelp, startHelp, takenFlags } from './flags/help.ts';
import { serve } from './serve.ts';
import { StartFault } from './start-fault.ts';

/** Commands that only the kubectl plugin has. */
const KUBECTL_COMMANDS = ['trace', 'functions', 'invocations'];
const COMMANDS = [
  statusCommand,
  stopCommand,
  backupCommands,
  checkCommand,
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
  nodeCommand,
  completionCommand,
  flowCommand,
];

/** Runs `davit` with these arguments. Throws StartFault. Unknown flags end the process. */
export async function davit(args: readonly string[]): Promise<void> {
  await wholeCommand().parseAsync(args, { from: 'user' });
}

/** `davit` with every flag and command. */
export function wholeCommand(): Command {
  const command = davitCommand();
  const start = command
    .command('start', { isDefault: true })
    .summary('start the server; the default command')
    .description('Starts the server, which writes its kubeconfig to the data directory and runs until you stop it.')
    .usage('[flags]')
    .allowExcessArguments()
    .allowUnknownOption() // an unknown command may have any flags
    .action((_, { args: [word] }: Command) => (word === undefined ? begin(command) : refuse(word, command)));
  for (const add of COMMANDS) add(command);
  takenFlags(command);
  shortHelp(command);
  startHelp(start);
  return command;
}

/** Rejects arguments of the default command, because the parser passes it every unknown word and flag. */
function refuse(word: string, { commands, options }: Command): never {
  if (word.startsWith('-')) throw new StartFault(unknownFlag(word, options));
  if (KUBECTL_COMMANDS.includes(word))
    throw new StartFault(`there is no command ${word}; the nearest is kubectl davit ${word}`);
  throw new StartFault(unknownCommand(word, commands));
}

async function begin(command: Command): Promise<void> {
  const { config } = command.opts<Flags>();
  if (config !== undefined) applyConfig(command, config);
  const flags = command.opts<Flags>();
  const write = stderrLog(flags.logFormat);
  for (const message of checkValues(flags)) write({ level: 'warning', message });
  if (flags.printConfig === true) process.stdout.write(effectiveConfig(command));
  else await serve(flags);
}
