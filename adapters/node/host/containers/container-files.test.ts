import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostContainerFiles as files } from './container-files.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'davit-container-files-'));
});
afterEach(() => rm(root, { recursive: true }));

test("removes a pod's logs with their folder, but no target of a link", async () => {
  const [pod, other] = [join(root, 'pod'), join(root, 'other')];
  await mkdir(join(pod, 'main'), { recursive: true });
  await mkdir(other);
  await writeFile(join(other, 'file'), 'text');
  await writeFile(join(pod, 'main/0.log'), 'text');
  await symlink(other, join(pod, 'main/link'));
  await files.removeAll(pod);
  await symlink(other, pod);
  await files.removeAll(pod);
  await files.removeAll(pod); // the folder no longer exists
  expect(await readdir(root)).toEqual(['other']);
  expect(await readFile(join(other, 'file'), 'utf8')).toBe('text');
});

test('reads the end of a message of any size', async () => {
  const path = join(root, 'message');
  await writeFile(path, 'text');
  expect(await files.readTail(path, 3)).toBe('ext');
  await truncate(path, 2 ** 40); // sparse
  expect(await files.readTail(path, 4)).toBe('\0'.repeat(4));
});

test('does not read a message that is a link, a pipe or a folder', async () => {
  const path = join(root, 'message');
  await symlink('/etc/passwd', path);
  await expect(files.readTail(path, 10)).rejects.toThrow('ELOOP');
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await files.readTail(join(root, 'pipe'), 10)).toBeUndefined();
  expect(await files.readTail(root, 10)).toBeUndefined();
  expect(await files.readTail(join(root, 'none'), 10)).toBeUndefined();
});
