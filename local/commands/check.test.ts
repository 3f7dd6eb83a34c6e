import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { requester } from '#test/support/requester.ts';
import { davit } from '../davit.ts';
import { encryptionOfFlags } from '../flags/encryption.ts';
import { startApiserver } from '../start-apiserver.ts';
import { check } from './check.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEFAULT = { metadata: { name: 'default' } };

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'davit-check-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

async function fill(encryptionProviderConfig?: string): Promise<void> {
  const encryption =
    encryptionProviderConfig === undefined ? {} : await encryptionOfFlags({ encryptionProviderConfig });
  await using server = await startApiserver({ dataDirectory: dataDir, controllers: false, ...encryption });
  const ask = requester(server);
  await ask('POST', '/api/v1/namespaces', DEFAULT);
  for (const name of ['a', 'b', 'c']) await ask('POST', MAPS, { metadata: { name }, data: { k: 'v'.repeat(9000) } });
}

/** The log of config maps contains versions 1 to 4, and its state contains none. */
const SEQ = "(SELECT id FROM sequence WHERE name = 'main//configmaps')";
const raw = (sql: string): void => {
  const db = new DatabaseSync(join(dataDir, 'davit.db'));
  db.exec(sql);
  db.close();
};
const FOLD = `INSERT INTO item SELECT seq, key, version, format, body FROM log WHERE seq = ${SEQ} AND key IS NOT NULL;
  UPDATE sequence SET watermark = 4 WHERE id = ${SEQ};`;
const NO_OBJECT = 'the stored bytes of key "/registry/configmaps/default/b" are no object';

test.each<[string, string, string[]]>([
  ['a body in the log', `UPDATE log SET body = x'00' WHERE key LIKE '%/b'`, [NO_OBJECT]],
  ['what selectors see', `UPDATE log SET meta = '{' WHERE key LIKE '%/b'`, [NO_OBJECT]],
  ['a body in the state', `${FOLD} UPDATE item SET body = substr(body, 1, 99) WHERE key LIKE '%/b'`, [NO_OBJECT]],
  [
    'a hole in the log',
    `DELETE FROM log WHERE key LIKE '%/b'`,
    [
      'main//configmaps: 1 versions between 1 and 4 are not in the log',
      'main//configmaps: the log no longer holds what follows 0',
    ],
  ],
  [
    'a checkpoint beyond the log',
    `UPDATE sequence SET watermark = 9 WHERE id = ${SEQ}`,
    ['main//configmaps: the checkpoint is of version 9, the log ends at 4'],
  ],
  [
    'a log that begins too late',
    `DELETE FROM log WHERE seq = ${SEQ} AND version < 3`,
    ['main//configmaps: the log begins at 3, the checkpoint is of version 1'],
  ],
  [
    'a state newer than its checkpoint',
    `${FOLD} UPDATE sequence SET watermark = 3 WHERE id = ${SEQ}`,
    ['main//configmaps: the state of main//configmaps/default/c is of version 4, its checkpoint of 3'],
  ],
  [
    'a cursor beyond the log',
    `INSERT INTO cursor VALUES (${SEQ}, 'events', 9)`,
    ["main//configmaps: the cursor events is at 9, behind the log's end"],
  ],
  [
    'rows of no sequence',
    `INSERT INTO item VALUES (77, 'x', 1, 1, x'00')`,
    ['item: 1 rows of sequence 77, which there is none of'],
  ],
  ['nothing', 'SELECT 1', []],
])('finds %s', async (_, sql, lines) => {
  await fill();
  raw(sql);
  expect((await check({ dataDir })).damage).toEqual(lines);
});

test('finds an overwritten page', async () => {
  await fill();
  const file = await open(join(dataDir, 'davit.db'), 'r+');
  const { size } = await file.stat();
  await file.write(Buffer.alloc(4096, 0xff), 0, 4096, size - 3 * 4096);
  await file.close();
  const { damage } = await check({ dataDir });
  expect(damage.join('\n')).toContain('SQLite: ');
});

test('prints one line per finding, and returns an exit code', async () => {
  await fill();
  const told = vi.spyOn(console, 'log').mockImplementation(() => {});
  const noted = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    await davit(['--data-dir', dataDir, 'check']);
    expect([told.mock.calls, process.exitCode]).toEqual([[], undefined]);
    raw(`UPDATE log SET body = x'00' WHERE key LIKE '%/b'`);
    await davit(['--data-dir', dataDir, 'check']);
    expect([told.mock.calls, process.exitCode]).toEqual([[[NO_OBJECT]], 1]);
    expect(noted.mock.calls.map(([line]) => String(line))).toEqual([
      expect.stringMatching(/^davit: no faults in 0 objects and \d+ changes of \d+ logs/),
      expect.stringMatching(/^davit: 1 faults in /),
    ]);
  } finally {
    process.exitCode = undefined;
    vi.restoreAllMocks();
  }
});

test('names a running server, and changes nothing', async () => {
  await using server = await startApiserver({ dataDirectory: dataDir, controllers: false });
  const before = await readdir(dataDir);
  const { damage, notes } = await check({ dataDir });
  expect(damage).toEqual([]);
  expect(notes[0]).toBe(`process ${process.pid} has ${dataDir}; this is what it holds at this moment`);
  expect(await readdir(dataDir)).toEqual(before);
  expect((await requester(server)('POST', '/api/v1/namespaces', DEFAULT)).status).toBe(201);
});

test('checks encrypted bodies if their keys are given', async () => {
  const [first, second] = [1, 2].map((key) => join(dataDir, `${key}.yaml`));
  for (const [i, path] of [first, second].entries()) {
    const secret = Buffer.alloc(32, i + 1).toString('base64');
    const text = `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [configmaps], providers: [aesgcm: {keys: [{name: k, secret: ${secret}}]}]}]}`;
    await writeFile(path as string, text);
  }
  await fill(first);
  const [right, wrong] = await Promise.all(
    [first, second].map((path) => check({ dataDir, encryptionProviderConfig: path as string })),
  );
  expect(right?.damage).toEqual([]);
  expect(wrong?.damage[0]).toMatch(/^unable to transform key "\/registry\/configmaps\/default\/a": /);
  const without = await check({ dataDir });
  expect([without.damage, without.notes[0]]).toEqual([
    [],
    '3 objects are encrypted; --encryption-provider-config has them checked too',
  ]);
});
