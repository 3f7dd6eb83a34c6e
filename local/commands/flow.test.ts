import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { davitCommand } from '../command.ts';
import { flowCommand } from './flow.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-flow-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The output of the command for this standard input. */
async function flow(input: string, ...args: readonly string[]): Promise<string> {
  const output = new PassThrough();
  const command = davitCommand().exitOverride();
  flowCommand(command, { input: Readable.from([Buffer.from(input)]), output });
  const written = text(output);
  try {
    await command.parseAsync(['flow', ...args], { from: 'user' });
  } finally {
    output.end();
  }
  return written;
}

const PROBLEM = 'p min 2 2\nn 1 3\nn 2 -3\na 1 2 0 2 1\na 1 2 0 2 5\n';

test('solves a problem of standard input or of a file', async () => {
  const solution = 's 7\nf 1 2 2\nf 1 2 1\n';
  expect(await flow(PROBLEM)).toBe(solution);
  writeFileSync(join(folder, 'problem.min'), PROBLEM.trimEnd());
  expect(await flow('', join(folder, 'problem.min'))).toBe(solution);
});

test('prints the cost after each change with --incremental', async () => {
  const lines = [
    { nodes: 2, supply: { 1: 3, 2: -3 }, arcs: [[1, 2, 5, 4]] },
    { nodes: 2, set: [[1, 2, 2, 4]] },
    { nodes: 2, set: [[1, 2, 3, -1]] },
  ];
  const input = lines.map((line) => JSON.stringify(line)).join('\n');
  expect(await flow(input, '--incremental')).toBe('12\nINFEASIBLE\n-3\n');
});

test.each([
  ['p min 2 1\na 1 5 0 1 1\n', 'line 2: no node 5; nodes are 1 to 2'],
  [`p min 2 1\nc ${'x'.repeat(20_000)}`, 'line 2: the line is too long'],
  [
    `p min 2 2\nn 1 12000\nn 2 -12000\na 1 2 0 9000 ${10 ** 12}\na 1 2 0 9000 ${10 ** 12}\n`,
    'the cost of arc 1 -> 2 makes a sum beyond 2^53',
  ],
])('rejects %#', async (input, message) => {
  await expect(flow(input)).rejects.toThrow(message);
});

test('ends without an error when the reader of its output has ended', async () => {
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  const output = new Writable({ write: (_chunk, _encoding, done) => done(closed) });
  const command = davitCommand().exitOverride();
  flowCommand(command, { input: Readable.from([Buffer.from(PROBLEM)]), output });
  await expect(command.parseAsync(['flow'], { from: 'user' })).resolves.toBeDefined();
  expect(output.errored).toBe(closed);
});

test('names a file that cannot be read', async () => {
  await expect(flow('', join(folder, 'none'))).rejects.toThrow(/^cannot use .*none: /);
});
