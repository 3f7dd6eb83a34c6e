import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exposureWarnings, writeOwnerOnly } from './owner-only.ts';
import { startApiserver } from './start-apiserver.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-owner-'));
});
afterEach(() => rm(folder, { recursive: true }));

const QUIET = { controllers: false } as const;

async function modes(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory)).sort();
  const found = await Promise.all(names.map((name) => stat(join(directory, name))));
  return Object.fromEntries(names.map((name, i) => [name, ((found[i]?.mode ?? 0) & 0o777).toString(8)]));
}

const RUNNING = [
  '.gitignore',
  'davit.db',
  'davit.db-shm',
  'davit.db-wal',
  'identity.json',
  'lock',
  'lock-journal',
  'pid',
];
const PRIVATE = Object.fromEntries(RUNNING.map((name) => [name, '600']));

test("only the owner can read a server's files, in a folder that others can read", async () => {
  const dataDirectory = join(folder, 'data');
  await mkdir(dataDirectory, { mode: 0o755 });
  await using _ = await startApiserver({ ...QUIET, dataDirectory });
  expect(await modes(dataDirectory)).toEqual(PRIVATE);
  expect(await exposureWarnings(dataDirectory)).toEqual([
    `other users have rights on ${dataDirectory} (mode 755); run chmod go-rwx ${dataDirectory}`,
  ]);
});

test("the next start removes others' access to files that they could read", async () => {
  const dataDirectory = join(folder, 'data');
  {
    await using _ = await startApiserver({ ...QUIET, dataDirectory });
  }
  for (const name of ['davit.db', 'identity.json', 'lock']) await chmod(join(dataDirectory, name), 0o644);
  await using _ = await startApiserver({ ...QUIET, dataDirectory });
  expect(await modes(dataDirectory)).toEqual(PRIVATE);
  expect(await exposureWarnings(dataDirectory)).toEqual([]);
});

test('replaces a file that others could read with one that they cannot', async () => {
  const path = join(folder, 'kubeconfig');
  await writeFile(path, 'old', { mode: 0o644 });
  await writeFile(`${path}.new`, 'of a crash', { mode: 0o644 });
  await writeOwnerOnly(path, 'new');
  expect([await readFile(path, 'utf8'), await modes(folder)]).toEqual(['new', { kubeconfig: '600' }]);
});

test.each([
  ['of its own keeps all of it out of git', [], '*\n'],
  ['with files of somebody else is left alone', ['main.ts'], undefined],
])('a folder %s', async (_, files, ignored) => {
  for (const name of files) await writeFile(join(folder, name), '');
  {
    await using _server = await startApiserver({ ...QUIET, dataDirectory: folder });
  }
  const found = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => undefined);
  expect(found).toBe(ignored);
});
