import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testTitles } from '../support/test-titles.ts';

test('docs/emulators.md names tests that exist', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/emulators.md'), 'utf8');
  const titles = [...page.matchAll(/\| `([^`]+)` \|$/gm)].flatMap(([, title]) => title ?? []);
  const exists = testTitles();
  expect(titles.length).toBeGreaterThan(15);
  expect(titles.filter((title) => !exists(title))).toEqual([]);
});
