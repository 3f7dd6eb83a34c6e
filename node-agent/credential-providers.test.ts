import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { credentialProviderPlugins } from './credential-providers.ts';

let folder: string;
let config: string;
let programs: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'davit-providers-'));
  [config, programs] = [join(folder, 'config'), join(folder, 'bin')];
  mkdirSync(config);
  mkdirSync(programs);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a configuration of one plugin. */
const write = (path: string, name: string): void =>
  writeFileSync(
    path,
    JSON.stringify({
      apiVersion: 'kubelet.config.k8s.io/v1',
      kind: 'CredentialProviderConfig',
      providers: [
        {
          name,
          matchImages: ['r.io'],
          defaultCacheDuration: '1m',
          apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
        },
      ],
    }),
  );
const program = (name: string, mode = 0o755): void => writeFileSync(join(programs, name), '#!/bin/sh\n', { mode });

test('has no plugins without flags', async () => {
  expect(await credentialProviderPlugins(undefined)).toBe(undefined);
});

test('reads one file per plugin from a folder in name order and skips other files', async () => {
  for (const [file, name] of [
    ['b.yaml', 'second'],
    ['a.json', 'first'],
    ['c.conf', 'none'],
  ] as const)
    write(join(config, file), name);
  mkdirSync(join(config, 'd.yaml'));
  program('first');
  program('second');
  const plugins = await credentialProviderPlugins(config, programs);
  expect(plugins?.providers.map(({ name }) => name)).toEqual(['first', 'second']);
  const one = await credentialProviderPlugins(join(config, 'c.conf'), programs).catch(String);
  expect(one).toBe(`Error: plugin binary executable ${programs}/none did not exist`);
});

test.each<[why: string, config: () => string | undefined, programs: () => string | undefined, message: () => string]>([
  [
    'plugins without a folder of programs',
    () => config,
    () => undefined,
    () => 'plugin binary directory  did not exist',
  ],
  [
    'a missing folder of programs',
    () => config,
    () => `${folder}/x`,
    () => `plugin binary directory ${folder}/x did not exist`,
  ],
  [
    'programs without a configuration',
    () => undefined,
    () => programs,
    () => 'credential provider config path is empty',
  ],
  [
    'a missing configuration',
    () => `${folder}/x`,
    () => programs,
    () => `unable to access path "${folder}/x": stat ${folder}/x: no such file or directory`,
  ],
  ['an empty folder', () => config, () => programs, () => `no configuration files found in directory "${config}"`],
])("rejects %s at the agent's start", async (_, configuration, bin, message) => {
  await expect(credentialProviderPlugins(configuration(), bin())).rejects.toThrow(new Error(message()));
});
