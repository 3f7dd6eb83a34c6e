import { Command } from 'commander';
import { whichCommand } from '../commands/which.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import { connectionFlags } from './connection.ts';
import { functionsCommand } from './functions.ts';
import { invocationsCommand } from './invocations.ts';
import { replayCommand } from './replay.ts';
import { traceCommand } from './trace.ts';

const command = connectionFlags(
  new Command('kubectl davit').description('Shows the calls of reconcilers and webhooks for your objects.'),
);

try {
  for (const add of [traceCommand, functionsCommand, invocationsCommand, replayCommand, whichCommand]) add(command);
  await command.parseAsync();
} catch (error) {
  console.error(`error: ${error instanceof StartFault ? error.message : messageOf(error)}`);
  process.exitCode = 1;
}
