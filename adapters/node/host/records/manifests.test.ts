import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manifestsAt } from './manifests.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'davit-manifests-'));
});
afterEach(() => rm(root, { recursive: true }));

test('reads the files of a folder despite a subfolder and a broken link', async () => {
  await symlink('gone', join(root, 'a'));
  await mkdir(join(root, 'b'));
  await writeFile(join(root, '.hidden'), 'x');
  await writeFile(join(root, 'c'), 'text');
  const [manifest, ...others] = await manifestsAt(root);
  expect(others).toEqual([]);
  expect(Buffer.from((await manifest?.read()) ?? []).toString()).toBe('text');
});

test('does not read a manifest of excessive size', async () => {
  await writeFile(join(root, 'a'), '');
  await truncate(join(root, 'a'), 2 ** 40); // sparse
  const [manifest] = await manifestsAt(join(root, 'a'));
  await expect(manifest?.read()).rejects.toThrow('a is larger than 10485760 bytes');
});
