import { createReadStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { ChangeSequence } from '#lib/flow/change-sequence.ts';
import { decodeDimacs, encodeSolution } from '#lib/flow/dimacs.ts';
import { FlowRangeError } from '#lib/flow/exact.ts';
import { FlowFormatError } from '#lib/flow/flow-format-error.ts';
import { FlowSolver } from '#lib/flow/flow-solver.ts';
import { fileFault, StartFault } from '../start-fault.ts';
import { boundedLines } from './bounded-lines.ts';

/** The longest line of DIMACS: six numbers, or a comment. */
const MAX_DIMACS_LINE = 10_000;
/** The longest line of a sequence: the first one has the whole network. */
const MAX_SEQUENCE_LINE = 256 * 1024 * 1024;

interface FlowFlags {
  readonly incremental?: boolean;
}

/** The streams of the process, in its place for tests. */
interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Adds `flow`, the solver of minimum-cost flows as a program. */
export function flowCommand(command: Command, { input, output }: Streams = process_()): void {
  command
    .command('flow [file]')
    .description('solve a minimum-cost flow problem in DIMACS format, of a file or of standard input')
    .option('--incremental', 'read a network and its changes as lines of JSON, and print the optimal cost after each')
    .action(async (file: string | undefined, { incremental = false }: FlowFlags) => {
      const stream = file === undefined ? input : createReadStream(file);
      const solutions = incremental ? solveSequence(stream) : solveProblem(stream);
      try {
        await pipeline(Readable.from(withNewlines(solutions)), output, { end: false });
      } catch (error) {
        if (error instanceof FlowFormatError || error instanceof FlowRangeError) throw new StartFault(error.message);
        throw file === undefined ? error : fileFault(file, error);
      }
    });
}

const process_ = (): Streams => ({ input: process.stdin, output: process.stdout });

async function* solveProblem(input: Readable): AsyncGenerator<string> {
  const graph = await decodeDimacs(boundedLines(input, MAX_DIMACS_LINE, tooLong));
  yield* encodeSolution(graph, new FlowSolver(graph).solve() === 'optimal');
}

async function* solveSequence(input: Readable): AsyncGenerator<string> {
  const sequence = new ChangeSequence();
  for await (const line of boundedLines(input, MAX_SEQUENCE_LINE, tooLong))
    yield sequence.apply(line) === 'optimal' ? String(sequence.graph.totalCost()) : 'INFEASIBLE';
}

async function* withNewlines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function tooLong(line: number): never {
  throw new FlowFormatError(line, 'the line is too long');
}
