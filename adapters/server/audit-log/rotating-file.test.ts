import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { RotatingFile, type RotatingFileOptions } from './rotating-file.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'audit-log-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const LINE = `${'x'.repeat(400_000)}\n`;

function open(more: Partial<RotatingFileOptions> = {}) {
  const clock = new ManualClock(Date.parse('2026-01-02T03:04:05.006Z'));
  const faults: unknown[] = [];
  const file = new RotatingFile({
    path: join(folder, 'log', 'audit.log'),
    maxAge: 0,
    maxBackups: 0,
    maxSize: 1,
    compress: false,
    clock,
    reportFault: (error) => void faults.push(error),
    ...more,
  });
  return { file, clock, faults };
}
const files = (): string[] => readdirSync(join(folder, 'log')).sort();

test('appends lines to a file that only its owner can read', () => {
  open().file.write('one\n');
  const { file } = open();
  file.write('two\n');
  file.close();
  const path = join(folder, 'log', 'audit.log');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('renames a full file with a timestamp, and gives two files of one moment different names', () => {
  const { file } = open();
  for (let i = 0; i < 5; i++) file.write(LINE);
  file.close();
  expect(files()).toEqual(['audit-2026-01-02T03-04-05.006.log', 'audit-2026-01-02T03-04-05.007.log', 'audit.log']);
});

test('keeps one file without a size limit', () => {
  const { file } = open({ maxSize: 0 });
  for (let i = 0; i < 5; i++) file.write(LINE);
  file.close();
  expect(files()).toEqual(['audit.log']);
});

test('removes only old files beyond the limits of number or age', () => {
  const { file, clock } = open({ maxBackups: 2, maxAge: 3 });
  writeFileSync(join(folder, 'log', 'audit-of-mine.log'), '');
  for (let day = 0; day < 8; day++) {
    file.write(LINE);
    file.write(LINE);
    clock.advance(day < 5 ? 24 * 3_600_000 : 2 * 24 * 3_600_000);
  }
  file.close();
  expect(files()).toEqual([
    'audit-2026-01-09T03-04-05.006.log',
    'audit-2026-01-11T03-04-05.006.log',
    'audit-of-mine.log',
    'audit.log',
  ]);
});

test('compresses old files', async () => {
  const { file, faults } = open({ compress: true });
  for (let i = 0; i < 3; i++) file.write(LINE);
  file.close();
  const kept = 'audit-2026-01-02T03-04-05.006.log.gz';
  await eventually(() => expect(files()).toEqual([kept, 'audit.log']));
  expect(gunzipSync(readFileSync(join(folder, 'log', kept))).length).toBe(2 * LINE.length);
  expect(faults).toEqual([]);
});
