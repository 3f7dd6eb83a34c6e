import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApiserver } from './start-apiserver.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-foundation-'));
});
afterEach(() => rm(folder, { recursive: true }));

const start = () => startApiserver({ dataDirectory: folder, controllers: false });

test.each<[string, (path: string) => Promise<unknown>]>([
  ['missing', (path) => rm(path)],
  ['emptied', (path) => truncate(path)],
  [
    'without tables',
    async (path) => {
      await rm(path);
      const db = new DatabaseSync(path);
      db.exec('PRAGMA journal_mode = WAL; VACUUM');
      db.close();
    },
  ],
])('rejects a database that is %s if its identity is known, and changes nothing', async (_, lose) => {
  await (await start()).close();
  const path = join(folder, 'davit.db');
  await lose(path);
  const size = async (): Promise<number | undefined> => (await stat(path).catch(() => undefined))?.size;
  const before = await size();
  const identity = join(folder, 'identity.json');
  await expect(start()).rejects.toThrow(
    `${path} is missing or empty, but ${identity} is there; put back a copy and run davit restore --data-dir ${folder}, or remove ${identity} to begin anew`,
  );
  expect(await size()).toBe(before);
  await rm(identity);
  await (await start()).close();
});

test('repeats a first start that ended before it had an identity', async () => {
  await (await start()).close();
  await rm(join(folder, 'identity.json'));
  await (await start()).close();
  expect(await readdir(folder)).toContain('identity.json');
});
