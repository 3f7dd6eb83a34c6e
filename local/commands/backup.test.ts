import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { requester } from '#test/support/requester.ts';
import { davit } from '../davit.ts';
import { encryptionOfFlags } from '../flags/encryption.ts';
import { underImport } from '../import-mark.ts';
import { startApiserver } from '../start-apiserver.ts';
import { exportTo, importFrom, restore } from './backup.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-backup-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('exports a data directory to a file and restores it, with uids and versions', async () => {
  const [one, two, file] = [join(folder, 'one'), join(folder, 'two'), join(folder, 'export.jsonl')];
  let uid: string | undefined;
  let version = 0;
  {
    await using server = await startApiserver({ dataDirectory: one });
    const ask = requester(server);
    const made = await ask('POST', MAPS, { metadata: { name: 'kept' }, data: { a: 'b' } });
    await ask('POST', SECRETS, { metadata: { name: 'left' }, data: {} });
    uid = stringAt(objectAt(made.body, 'metadata'), 'uid');
    version = Number(objectAt((await ask('GET', MAPS)).body, 'metadata')?.['resourceVersion']);
  }
  await writeFile(file, 'of before', { mode: 0o644 });
  await exportTo(file, { dataDir: one }, false);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await importFrom(file, { dataDir: two })).objects).toBeGreaterThan(50);

  await using server = await startApiserver({ dataDirectory: two });
  const ask = requester(server);
  const { body } = await ask('GET', `${MAPS}/kept`);
  expect(body).toMatchObject({ metadata: { uid }, data: { a: 'b' } });
  expect(Number(objectAt(body, 'metadata')?.['resourceVersion'])).toBeGreaterThan(version);
  expect((await ask('GET', `${SECRETS}/left`)).status).toBe(404);
  const watch = await ask('GET', `${MAPS}?watch=true&resourceVersion=${version}&timeoutSeconds=1`);
  expect(JSON.stringify(watch.body)).toContain('410');
});

test.each<[string, (absent: string) => Promise<unknown>]>([
  ['exported', (absent) => exportTo(join(folder, 'none.jsonl'), { dataDir: absent }, false)],
  ['restored', (absent) => restore({ dataDir: absent })],
  ['imported', (absent) => importFrom(absent, { dataDir: join(folder, 'new') })],
])('rejects a missing source, which is not %s, and creates nothing', async (_, act) => {
  const absent = join(folder, 'absent');
  await expect(act(absent)).rejects.toThrow(`cannot use ${absent}: there is no such place`);
  expect(['absent', 'none.jsonl', 'new'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
});

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const KEY = Buffer.alloc(32, 1).toString('base64');
const ENCRYPTION = `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: ['*.*'], providers: [aesgcm: {keys: [{name: k, secret: ${KEY}}]}]}]}`;

test('exports a running server at one version, including encrypted objects, while it writes', async () => {
  const [dataDir, file] = [join(folder, 'live'), join(folder, 'live.jsonl')];
  const encryptionProviderConfig = join(folder, 'encryption.yaml');
  await writeFile(encryptionProviderConfig, ENCRYPTION);
  const encryption = await encryptionOfFlags({ encryptionProviderConfig });
  await using server = await startApiserver({ dataDirectory: dataDir, ...encryption });
  const ask = requester(server);
  await ask('POST', SECRETS, { metadata: { name: 'sealed' }, stringData: { word: 'swordfish' } });
  let written = 0;
  const over = new AbortController();
  const write = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const metadata = { name: `pair-${written}` };
      const made = [
        await ask('POST', MAPS, { metadata, data: { text: 'x'.repeat(50_000) } }),
        await ask('POST', ACCOUNTS, { metadata }),
      ];
      expect(made.map(({ status }) => status)).toEqual([201, 201]);
      written++;
    }
  };
  const writing = write();
  await eventually(() => expect(written).toBeGreaterThan(20));
  const before = written;
  await exportTo(file, { dataDir, encryptionProviderConfig }, true);
  const after = written;
  await eventually(() => expect(written).toBeGreaterThan(after));
  over.abort();
  await writing;

  const text = await readFile(file, 'utf8');
  const count = (type: string): number => text.split(`{"key":"main//${type}/default/pair-`).length - 1;
  const [maps, accounts] = [count('configmaps'), count('serviceaccounts')];
  expect([0, 1]).toContain(maps - accounts);
  expect(accounts).toBeGreaterThanOrEqual(before);
  expect(accounts).toBeLessThanOrEqual(after + 1);
  expect(text).toContain(Buffer.from('swordfish').toString('base64'));
});

