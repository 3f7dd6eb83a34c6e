import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CheckpointFile } from '#lib/node/kubelet/checkpointmanager/checkpoint-file.ts';
import { FileCheckpoints } from './checkpoint-store.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'checkpoints-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('stores checkpoints in files that only their owner can read', async () => {
  const store = new FileCheckpoints(join(directory, 'new'));
  expect(await store.list()).toEqual([]);
  expect(await store.read('cpu_manager_state')).toBeUndefined();
  const file = new CheckpointFile(store, 'cpu_manager_state');
  await Promise.all([file.write('one'), file.write('two')]);
  expect(String(await file.read())).toBe('two');
  expect(await store.list()).toEqual(['cpu_manager_state']);
  expect((await stat(join(directory, 'new', 'cpu_manager_state'))).mode & 0o777).toBe(0o600);
  await store.delete('cpu_manager_state');
  await store.delete('cpu_manager_state');
  expect(await store.list()).toEqual([]);
});

test('rejects a key that leads out of the folder', async () => {
  const store = new FileCheckpoints(directory);
  await expect(store.read('../passwd')).rejects.toThrow('invalid key: "../passwd"');
  await expect(store.write('.hidden', Buffer.from(''))).rejects.toThrow('invalid key');
});
