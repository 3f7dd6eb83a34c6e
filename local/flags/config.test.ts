import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { davitCommand, type Flags } from '../command.ts';
import { applyConfig, effectiveConfig } from './config.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Parses the command with these flags and a configuration file of this text. */
async function given(flags: readonly string[], text: string) {
  const path = join(folder, 'config.yaml');
  await writeFile(path, `apiVersion: davit.dev/v1\nkind: Config\n${text}`);
  const command = davitCommand().parse(['node', 'davit', ...flags]);
  applyConfig(command, path);
  return command;
}

test('a flag overrides the file, and the file overrides the default', async () => {
  const command = await given(['--port', '1'], 'port: 2\nsync: "off"\n');
  expect(command.opts<Flags>()).toMatchObject({ port: 1, sync: 'off', host: '127.0.0.1' });
});

test('reads values like flags, and paths relative to the file', async () => {
  const command = await given(
    ['--enable-admission-plugins', 'B'],
    [
      'dataDir: data',
      'inMemory: true',
      'anonymousAuth: false',
      'authorizationMode: [Node, RBAC]',
      'disableAdmissionPlugins: [A, C]',
      'enableAdmissionPlugins: [D]',
      'oidcRequiredClaim: ["a=b,c", "d=e"]',
      'serviceAccountKeyFile: [one.pem]',
      'auditLogPath: "-"',
      'auditLogMaxage: 3',
      'auditLogCompress: true',
    ].join('\n'),
  );
  expect(command.opts<Flags>()).toMatchObject({
    dataDir: join(folder, 'data'),
    inMemory: true,
    anonymousAuth: 'false',
    authorizationMode: 'Node,RBAC',
    disableAdmissionPlugins: ['A', 'C'],
    enableAdmissionPlugins: ['B'],
    oidcRequiredClaim: ['a=b,c', 'd=e'],
    serviceAccountKeyFile: [join(folder, 'one.pem')],
    auditLogPath: '-',
    auditLogMaxage: '3',
    auditLogCompress: 'true',
  });
});

test('prints a file with the same effect', async () => {
  const first = await given(
    ['--port', '7', '--token-auth-file', '/tokens'],
    'anonymousAuth: false\nauthorizationMode: [RBAC]\n',
  );
  const printed = effectiveConfig(first);
  expect(decodeYaml(Buffer.from(printed)).value).toMatchObject({
    apiVersion: 'davit.dev/v1',
    kind: 'Config',
    port: 7,
    anonymousAuth: false,
    authorizationMode: ['RBAC'],
    enableAdmissionPlugins: [],
    tokenAuthFile: '/tokens',
  });
  const again = await given([], printed.replace(/^(apiVersion|kind).*\n/gm, ''));
  expect(effectiveConfig(again)).toBe(printed.replace('dataDir: .davit', `dataDir: ${join(folder, '.davit')}`));
});

test.each([
  ['prot: 1', 'config.yaml: unknown key "prot"; the nearest is "port"'],
  ['printConfig: true', 'config.yaml: unknown key "printConfig"'],
  ['port: x', 'config.yaml: port: a whole number belongs there, not "x"'],
  ['port: 70000', 'config.yaml: port: A port is a number from 0 to 65535.'],
  ['sync: always', 'config.yaml: sync: "full" or "normal" or "off" belongs there, not "always"'],
])('rejects the line %s', async (text, message) => {
  await expect(given([], text)).rejects.toThrow(message);
});

test('names a missing file', () => {
  expect(() => applyConfig(davitCommand(), '/none/config.yaml')).toThrow('/none/config.yaml: there is no such place');
});

test.each([
  [['--prot', '1'], 'davit: unknown flag --prot; the nearest is --port\n'],
  [['--port', 'x'], /^davit: option '--port <number>' argument 'x' is invalid. A port is .*\n$/],
])('rejects %j in one line', (flags, message) => {
  const said: string[] = [];
  const command = davitCommand()
    .exitOverride()
    .configureOutput({ writeErr: (text) => said.push(text) });
  expect(() => command.parse(['node', 'davit', ...flags])).toThrow();
  expect(said).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
});
