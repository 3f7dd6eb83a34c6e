import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, open, readFile, rm, truncate, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EPOCH } from '#lib/storage/sequence.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { exportTo, restore } from './commands/backup.ts';
import { check } from './commands/check.ts';
import { startApiserver } from './start-apiserver.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const COUNT = 30;
const FILES = ['davit.db', 'davit.db-wal', 'davit.db-shm', 'identity.json'] as const;
const FRAME = 24 + 4096;

let folder = '';
let [one, other] = ['', ''];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-lost-log-'));
  [one, other] = await Promise.all([killed('one'), killed('other')]);
});
afterAll(() => rm(folder, { recursive: true }));

const start = (dataDirectory: string) => startApiserver({ dataDirectory, controllers: false });

/** The files of a killed server, copied while it runs. Half of its objects are only in the log. */
async function killed(name: string): Promise<string> {
  const from = join(folder, `${name}-running`);
  await write(from, [0, COUNT / 2]);
  return write(from, [COUNT / 2, COUNT], () => copied(from, name));
}

async function write(
  directory: string,
  [first, end]: readonly [number, number],
  then = async (): Promise<string> => '',
): Promise<string> {
  await using server = await start(directory);
  const ask = requester(server);
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  for (let i = first; i < end; i++) await ask('POST', MAPS, { metadata: { name: `map-${i}` } });
  return await then();
}

async function copied(from: string, name: string): Promise<string> {
  const to = join(folder, name);
  await mkdir(to);
  for (const file of FILES) await copyFile(join(from, file), join(to, file));
  return to;
}

async function namesIn(ask: Requester): Promise<{ count: number; version: number }> {
  const { items, metadata } = (await ask('GET', MAPS)).body as { items?: unknown; metadata?: unknown };
  const { resourceVersion } = metadata as { resourceVersion: string };
  return { count: (items as unknown[]).length, version: Number(resourceVersion) };
}

async function hashOf(directory: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(await readFile(join(directory, file)).catch(() => 'none'));
  return hash.digest('hex');
}

async function overwrite(path: string, position: number, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, position);
  await file.close();
}

test('keeps everything that a killed server acknowledged', async () => {
  const directory = await copied(one, 'whole');
  expect((await check({ dataDir: directory })).damage).toEqual([]);
  await using server = await start(directory);
  expect((await namesIn(requester(server))).count).toBe(COUNT);
});

test.each<[string, (wal: string) => Promise<void>]>([
  ['missing', (wal) => rm(wal)],
  ['empty', (wal) => truncate(wal)],
  ['cut off in its header', (wal) => truncate(wal, 20)],
  ['cut off in the middle of a page', (wal) => truncate(wal, 32 + 12 * FRAME + 99)],
  ['cut off between pages', (wal) => truncate(wal, 32 + 10 * FRAME)],
  ['without its header', (wal) => overwrite(wal, 0, Buffer.alloc(32))],
  ['zeroed in part', (wal) => overwrite(wal, 32 + 30 * FRAME, Buffer.alloc(8192))],
  ['changed by one bit', (wal) => overwrite(wal, 32 + 25 * FRAME + 1000, Buffer.from([0x5a]))],
])('rejects a log that is %s; after a restore the rest continues in new epochs', async (what, damage) => {
  const directory = await copied(one, what.replaceAll(/\W/g, '-'));
  await damage(join(directory, 'davit.db-wal'));
  await expectRefused(directory);

  await restore({ dataDir: directory });
  expect((await check({ dataDir: directory })).damage).toEqual([]);
  await using server = await start(directory);
  const { count, version } = await namesIn(requester(server));
  expect(count).toBeGreaterThanOrEqual(COUNT / 2);
  expect(count).toBeLessThan(COUNT);
  expect(version).toBeGreaterThan(EPOCH);
});

test('rejects the log of another database', async () => {
  const directory = await copied(one, 'mixed');
  await copyFile(join(other, 'davit.db-wal'), join(directory, 'davit.db-wal'));
  await expectRefused(directory);
});

/** Every command reports the loss and changes nothing. */
async function expectRefused(directory: string): Promise<void> {
  const path = join(directory, 'davit.db');
  const before = await hashOf(directory);
  const found = new RegExp(
    `^${path}-wal is damaged, or not of ${path}: of \\d+ pages that were committed to it, \\d+ can be read`,
  );

  const { damage: lines } = await check({ dataDir: directory });
  expect(lines).toEqual([expect.stringMatching(found)]);
  const file = join(folder, 'none.jsonl');
  for (const act of [() => start(directory), () => exportTo(file, { dataDir: directory }, false)]) {
    const refusal = await act().then(() => '', String);
    expect(refusal.replace('Error: ', '')).toMatch(found);
    expect(refusal).toContain(`put back a copy, or run davit restore --data-dir ${directory} to go on`);
  }
  expect(await hashOf(directory)).toBe(before);
}

test('does not restore a copy with a damaged page', async () => {
  const directory = await copied(one, 'page');
  await (await start(directory)).close();
  await overwrite(join(directory, 'davit.db'), 3 * 4096, Buffer.alloc(4096, 0xff));
  await expect(restore({ dataDir: directory })).rejects.toThrow('is damaged (SQLite: ');
});

test("rejects another cluster's database until it is taken over", async () => {
  const directory = await copied(other, 'swapped');
  await copyFile(join(one, 'identity.json'), join(directory, 'identity.json'));
  await expect(start(directory)).rejects.toThrow(
    `${join(directory, 'davit.db')} is of another cluster than ${join(directory, 'identity.json')}; put back its own, or run davit restore --data-dir ${directory} to take it over`,
  );
  await restore({ dataDir: directory });
  await using server = await start(directory);
  expect((await namesIn(requester(server))).count).toBe(COUNT);
});

test('a database continues with a new identity, and keeps it', async () => {
  const directory = await copied(one, 'anew');
  await rm(join(directory, 'identity.json'));
  await (await start(directory)).close();
  await using server = await start(directory);
  expect((await namesIn(requester(server))).count).toBe(COUNT);
});

test('ignores an index from before the machine started, because a power cut may leave it ahead of the log', async () => {
  const directory = await copied(one, 'rebooted');
  await truncate(join(directory, 'davit.db-wal'), 32 + 10 * FRAME);
  await utimes(join(directory, 'davit.db-shm'), 0, 0);
  await using server = await start(directory);
  expect((await namesIn(requester(server))).count).toBeGreaterThanOrEqual(COUNT / 2);
});
