import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PodHostFiles } from './pod-host-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'davit-pod-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = new PodHostFiles();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const modeOf = (path: string): number => lstatSync(path).mode & 0o7777;

describe('a file below a folder', () => {
  beforeEach(() => {
    mkdirSync(at('volume', '..data'), { recursive: true });
    writeFileSync(at('volume', '..data', 'a.env'), "A='1'\n");
    writeFileSync(at('secret'), 'of the host');
  });

  const read = async (path: string): Promise<string> => String(await files.readBelow(at('volume'), path));

  test('is readable, also through links that stay below the folder', async () => {
    symlinkSync('..data/a.env', at('volume', 'a.env'));
    expect(await read('a.env')).toBe("A='1'\n");
    expect(await read('..data/a.env')).toBe("A='1'\n");
  });

  test.each([
    ['a link out of it', '../secret'],
    ['an absolute link', '/etc/hostname'],
    ['a link to a device', '/dev/null'],
  ])('is not readable through %s', async (_, target) => {
    symlinkSync(target, at('volume', 'link'));
    await expect(read('link')).rejects.toThrow('the path leads out of its folder');
  });

  test('is not readable through a path out of the folder', async () => {
    await expect(read('../secret')).rejects.toThrow('the path leads out of its folder');
  });

  test('must be a regular file of limited size', async () => {
    execFileSync('mkfifo', [at('volume', 'pipe')]);
    await expect(read('pipe')).rejects.toThrow('not a regular file');
    await expect(read('..data')).rejects.toThrow('not a regular file');
    writeFileSync(at('volume', 'large'), Buffer.alloc(1024 * 1024 + 1));
    await expect(read('large')).rejects.toThrow('the file has more than 1048576 bytes');
  });

  test("is reported as missing with the system's text", async () => {
    await expect(read('none')).rejects.toThrow(/no such file or directory$/);
    await expect(files.read(at('none'))).rejects.toThrow(`open ${at('none')}: no such file or directory`);
  });
});

test('writes a file in place with its mode', async () => {
  writeFileSync(at('hosts'), 'a longer text before', { mode: 0o600 });
  const { ino } = lstatSync(at('hosts'));
  await files.write(at('hosts'), 'new', 0o666);
  expect(readFileSync(at('hosts'), 'utf8')).toBe('new');
  expect(modeOf(at('hosts'))).toBe(0o666);
  expect(lstatSync(at('hosts')).ino).toBe(ino);
});

test('does not write through a link', async () => {
  writeFileSync(at('target'), 'kept');
  symlinkSync('target', at('hosts'));
  await expect(files.write(at('hosts'), 'new', 0o644)).rejects.toThrow();
  expect(readFileSync(at('target'), 'utf8')).toBe('kept');
});

test('creates folders, sets modes, makes links and checks for existing files', async () => {
  await files.makeFolder(at('a', 'b'), 0o750);
  expect(await files.modeOf(at('a', 'b'))).toBe(0o750);
  expect(await files.exists(at('a'))).toBe(true);
  expect(await files.exists(at('none'))).toBe(false);
  symlinkSync('none', at('link'));
  expect(await files.isLink(at('link'))).toBe(true);
  expect(await files.isLink(at('a'))).toBe(false);
  expect(await files.isLink(at('none'))).toBe(false);
  expect(await files.exists(at('link'))).toBe(false);
  await expect(files.modeOf(at('none'))).rejects.toThrow('no such file or directory');
});
