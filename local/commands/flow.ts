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

/** The longest line in DIMACS format: six numbers, or a comment. */
const MAX_DIMACS_LINE = 10_000;
/** The longest line of a sequence, whose first line contains the whole network. */
const MAX_SEQUENCE_LINE = 256 * 1024 * 1024;

interface FlowFlags {
  readonly incremental?: boolean;
}

/** The process's streams; tests replace them. */
interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Adds `flow`, which runs the minimum-cost flow solver as a program. */
export function flowCommand(command: Command, { input, output }: Streams = process_()): void {
  command
    .command('flow [file]')
    .description('solve a minimum-cost flow problem in DIMACS format, from a file or standard input')
    .option('--incremental', 'read a network and its changes as lines of JSON, and print the optimal cost after each')
    .action(async (file: string | undefined, { incremental = false }: FlowFlags) => {
      const solutions = incremental ? solveSequence(input, file) : solveProblem(input, file);
      try {
        await pipeline(Readable.from(withNewlines(solutions)), output, { end: false });
      } catch (error) {
        if (error instanceof FlowFormatError || error instanceof FlowRangeError) throw new StartFault(error.message);
        if (!isClosedPipe(error)) throw error;
      }
    });
}

const process_ = (): Streams => ({ input: process.stdin, output: process.stdout });

async function* solveProblem(input: Readable, file: string | undefined): AsyncGenerator<string> {
  const graph = await decodeDimacs(linesOf(input, file, MAX_DIMACS_LINE));
  yield* encodeSolution(graph, new FlowSolver(graph).solve() === 'optimal');
}

async function* solveSequence(input: Readable, file: string | undefined): AsyncGenerator<string> {
  const sequence = new ChangeSequence();
  for await (const line of linesOf(input, file, MAX_SEQUENCE_LINE))
    yield sequence.apply(line) === 'optimal' ? String(sequence.graph.totalCost()) : 'INFEASIBLE';
}

/** The lines of a file or of standard input. Throws StartFault if the file cannot be read, and FlowFormatError for an invalid line. */
async function* linesOf(input: Readable, file: string | undefined, maxLength: number): AsyncGenerator<string> {
  try {
    yield* boundedLines(file === undefined ? input : createReadStream(file), maxLength, tooLong);
  } catch (error) {
    throw file === undefined || error instanceof FlowFormatError ? error : fileFault(file, error);
  }
}

/** Whether the program that reads the output has exited, as `head` does. */
const isClosedPipe = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EPIPE';

async function* withNewlines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function tooLong(line: number): never {
  throw new FlowFormatError(line, 'the line is too long');
}
