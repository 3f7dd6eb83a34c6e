import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accessorCalls, documentedExports, looseArrows, median } from './code.ts';
import { facts } from './facts.ts';
import { comments, longSubjects, opensBadly } from './prose.ts';
import { ROOT } from './rooms.ts';
import { regressions, rowsOf, tableOf } from './table.ts';

test('no figure is worse than in the table of CONTRIBUTING.md', () => {
  const rows = rowsOf(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'));
  expect(rows.length).toBeGreaterThan(9);
  expect(regressions(facts(), rows)).toEqual([]);
});

test('a cell of docs/compatibility.md has at most 25 words', () => {
  const page = readFileSync(join(ROOT, 'docs/compatibility.md'), 'utf8');
  const cells = page.split('\n').flatMap((line) => (line.startsWith('|') ? line.split('|') : []));
  expect(cells.length).toBeGreaterThan(300);
  expect(cells.filter((cell) => cell.trim().split(/\s+/).length > 25)).toEqual([]);
});

describe('comments of a file', () => {
  test.each([
    ['a line', '// Reads it.\n// What follows.', ['Reads it.']],
    ['a block of one line', '/** Reads it. */', ['Reads it.']],
    ['a block of several lines', '/**\n * Reads it.\n * What follows.\n */', ['Reads it.']],
    ['a comment behind code', 'read(); // once', ['once']],
    ['an address in a string', "const url = 'https://example.com';", []],
  ])('reads the opening of %s', (_name, text, openings) => {
    expect(comments(text)).toEqual(openings);
  });

  test.each(['What is read', 'who asks', 'Whom it is for', 'Whoever asks', 'Where there is none'])(
    'rejects "%s"',
    (text) => {
      expect(opensBadly(text)).toBe(true);
    },
  );

  test.each(['Whatever is read', 'Where the object is', 'The reader'])('accepts "%s"', (text) => {
    expect(opensBadly(text)).toBe(false);
  });
});

test('a subject of 72 characters is short enough, counted in code points', () => {
  expect(longSubjects(['a'.repeat(72), '😀'.repeat(72), 'a'.repeat(73)])).toEqual(['a'.repeat(73)]);
});

describe('exports of a file', () => {
  test.each([
    ['without a comment', 'export const a = 1;', 1, 0],
    ['with a comment', '/** The first. */\nexport const a = 1;', 1, 1],
    ['apart from its comment', '/** The first. */\n\nexport const a = 1;', 1, 0],
    ['overloaded', '/** Reads. */\nexport function a(): void;\nexport function a(): void {}', 1, 1],
    ['of another file', "export { a } from './a.ts';\nexport * from './b.ts';", 0, 0],
  ])('are counted for an export %s', (_name, text, exports, documented) => {
    expect(documentedExports(text)).toEqual({ exports, documented });
  });
});

test('counts calls that name a field by a string, and no others', () => {
  expect(
    accessorCalls("objectAt(pod, 'spec'); text(metadataOf(pod), 'name'); seen.has(pod, 'a'); text(pod, field);"),
  ).toBe(2);
});

test.each([
  ['an arrow with statements', 'export const a = (b: string): C => {\n  return c;\n};', 1],
  ['an asynchronous arrow on several lines', 'export const a = async <T>(\n  b: T,\n): Promise<C> => {\n};', 1],
  ['no arrow with one expression', 'export const a = (b: string): C => ({\n  c: b.map((d) => {\n  }),\n});', 0],
  ['no arrow with a type', 'export const a: Filter = (b) => {\n};', 0],
  ['no function declaration', 'export function a(b: string): C {\n}', 0],
])('counts %s as an untyped constant', (_name, text, count) => {
  expect(looseArrows(text)).toBe(count);
});

test('the median of an even number is the lower middle', () => {
  expect([median([4, 1, 3, 2]), median([])]).toEqual([2, 0]);
});

describe('the ratchet of figures', () => {
  const rows = rowsOf(
    '| Fact | Now | Goal |\n| --- | --- | --- |\n| riddles | 1,000 | ≤ 0 |\n| documented | 70.5 | ≥ 95 |\n| files | 9 | |',
  );

  test('reads figures and goals from a table', () => {
    expect(rows).toEqual([
      { fact: 'riddles', now: 1000, goal: '≤ 0' },
      { fact: 'documented', now: 70.5, goal: '≥ 95' },
      { fact: 'files', now: 9, goal: '' },
    ]);
  });

  test.each([
    ['accepts better figures', 500, 80, []],
    ['leaves a fiftieth for other work', 1020, 69.1, []],
    ['rejects more', 1021, 70.5, ['riddles: 1021, the table has 1000 (goal ≤ 0)']],
    ['rejects less', 1000, 69, ['documented: 69, the table has 70.5 (goal ≥ 95)']],
  ])('compares figures: %s', (_name, riddles, documented, worse) => {
    expect(regressions({ riddles, documented, files: 99 }, rows)).toEqual(worse);
  });

  test('allows a figure within its goal to change', () => {
    const [row] = rowsOf('| lines | 50 | ≤ 110 |');
    expect(regressions({ lines: 110 }, row === undefined ? [] : [row])).toEqual([]);
  });

  test('reports a row without a measurement, except commits if git is missing', () => {
    const lost = rowsOf('| gone | 1 | ≤ 1 |\n| Commit subjects | 0 | ≤ 0 |');
    expect(regressions({}, lost)).toEqual(['gone: nothing measures it']);
  });

  test('writes the table with measured figures and the goals as they were', () => {
    expect(tableOf({ riddles: 1200, files: 9 }, rows)).toBe(
      '| Fact | Now | Goal |\n| --- | --- | --- |\n| riddles | 1,200 | ≤ 0 |\n| files | 9 |  |',
    );
  });
});
