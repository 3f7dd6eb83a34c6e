import { Command } from 'commander';
import { whichCommand } from '../commands/which.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import { connectionFlags } from './connection.ts';
import { functionsCommand } from './functions.ts';
import { invocationsCommand } from './invocations.ts';
import { netpolCommand } from './netpol.ts';
import { replayCommand } from './replay.ts';
import { cpCommand } from './streams/cp.ts';
import { attachCommand, execCommand } from './streams/exec.ts';
import { logsCommand } from './streams/logs.ts';
import { portForwardCommand } from './streams/port-forward.ts';
import { traceCommand } from './trace.ts';

const command = connectionFlags(
  new Command('kubectl davit').description(
    'Shows the calls of reconcilers and webhooks for your objects, and opens streams to pods in every front door.',
  ),
);
const words = process.argv.slice(2);
/** The words after `--` are a command for a container. */
const end = words.includes('--') ? words.indexOf('--') : words.length;

try {
  const streams = [logsCommand, execCommand(words.slice(end + 1)), attachCommand, portForwardCommand, cpCommand];
  const calls = [traceCommand, functionsCommand, invocationsCommand, replayCommand];
  for (const add of [...calls, netpolCommand, whichCommand, ...streams]) add(command);
  await command.parseAsync(words.slice(0, end), { from: 'user' });
} catch (error) {
  console.error(`error: ${error instanceof StartFault ? error.message : messageOf(error)}`);
  process.exitCode = 1;
}
