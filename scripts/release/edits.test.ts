import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EDITS, releaseOf } from './edits.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const { version: previous } = JSON.parse(read('package.json')) as { version: string };

test.each([
  ['1.2', '1.1.0', '1.2 is not MAJOR.MINOR.PATCH'],
  ['v1.2.0', '1.1.0', 'v1.2.0 is not MAJOR.MINOR.PATCH'],
  ['1.2.0', '1.10.0', '1.2.0 is not above 1.10.0'],
  ['1.2.0', '1.2.0', '1.2.0 is not above 1.2.0'],
])('rejects %s after %s', (version, before, message) => {
  expect(() => releaseOf(version, before, false, '2026-11-23')).toThrow(message);
});

test('accepts a version above the last one, and the first one that was never released', () => {
  expect(releaseOf('1.10.0', '1.9.0', false, '2026-11-23').version).toBe('1.10.0');
  expect(releaseOf('0.1.0', '0.1.0', true, '2026-11-23').version).toBe('0.1.0');
});

test.each(Object.keys(EDITS))('changes %s as it is', (file) => {
  const release = { version: '98.7.6', previous, date: '2026-11-23' };
  expect(EDITS[file]?.(read(file), release)).toContain('98.7.6');
});

test('fails if a file does not name the version', () => {
  const release = { version: '98.7.6', previous: '97.0.0', date: '2026-11-23' };
  expect(() => EDITS['package.json']?.(read('package.json'), release)).toThrow('found no');
});
