import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reconfiguration } from '#functions/apiserver/wiring.ts';
import type { TransformerOf } from '#lib/storage/encryption/encrypted-store.ts';
import { newAuthority } from './certs.ts';
import { davitCommand, type Flags } from './command.ts';
import { followFiles, newReloads } from './reload.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-access-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes one text after another to the file. Returns the values that the server received, and the reports. */
async function followed(flag: string, texts: readonly string[], more: readonly string[] = []) {
  const path = join(folder, flag);
  const [first = '', ...rest] = texts;
  await writeFile(path, first);
  const ending = new AbortController();
  const told: Reconfiguration[] = [];
  const ciphers: TransformerOf[] = [];
  const faults: string[] = [];
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async () => {
      const next = rest.shift();
      if (next === undefined) ending.abort();
      else await writeFile(path, next);
    },
  };
  await followFiles({
    flags: davitCommand()
      .parse([`--${flag}`, path, ...more], { from: 'user' })
      .opts<Flags>(),
    server: { reconfigure: (to) => void told.push(to), encryptBy: (by) => void ciphers.push(by) },
    reloads: newReloads('here', clock),
    clock,
    signal: ending.signal,
    reportFault: (error) => void faults.push(String(error)),
  });
  return { told, faults, ciphers };
}

const authorizers = (...types: string[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: types.map((type) => ({ type, name: type.toLowerCase() })),
  });

const issuers = (urls: readonly string[], more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: urls.map((url) => ({
      issuer: { url, audiences: ['kube'] },
      claimMappings: { username: { claim: 'sub', prefix: '' } },
    })),
    ...more,
  });

test('adds and reorders authorizers', async () => {
  const { told, faults } = await followed('authorization-config', [authorizers('RBAC'), authorizers('Node', 'RBAC')]);
  expect(told).toEqual([{ authorizers: [{ type: 'Node' }, { type: 'RBAC' }] }]);
  expect(faults).toEqual([]);
});

test.each([
  ['who decides no more', authorizers('AlwaysAllow'), 'missing required types: RBAC'],
  ['no document', '{', 'authorization-config'],
  ['nobody', authorizers(), 'at least one authorization mode'],
])('reports a configuration without changing anything: %s', async (_, text, fault) => {
  const { told, faults } = await followed('authorization-config', [authorizers('RBAC'), text]);
  expect([told, faults]).toEqual([[], [expect.stringContaining(fault)]]);
});

test('adds and removes issuers', async () => {
  const [a, b] = ['https://a.example', 'https://b.example'];
  const { told, faults } = await followed('authentication-config', [issuers([a]), issuers([a, b]), issuers([])]);
  expect(faults).toEqual([]);
  expect(told.map((to) => to.issuers?.map(({ given }) => given.issuer.url))).toEqual([[a, b], []]);
});

test.each([
  ['an issuer that is none', issuers(['http://a.example']), 'issuer.url'],
  ['who shows nothing', issuers([], { anonymous: { enabled: false } }), 'anonymous: Forbidden'],
])('reports a configuration without changing anything: %s in authentication', async (_, text, fault) => {
  const { told, faults } = await followed('authentication-config', [issuers([]), text]);
  expect([told, faults]).toEqual([[], [expect.stringContaining(fault)]]);
});

test('follows the certificate that aggregated servers see; an invalid one changes nothing', async () => {
  const { certificate: authority } = await newAuthority(new Date());
  const [first, second] = await Promise.all(['a', 'b'].map(pair));
  const flag = 'proxy-client-cert-file';
  const key = ['--proxy-client-key-file', join(folder, flag)];
  const { told, faults } = await followed(flag, [first, authority, second].map(String), key);
  expect(told).toEqual([{ proxyClient: { certificate: second, key: second } }]);
  expect(faults).toEqual([expect.stringContaining('are no certificate and its key')]);
});

/** A certificate and its key in one file. */
async function pair(name: string): Promise<string> {
  const { certificate, key } = await (await newAuthority(new Date())).issue({ name }, []);
  return `${certificate}\n${key}`;
}

const encryption = (...resources: string[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources, providers: [{ identity: {} }] }],
  });

test('follows an encryption configuration if the flag says so; an invalid one changes nothing', async () => {
  const texts = [encryption('secrets'), encryption('secrets', 'configmaps'), '{', encryption('configmaps')];
  const flag = 'encryption-provider-config';
  const { ciphers, faults } = await followed(flag, texts, ['--encryption-provider-config-automatic-reload']);
  const encrypts = (resource: string) => ciphers.map((by) => by({ group: '', resource }) !== undefined);
  expect([encrypts('secrets'), encrypts('configmaps')]).toEqual([
    [true, false],
    [true, true],
  ]);
  expect(faults).toHaveLength(1);
  expect((await followed(flag, texts)).ciphers).toEqual([]);
});
