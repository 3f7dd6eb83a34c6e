import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Requester, requester } from '#test/support/requester.ts';
import { startApiserver } from '../start-apiserver.ts';
import { encryptionOfFile, encryptionOfFlags } from './encryption.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const OURS = `${SECRETS}/ours`;
const key = (name: string, fill: number): string =>
  `{name: ${name}, secret: ${Buffer.alloc(32, fill).toString('base64')}}`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-encryption-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A server on the same data, with these AES-GCM keys. */
async function under<T>(keys: string, work: (ask: Requester) => Promise<T>): Promise<T> {
  const path = join(folder, 'encryption.yaml');
  await writeFile(
    path,
    `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [secrets], providers: [${keys}]}]}`,
  );
  const encryption = await encryptionOfFlags({ encryptionProviderConfig: path });
  await using server = await startApiserver({ dataDirectory: join(folder, 'data'), controllers: false, ...encryption });
  return await work(requester(server));
}

/** The contents of all files in the data directory, as bytes. */
async function dump(): Promise<string> {
  const files = (await readdir(join(folder, 'data'))).filter((name) => name.startsWith('davit.db'));
  return (await Promise.all(files.map((name) => readFile(join(folder, 'data', name), 'latin1')))).join('');
}

const version = async (ask: Requester): Promise<string> =>
  ((await ask('GET', OURS)).body['metadata'] as { resourceVersion: string }).resourceVersion;

test('stores no secret in clear text, rotates keys by writes without a change, and reports a lost key', async () => {
  const secret = Buffer.from('a secret that nobody reads').toString('base64');
  await under(`aesgcm: {keys: [${key('one', 1)}]}`, async (ask) => {
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
    const body = { metadata: { name: 'ours', annotations: { kept: 'annotated' } }, data: { it: secret } };
    expect((await ask('POST', SECRETS, body)).status).toBe(201);
    const config = { metadata: { name: 'plain' }, data: { it: 'a configuration that all read' } };
    expect((await ask('POST', '/api/v1/namespaces/default/configmaps', config)).status).toBe(201);
    expect((await ask('PATCH', OURS, { data: { more: secret } })).status).toBe(200);
    expect(await dump()).toContain('a configuration that all read');
  });
  const stored = await dump();
  expect(stored).toContain('k8s:enc:aesgcm:v1:one:');
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain('annotated');

  await under(`aesgcm: {keys: [${key('two', 2)}, ${key('one', 1)}]}`, async (ask) => {
    const before = await version(ask);
    const { body } = await ask('GET', OURS);
    expect((await ask('PUT', OURS, body)).status).toBe(200);
    const after = await version(ask);
    expect(after).not.toBe(before);
    expect((await ask('PUT', OURS, (await ask('GET', OURS)).body)).status).toBe(200);
    expect(await version(ask)).toBe(after);
  });
  expect(await dump()).toContain('k8s:enc:aesgcm:v1:two:');

  await under('identity: {}', async (ask) => {
    const refused = await ask('GET', OURS);
    expect(refused).toMatchObject({ status: 500, body: { reason: 'InternalError' } });
    expect(refused.body['message']).toBe(
      'Internal error occurred: unable to transform key "/registry/secrets/default/ours": no matching prefix found',
    );
    expect((await ask('GET', '/api/v1/namespaces/default/configmaps/plain')).status).toBe(200);
  });
  await under(`identity: {}, aesgcm: {keys: [${key('two', 2)}, ${key('one', 1)}]}`, async (ask) => {
    expect((await ask('GET', OURS)).body).toMatchObject({ data: { it: secret, more: secret } });
  });
});

test('rotates keys while the server runs: cached objects count as written with the old key', async () => {
  const path = join(folder, 'rotating.yaml');
  const file = (keys: string): string =>
    `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [secrets], providers: [${keys}]}]}`;
  await writeFile(path, file(`aesgcm: {keys: [${key('one', 1)}]}`));
  const encryption = await encryptionOfFile(path);
  await using server = await startApiserver({ controllers: false, encryption });
  const ask = requester(server);
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  const made = await ask('POST', SECRETS, { metadata: { name: 'ours' }, stringData: { it: 'secret' } });
  expect((await ask('PUT', OURS, made.body)).status).toBe(200);
  const before = await version(ask);
  expect((await ask('PUT', OURS, made.body)).body).toMatchObject({ metadata: { resourceVersion: before } });

  await writeFile(path, file(`aesgcm: {keys: [${key('two', 2)}, ${key('one', 1)}]}`));
  server.encryptBy(await encryptionOfFile(path));
  expect((await ask('PUT', OURS, (await ask('GET', OURS)).body)).status).toBe(200);
  expect(await version(ask)).not.toBe(before);
  expect((await ask('GET', OURS)).body).toMatchObject({ data: made.body['data'] });
});

test('requires a file to follow', async () => {
  await expect(encryptionOfFlags({ encryptionProviderConfigAutomaticReload: true })).rejects.toThrow(
    '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
  );
});

test.each<[string, string, string]>([
  ['no file', 'none.yaml', 'there is no such place'],
  ['an empty file', 'empty.yaml', 'is empty'],
  ['a KMS of v1', 'kms.yaml', 'the KMS provider "k" is of v1: only v2 is asked'],
])('rejects a configuration: %s', async (_, name, message) => {
  const kms = '{kms: {name: k, endpoint: "unix:///s"}}';
  await writeFile(join(folder, 'empty.yaml'), '');
  await writeFile(
    join(folder, 'kms.yaml'),
    `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [secrets], providers: [${kms}]}]}`,
  );
  await expect(encryptionOfFlags({ encryptionProviderConfig: join(folder, name) })).rejects.toThrow(message);
});
