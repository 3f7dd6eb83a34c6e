import type { Command } from 'commander';
import { connectionOf } from './connection.ts';
import { kubectl } from './kubectl.ts';
import { type Explanation, explain } from './netpol-gather.ts';
import { readQuestion } from './netpol-question.ts';
import { explanationText } from './netpol-text.ts';

interface Flags {
  readonly protocol: string;
  readonly output?: string;
}

/** Adds `netpol explain`, which prints whether network policies allow a connection, and which rule does. */
export function netpolCommand(command: Command): void {
  command
    .command('netpol')
    .description('ask network policies')
    .command('explain')
    .description('say whether network policies allow a connection, and which rule does')
    .argument('<source>', 'POD, NAMESPACE/POD or an address')
    .argument('<destination>', 'the same and a port: POD:PORT; a port is a number or the name of one of the pod')
    .option('--protocol <name>', 'TCP, UDP or SCTP', 'TCP')
    .option('-o, --output <format>', 'json prints one answer in each line')
    .action(async (source: string, destination: string, { protocol, output }: Flags, self: Command) => {
      const question = readQuestion(source, destination, protocol);
      const explanation = await explain(kubectl(connectionOf(self.optsWithGlobals())), question);
      process.stdout.write(output === 'json' ? jsonLines(explanation) : explanationText(explanation));
    });
}

const jsonLines = ({ answers }: Explanation): string =>
  answers
    .map(({ source, destination, ...answer }) => ({ source: source.name, destination: destination.name, ...answer }))
    .map((answer) => `${JSON.stringify(answer)}\n`)
    .join('');