test('rejects the export of a data directory without data', async () => {
  const dataDir = join(folder, 'bare');
  await mkdir(dataDir);
  await expect(exportTo(join(folder, 'bare.jsonl'), { dataDir }, false)).rejects.toThrow('davit.db holds no data');
  expect(existsSync(join(dataDir, 'davit.db'))).toBe(false);
});

test('every reader rejects a half-finished import; it starts again from the beginning', async () => {
  const [source, dataDir, file] = [join(folder, 'short-source'), join(folder, 'short'), join(folder, 'short.jsonl')];
  await (await startApiserver({ dataDirectory: source })).close();
  await exportTo(file, { dataDir: source }, true);
  await mkdir(dataDir);
  const killed = underImport(dataDir, async () => Promise.reject(new Error('killed')));
  await expect(killed).rejects.toThrow('killed');
  const refusal = `an import into ${dataDir} was cut short; run davit import FILE --data-dir ${dataDir} again`;
  const readers = [
    () => startApiserver({ dataDirectory: dataDir }),
    () => restore({ dataDir }),
    () => exportTo(join(folder, 'half.jsonl'), { dataDir }, true),
  ];
  for (const read of readers) await expect(read()).rejects.toThrow(refusal);
  await importFrom(file, { dataDir });
  await (await startApiserver({ dataDirectory: dataDir })).close();
});

test.each<[string, (text: string) => string]>([
  ['cut off', (text) => text.slice(0, -100)],
  ['without its last line', (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`],
  ['twice as long', (text) => text + text],
  ['one long line', (text) => text.replace('\n', ' '.repeat(4_000_000))],
])('rejects a file that is %s before anything is created', async (_, spoil) => {
  const [source, dataDir, file] = [join(folder, 'spoilt-source'), join(folder, 'spoilt'), join(folder, 'spoilt.jsonl')];
  await (await startApiserver({ dataDirectory: source, controllers: false })).close();
  await exportTo(file, { dataDir: source }, true);
  await writeFile(file, spoil(await readFile(file, 'utf8')));
  await expect(importFrom(file, { dataDir })).rejects.toThrow(`${file}: `);
  expect(existsSync(dataDir)).toBe(false);
});

test('export, import and restore report counts, place, size and time', async () => {
  const [one, two, file] = [join(folder, 'told'), join(folder, 'told-again'), join(folder, 'told.jsonl')];
  {
    await using server = await startApiserver({ dataDirectory: one, controllers: false });
    await requester(server)('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
  }
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  try {
    await davit(['export', file, '--data-dir', one]);
    await davit(['import', file, '--data-dir', two]);
    await davit(['restore', '--data-dir', two]);
    const text = await readFile(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    const objects = lines.filter((line) => line.startsWith('{"key"')).length;
    expect(objects).toBeGreaterThan(0);
    const [exported, left, imported, restored] = printed.mock.calls.map(([line]) => String(line));
    expect(exported).toMatch(
      new RegExp(
        `^davit: exported ${objects} objects of \\d+ logs to ${file}: ${Buffer.byteLength(text)} bytes in [\\d.]+m?s$`,
      ),
    );
    expect(left).toContain('Secrets are left out');
    expect(imported).toMatch(new RegExp(`^davit: imported ${objects} objects into \\d+ logs of ${two} in [\\d.]+m?s$`));
    expect(restored).toMatch(new RegExp(`^davit: \\d+ logs of ${two} continue in new epochs; this took [\\d.]+m?s$`));
  } finally {
    printed.mockRestore();
  }
});
