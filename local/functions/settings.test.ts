import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

const root = mkdtempSync(join(tmpdir(), 'davit-settings-'));
afterAll(() => rmSync(root, { recursive: true }));

const logged: string[] = [];
const line = (text: string, fields = {}): void => void logged.push(`${text} ${JSON.stringify(fields)}`);
const log = { info: line, error: line };

const SETTINGS = (functions: string): string => `apiVersion: davit.dev/v1\nkind: Functions\nfunctions:\n${functions}`;
/** Two functions in one file and one in another, which return their environment variables. */
const hook = (name: string): string => `
export const ${name} = defineValidating({ name: '${name}', rules: [{ ...rule, resources: ['${name}s'] }] }, () => {
  throw denied(['PLAIN', 'API_KEY', 'TOKEN', 'LOCAL_TOKEN'].map((one) => process.env[one] ?? '-').join(' '));
});`;
const file = (...names: string[]): string => `
import { defineValidating, denied } from '@davit-dev/davit/webhook';
const rule = { operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'] };
${names.map(hook).join('\n')}`;

describe('settings of functions.yaml', () => {
  const folder = mkdtempSync(join(root, 'all-'));
  const secrets = join(root, 'secrets.yaml');
  let server: RunningApiserver;
  let send: Requester;

  const settings = (plain: string): string =>
    SETTINGS(`
  configmap: { environment: { PLAIN: ${plain} }, secrets: { API_KEY: { secret: api, key: key } } }
  secret: { secrets: { TOKEN: { parameter: /token, env: LOCAL_TOKEN } } }
`);

  beforeAll(async () => {
    vi.stubEnv('LOCAL_TOKEN', 'of-environment');
    vi.stubEnv('PLAIN', 'inherited');
    writeFileSync(secrets, 'configmap: { API_KEY: of-file }', { mode: 0o600 });
    writeFileSync(join(folder, 'functions.yaml'), settings('set'));
    writeFileSync(join(folder, 'two.ts'), file('configmap', 'secret'));
    writeFileSync(join(folder, 'one.ts'), file('serviceaccount'));
    server = await startApiserver({ functionsFolder: folder, functionSecrets: secrets, log });
    send = requester(server);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.close();
  });

  const seenBy = async (resource: string): Promise<string> => {
    const { body } = await send('POST', `/api/v1/namespaces/default/${resource}`, { metadata: { name: 'a' } });
    return /denied the request: (.*)$/.exec(String(body['message']))?.[1] ?? JSON.stringify(body);
  };

  test.each([
    ['configmaps', 'set of-file - -'],
    ['secrets', 'inherited - of-environment -'],
    ['serviceaccounts', 'inherited - - -'],
  ])('are in the environment of that function only: %s', async (resource, seen) => {
    await eventually(async () => expect(await seenBy(resource)).toBe(seen));
  });

  test('take effect when saved; invalid ones change nothing', async () => {
    writeFileSync(join(folder, 'functions.yaml'), settings('again'));
    await eventually(async () => expect(await seenBy('configmaps')).toBe('again of-file - -'));
    writeFileSync(join(folder, 'functions.yaml'), SETTINGS('  configmap: { memory: 1 }'));
    const wrong = 'functions: functions.yaml: functions.configmap.memory: is a whole number from 128 to 10240 {}';
    await eventually(() => expect(logged).toContain(wrong));
    await eventually(async () => expect(await seenBy('configmaps')).toBe('again of-file - -'));
    writeFileSync(join(folder, 'functions.yaml'), `${settings('last')}  other: {}\n`);
    const unknown = 'functions: functions.yaml: functions.other: no file declares such a function {}';
    await eventually(() => expect(logged).toContain(unknown));
    await eventually(async () => expect(await seenBy('configmaps')).toBe('last of-file - -'));
  });

  test('reveal no secret in logs and in states of functions', async () => {
    const { body } = await send('GET', '/debug/davit/functions');
    const shown = [...logged, JSON.stringify(body)].join('\n');
    expect(shown).toContain('configmap');
    expect(shown).not.toMatch(/of-file|of-environment/);
  });
});

describe("settings at the server's start", () => {
  const start = async (settings: string, secrets?: { text: string; mode: number }): Promise<string> => {
    const folder = mkdtempSync(join(root, 'start-'));
    writeFileSync(join(folder, 'functions.yaml'), SETTINGS(settings));
    writeFileSync(join(folder, 'a.ts'), file('configmap'));
    const path = join(root, 'start.yaml');
    if (secrets !== undefined) writeFileSync(path, secrets.text);
    if (secrets !== undefined) chmodSync(path, secrets.mode);
    const options = { functionsFolder: folder, log, ...(secrets === undefined ? {} : { functionSecrets: path }) };
    const server = await startApiserver(options).catch((error: unknown) => String(error));
    if (typeof server === 'string') return server.replace(root, '');
    await server.close();
    return 'started';
  };
  const KEY = '  configmap: { secrets: { API_KEY: { secret: api } } }';

  test.each<[string, string, string, { text: string; mode: number }?]>([
    ['a wrong field', '  configmap: { ram: 1 }', 'functions.yaml: functions.configmap: Unrecognized key: "ram"'],
    [
      'an unknown function',
      '  configmp: {}',
      'functions.configmp: no file declares such a function; the nearest is configmap',
    ],
    [
      'a secret without a value',
      KEY,
      'functions.configmap.secrets.API_KEY: has no value here; set the environment variable API_KEY, or write it to the file of --function-secrets',
    ],
    ['a file that others can read', KEY, 'run chmod 600', { text: 'configmap: { API_KEY: hunter2 }', mode: 0o644 }],
    ['a file of no values', KEY, 'it is no YAML of texts', { text: 'configmap: [hunter2', mode: 0o600 }],
    [
      'a value that is no text',
      KEY,
      'it is no YAML of texts',
      { text: 'configmap: { API_KEY: [hunter2] }', mode: 0o600 },
    ],
    [
      'an unknown secret',
      KEY,
      'has no secret KEY of a function configmap',
      { text: 'configmap: { KEY: hunter2 }', mode: 0o600 },
    ],
  ])('reports %s in one line, without a value', async (_, settings, why, secrets) => {
    const told = await start(settings, secrets);
    expect(told).toContain(why);
    expect(told).toMatch(/^Error: [^\n]*$/);
    expect(told).not.toContain('hunter2');
  });

  test('starts with valid settings', async () => {
    expect(await start(KEY, { text: 'configmap: { API_KEY: hunter2 }', mode: 0o600 })).toBe('started');
  });
});
