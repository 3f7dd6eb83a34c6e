import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testTitles } from '../support/test-titles.ts';

const ROOT = join(import.meta.dirname, '../..');
const TITLE = /(?:\btests? (?:of )?|(?<=`) and )`([^`]+)`/g;

/** The rows of the table, by their first cell. */
const rows = (): string[] => {
  const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
  const [, section = ''] = page.split('## Known vulnerabilities of Kubernetes nodes\n');
  return (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| (?:CVE|no number)/.test(line));
};

const titles = (row: string): string[] => [...row.matchAll(TITLE)].flatMap(([, title]) => title ?? []);

test('every test that the table of vulnerabilities names exists', () => {
  const exists = testTitles();
  expect(rows().length).toBeGreaterThan(20);
  expect(
    rows()
      .flatMap(titles)
      .filter((title) => !exists(title)),
  ).toEqual([]);
});

test('every vulnerability has a reason why it does not apply, or a test', () => {
  const isToldWhy = (row: string): boolean =>
    titles(row).length > 0 || row.includes('not applicable: ') || row.includes('no port without authentication exists');
  expect(rows().filter((row) => !isToldWhy(row))).toEqual([]);
  expect(rows().filter((row) => row.split(' | ').length !== 3)).toEqual([]);
});

test('the table lists each vulnerability exactly once', () => {
  const numbers = rows().flatMap((row) => row.split(' | ')[0]?.match(/CVE-\d{4}-\d+/g) ?? []);
  expect(numbers).toEqual([...new Set(numbers)]);
});
