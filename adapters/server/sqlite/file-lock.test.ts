import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mortal } from '#test/support/mortal.ts';
import { lockFile } from './file-lock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'davit-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('allows one holder at a time', () => {
  const path = join(folder, 'lock');
  const first = lockFile(path);
  expect(first).toBeDefined();
  expect(lockFile(path)).toBeUndefined();
  first?.release();
  lockFile(path)?.release();
});

test('releases the lock of a killed holder', async () => {
  const path = join(folder, 'lock');
  const program = `const { lockFile } = await import(${JSON.stringify(new URL('./file-lock.ts', import.meta.url).href)}); lockFile(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '-e', program];
  const holder = mortal(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  await once(holder.stdout, 'data');
  expect(lockFile(path)).toBeUndefined();
  const exited = once(holder, 'exit');
  holder.kill('SIGKILL');
  await exited;
  const lock = lockFile(path);
  expect(lock).toBeDefined();
  lock?.release();
});
