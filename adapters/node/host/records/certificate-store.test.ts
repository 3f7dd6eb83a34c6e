import { mkdtemp, readdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileStore } from './certificate-store.ts';

const pair = (name: string) => ({
  certificate: `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`,
  key: `-----BEGIN PRIVATE KEY-----\n${name}\n-----END PRIVATE KEY-----\n`,
});
let folder: string;
let now = 0;
let store: FileStore;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'store-')), 'pki');
  store = new FileStore(folder, () => now++);
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

test('is empty at first', async () => {
  expect(await store.current()).toBe(undefined);
  expect(await store.pendingKey()).toBe(undefined);
});

test('keeps only the last pair, readable by its owner', async () => {
  for (const name of ['a', 'b']) await store.update(pair(name));
  expect(await new FileStore(folder, () => 0).current()).toEqual(pair('b'));
  const file = await readlink(store.currentPath);
  expect((await readdir(folder)).sort()).toEqual([file, 'kubelet-client-current.pem'].sort());
  expect((await stat(store.currentPath)).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('recovers from a crash between any two steps', async () => {
  await store.update(pair('a'));
  await writeFile(join(folder, '.kubelet-client-half.pem.new'), 'half');
  await symlink('kubelet-client-nowhere.pem', join(folder, 'kubelet-client-updated.pem'));
  expect(await store.current()).toEqual(pair('a'));
  await store.update(pair('b'));
  expect(await store.current()).toEqual(pair('b'));
});

test('keeps the key of a request until it is dropped', async () => {
  await store.keepPendingKey('key');
  expect(await store.pendingKey()).toBe('key');
  expect((await stat(join(folder, 'kubelet-client.key.tmp'))).mode & 0o777).toBe(0o600);
  await store.keepPendingKey(undefined);
  expect(await store.pendingKey()).toBe(undefined);
});

test('rejects a file without a key', async () => {
  await store.update({ ...pair('a'), key: '' });
  await expect(store.current()).rejects.toThrow('has no key');
});
