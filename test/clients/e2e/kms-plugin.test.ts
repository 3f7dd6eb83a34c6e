import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { encryptionOfFlags } from '#local/flags/encryption.ts';
import { startApiserver } from '#local/start-apiserver.ts';
import { buildKmsPlugin } from '#test/support/clients/kms-plugin.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';
import { RunningProgram } from './program.ts';

const plugin = await buildKmsPlugin();

const folder = mkdtempSync(join(tmpdir(), 'davit-kms-'));
afterAll(() => rmSync(folder, { recursive: true }));
const data = join(folder, 'data');
const SECRETS = '/api/v1/namespaces/default/secrets';
const stored = (): string =>
  readdirSync(data)
    .map((file) => readFileSync(join(data, file), 'latin1'))
    .join('');
const versionOf = (object: JsonObject): string => stringAt(objectAt(object, 'metadata'), 'resourceVersion') ?? '';

async function served(ask: (request: Requester) => Promise<void>): Promise<void> {
  const encryption = await encryptionOfFlags({ encryptionProviderConfig: join(folder, 'encryption.yaml') });
  await using server = await startApiserver({ dataDirectory: data, sync: 'off', controllers: false, ...encryption });
  await ask(requester(server));
}

function writeConfiguration(socket: string, timeout: string): void {
  const kms = `{kms: {name: mine, apiVersion: v2, endpoint: "unix://${socket}", timeout: ${timeout}}}`;
  const rules = `[{resources: [secrets], providers: [${kms}]}]`;
  const kind = 'apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration';
  writeFileSync(join(folder, 'encryption.yaml'), `{${kind}, resources: ${rules}}`);
}

test('encrypts with a key in a plugin on upstream’s library, and follows key rotation', needing(plugin), async () => {
  const [socket, keyFile] = [join(folder, 'socket'), join(folder, 'key')];
  writeConfiguration(socket, '20s');
  writeFileSync(keyFile, 'first');
  {
    await using program = new RunningProgram('path' in plugin ? plugin.path : '', [socket, keyFile]);
    await program.says(/ready/);
    let before = '';
    await served(async (ask) => {
      await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
      const made = await ask('POST', SECRETS, {
        metadata: { name: 'ours' },
        stringData: { it: 'what-nobody-reads' },
      });
      expect(made.status, String(made.body['message'])).toBe(201);
      before = versionOf(made.body);
    });
    expect(stored()).toContain('k8s:enc:kms:v2:mine:');
    expect(stored()).not.toContain(Buffer.from('what-nobody-reads').toString('base64').slice(0, 12));
    await served(async (ask) => {
      const read = (await ask('GET', `${SECRETS}/ours`)).body;
      expect(objectAt(read, 'data')).toEqual({ it: Buffer.from('what-nobody-reads').toString('base64') });
      expect(versionOf((await ask('PUT', `${SECRETS}/ours`, read)).body)).toBe(before);
    });
    writeFileSync(keyFile, 'second');
    await served(async (ask) => {
      const read = (await ask('GET', `${SECRETS}/ours`)).body;
      expect(versionOf((await ask('PUT', `${SECRETS}/ours`, read)).body)).not.toBe(before);
    });
  }
  writeConfiguration(socket, '1s'); // the plugin has exited, so there is no need to wait for it
  await served(async (ask) => {
    const { status, body } = await ask('GET', `${SECRETS}/ours`);
    expect([status, body['message']]).toEqual([
      503,
      expect.stringContaining('the KMS plugin "mine" failed at Decrypt: '),
    ]);
  });
});
