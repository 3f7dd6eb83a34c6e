import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import { isLeaf, type Leaf, type Question, WHICH } from './which-tree.ts';

/** Adds `which`, which asks questions and prints the matching extension point. */
export function whichCommand(command: Command): void {
  command
    .command('which')
    .description('find the extension point for your need in at most eight questions')
    .action(async () => {
      const found = await ask(process.stdin, process.stdout);
      if (found === undefined) process.exitCode = 1;
    });
}

/**
 * Asks questions until it reaches a result. Returns undefined if the input ends first. An answer is its number, its text or a prefix of the
 * text.
 */
export async function ask(input: Readable, output: Writable): Promise<Leaf | undefined> {
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  let here: Question | Leaf = WHICH;
  while (!isLeaf(here)) {
    output.write(prompt(here));
    const { value, done } = await lines.next();
    if (done === true) return undefined;
    const next = answered(here, value);
    if (next === undefined) output.write('Answer by a number or its text.\n');
    else here = next;
  }
  output.write(`\nUse ${here.use}: ${here.how}.\n`);
  return here;
}

const prompt = ({ ask: question, answers }: Question): string =>
  `\n${question}\n${answers.map(([answer], i) => `  ${i + 1}  ${answer}\n`).join('')}> `;

function answered({ answers }: Question, line: string): Question | Leaf | undefined {
  const text = line.trim().toLowerCase();
  const begins = text === '' ? [] : answers.filter(([answer]) => answer.toLowerCase().startsWith(text));
  return answers[Number(text) - 1]?.[1] ?? (begins.length === 1 ? begins[0]?.[1] : undefined);
}
