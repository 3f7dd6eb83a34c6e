import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLogs } from '#lib/node/kubelet/kuberuntime/logs/read-logs.ts';
import { LogFolder } from './log-file.ts';
import { rotatedLogs } from './rotated-logs.ts';

let folder = '';
let root = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-logs-'));
  root = join(folder, 'pods');
  await mkdir(root);
});
afterEach(() => rm(folder, { recursive: true }));

const LINE = '2026-01-01T00:00:00Z stdout F one\n';
const signal = new AbortController().signal;

async function contentOf(path: string): Promise<string> {
  await using file = await new LogFolder(root).open(path);
  return Buffer.from(await file.read(0, await file.size())).toString();
}

describe('a log below the folder', () => {
  test('is readable even if the folder itself is a link', async () => {
    await writeFile(join(root, '0.log'), LINE);
    expect(await contentOf(join(root, '0.log'))).toBe(LINE);
    await rename(root, join(folder, 'large-disk'));
    await symlink('large-disk', root);
    expect(await contentOf(join(root, '0.log'))).toBe(LINE);
  });

  test('is followed through a rotation', async () => {
    const path = join(root, '0.log');
    await writeFile(path, LINE);
    const options = { follow: true, timestamps: false };
    let isRunning = true;
    const reader = readLogs(path, options, { files: new LogFolder(root), isRunning: async () => isRunning }, signal);
    const next = async (): Promise<string> => Buffer.from((await reader.next()).value ?? []).toString();
    expect(await next()).toBe('one\n');
    await appendFile(path, LINE.replace('one', 'two'));
    expect(await next()).toBe('two\n');
    await rename(path, `${path}.1`);
    await writeFile(path, LINE.replace('one', 'three'));
    expect(await next()).toBe('three\n');
    isRunning = false;
    expect((await reader.next()).done).toBe(true);
  });
});

describe('opening a log rejects', () => {
  test('a link to any target', async () => {
    const secret = join(folder, 'secret');
    await writeFile(secret, 'secret');
    await symlink(secret, join(root, '0.log'));
    await expect(contentOf(join(root, '0.log'))).rejects.toThrow('unexpected symlink found');
    expect(await new LogFolder(root).identity(join(root, '0.log'))).toBeDefined(); // the link itself
    await symlink(folder, join(root, 'dir'));
    await expect(contentOf(join(root, 'dir/secret'))).rejects.toThrow('unexpected symlink found');
    await writeFile(join(root, '1.log'), LINE);
    await symlink('1.log', join(root, 'latest'));
    await expect(contentOf(join(root, 'latest'))).rejects.toThrow('unexpected symlink found');
  });

  test('a path outside the folder', async () => {
    await expect(contentOf(join(root, '../secret'))).rejects.toThrow(`it is outside of ${root}`);
  });

  test('anything other than a file', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(contentOf(join(root, 'pipe'))).rejects.toThrow('is no regular file');
    await mkdir(join(root, 'dir'));
    await expect(contentOf(join(root, 'dir'))).rejects.toThrow('is no regular file');
  });

  test('a missing file', async () => {
    const path = join(root, 'none');
    await expect(contentOf(path)).rejects.toThrow(`failed to open log file "${path}": no such file or directory`);
  });
});

test('compresses a log in its folder', async () => {
  const path = join(root, '0.log.1');
  await writeFile(path, LINE);
  await rotatedLogs.compress(path, `${path}.tmp`);
  expect(gunzipSync(await readFile(`${path}.tmp`)).toString()).toBe(LINE);
  expect((await rotatedLogs.beginningWith(join(root, '0.log.'))).toSorted()).toEqual([path, `${path}.tmp`]);
  expect(await rotatedLogs.size(join(root, 'none'))).toBeUndefined();
  await rotatedLogs.remove(join(root, 'none'));
});

test('neither compresses a link nor writes through one', async () => {
  const secret = join(folder, 'secret');
  await writeFile(secret, 'secret'.repeat(100));
  const path = join(root, '0.log.1');
  await symlink(secret, path);
  expect(await rotatedLogs.size(path)).toBe(secret.length); // the size of the link
  await expect(rotatedLogs.compress(path, `${path}.tmp`)).rejects.toThrow('ELOOP');
  await rename(path, `${path}.tmp`);
  await writeFile(path, LINE);
  await rotatedLogs.compress(path, `${path}.tmp`);
  expect(await readFile(secret, 'utf8')).toBe('secret'.repeat(100));
  expect(gunzipSync(await readFile(`${path}.tmp`)).toString()).toBe(LINE);
  await rename(path, join(root, 'file'));
  execFileSync('mkfifo', [path]);
  await expect(rotatedLogs.compress(path, `${path}.tmp`)).rejects.toThrow('is no regular file');
});
