import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const NODES = readFileSync(join(ROOT, 'docs/nodes.md'), 'utf8');
const SECTION = /\n### What works where\n([^]*?)\n## /.exec(NODES)?.[1] ?? '';
const ROWS = SECTION.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  .map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
const CELLS = ROWS.filter(({ length }) => length === 7);
/** The tests by their letters in the table. */
const TESTS = new Map(ROWS.filter(({ length }) => length === 2).map(([letter = '', named = '']) => [letter, named]));

test('docs/nodes.md lists which stream works through which front door', () => {
  expect(CELLS.slice(1).map(([name]) => name)).toEqual([
    'logs',
    'logs -f',
    'exec',
    'attach',
    'port-forward',
    'cp',
    'nodes/proxy',
    'webhooks in pods',
  ]);
});

test.each(CELLS.slice(1))('the row of %s names tests', (_, ...cells) => {
  for (const cell of cells) {
    const letters = /\(([a-z]+(?:, [a-z]+)*)\)$/.exec(cell)?.[1]?.split(', ') ?? [];
    if (letters.length === 0) expect(cell).toBe('as kubectl');
    for (const letter of letters) expect([...TESTS.keys()]).toContain(letter);
  }
});

test.each([...TESTS].filter(([letter]) => letter !== ''))('test %s of docs/nodes.md exists: %s', (_, named) => {
  const [, path = '', name = ''] = /^`([^`]+)`: (.*)$/.exec(named) ?? [];
  expect(readFileSync(join(ROOT, path), 'utf8')).toContain(`'${name}'`);
});
