import { describe, expect, test } from 'vitest';
import type { Secret } from '#lib/api/types/core.v1.ts';
import { StepClock } from '#lib/node/kubelet/testing/step-clock.ts';
import { readDockerConfig, readDockerConfigJson } from './docker-config.ts';
import { BasicKeyring, unionKeyring } from './keyring.ts';
import { nodeKeyring } from './node-keyring.ts';
import { makeDockerKeyring } from './secrets.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const AUTH = base64('user:password');

/** A keyring whose user names are its registries. */
const keyringOf = (...registries: string[]): BasicKeyring => {
  const keyring = new BasicKeyring();
  keyring.add(new Map(registries.map((registry) => [registry, { username: registry, password: 'p', email: '' }])));
  return keyring;
};
const users = async (keyring: BasicKeyring, image: string): Promise<string[]> =>
  (await keyring.lookup(image)).map(({ username }) => username);

describe('a registry', () => {
  test.each<[registry: string, image: string, found: boolean]>([
    ['registry.io', 'registry.io/foo/bar', true],
    ['https://registry.io', 'registry.io/foo/bar', true],
    ['http://registry.io', 'registry.io/foo/bar', true],
    ['https://registry.io/v1/', 'registry.io/foo/bar', true],
    ['registry.io/v2/', 'registry.io/foo', true],
    ['registry.io/foo', 'registry.io/foo/bar', true],
    ['registry.io/foo', 'registry.io/bar', false],
    ['registry.io/fo', 'registry.io/foo', true],
    ['registry.io', 'other.io/foo', false],
    ['registry.io:5000', 'registry.io:5000/foo', true],
    ['registry.io', 'registry.io:5000/foo', false],
    ['registry.io:5000', 'registry.io/foo', false],
    ['*.registry.io', 'prefix.registry.io/foo', true],
    ['*.registry.io', 'registry.io/foo', false],
    ['*.registry.io', 'a.b.registry.io/foo', false],
    ['pre*.registry.io:5000/a', 'prefix.registry.io:5000/a/b', true],
    ['registry.*.io', 'registry.eu.io/foo', true],
    ['r[ae]g.io', 'reg.io/foo', true],
    ['r[ae]g.io', 'rig.io/foo', false],
    ['r[^ae]g.io', 'rig.io/foo', false],
    ['r[.io', 'r[.io/foo', false],
    ['localhost:5000', 'localhost:5000/foo', true],
    ['[::1]:5000', '[::1]:5000/foo', true],
    ['registry.io:abc', 'registry.io/foo', false],
    ['index.docker.io', 'docker.io/library/nginx', true],
    ['https://index.docker.io/v1/', 'nginx', true],
    ['https://index.docker.io/v1/', 'library/nginx', true],
    ['https://index.docker.io/v1/', 'registry.io/nginx', false],
    ['https://index.docker.io/v1/', 'localhost:5000/nginx', false],
  ])('matches or not: %s for %s is %s', async (registry, image, found) => {
    expect(await users(keyringOf(registry), image)).toEqual(found ? [registry] : []);
  });

  test('returns the most specific registry first', async () => {
    const keyring = keyringOf('*.io', 'registry.io', 'registry.io/foo', 'registry.io/foo/bar');
    expect(await users(keyring, 'registry.io/foo/bar')).toEqual([
      'registry.io/foo/bar',
      'registry.io/foo',
      'registry.io',
      '*.io',
    ]);
  });

  test('matches a pattern of many stars quickly', async () => {
    const pattern = `${'*a'.repeat(120)}.io`;
    expect(await users(keyringOf(pattern), `${'a'.repeat(200)}b.io/x`)).toEqual([]);
  });
});

describe('a configuration', () => {
  const read = (text: string) => [...readDockerConfigJson(Buffer.from(text))];
  test.each<[string, string, unknown]>([
    ['auth', `{"auths":{"r":{"auth":"${AUTH}"}}}`, [['r', { username: 'user', password: 'password', email: '' }]]],
    ['auth without padding', `{"auths":{"r":{"auth":"${AUTH.replace(/=+$/, '')}"}}}`, expect.any(Array)],
    [
      'a password with colons',
      `{"auths":{"r":{"auth":"${base64('u:p:q')}","email":"e"}}}`,
      [['r', { username: 'u', password: 'p:q', email: 'e' }]],
    ],
    ['other case', '{"Auths":{"r":{"UserName":"u"}}}', [['r', { username: 'u', password: '', email: '' }]]],
    ['nothing', '{}', []],
    ['null', 'null', []],
    ['an entry that is null', '{"auths":{"r":null}}', [['r', { username: '', password: '', email: '' }]]],
  ])('is parsed: %s', (_, text, entries) => {
    expect(read(text)).toEqual(entries);
  });

  test.each([
    ['{"auths":[]}', 'json: cannot unmarshal array into Go value of type credentialprovider.DockerConfig'],
    ['[]', 'json: cannot unmarshal array into Go value of type credentialprovider.DockerConfigJSON'],
    ['{"auths":{"r":{"auth":"!"}}}', 'illegal base64 data at input byte 0'],
    [`{"auths":{"r":{"auth":"${base64('secret')}"}}}`, 'unable to parse auth field, must be formatted as'],
    ['{', 'unexpected end of JSON input'],
  ])('is rejected: %s: %s', (text, why) => {
    expect(() => read(text)).toThrow(why);
  });

  test('has no enclosing field in .dockercfg', () => {
    expect([...readDockerConfig(Buffer.from(`{"r":{"auth":"${AUTH}"}}`)).keys()]).toEqual(['r']);
  });
});

const secret = (type: string, key: string, text: string): Secret => ({
  metadata: { name: 's', namespace: 'n', uid: 'u' },
  type,
  data: { [key]: base64(text) },
});
const JSON_TYPE = 'kubernetes.io/dockerconfigjson';
const CFG_TYPE = 'kubernetes.io/dockercfg';

test.each<[Secret, string | undefined]>([
  [secret(JSON_TYPE, '.dockerconfigjson', `{"auths":{"r.io":{"auth":"${AUTH}"}}}`), 'user'],
  [secret(CFG_TYPE, '.dockercfg', '{"r.io":{"username":"user","password":"password"}}'), 'user'],
  [secret(CFG_TYPE, '.dockerconfigjson', `{"auths":{"r.io":{"auth":"${AUTH}"}}}`), undefined],
  [secret('Opaque', '.dockercfg', '{"r.io":{"username":"user"}}'), undefined],
])('returns the credentials of a Secret before those of the node (%#)', async (given, user) => {
  const node = keyringOf('r.io');
  const found = await makeDockerKeyring([given], node).lookup('r.io/x');
  expect(found.map(({ username }) => username)).toEqual([...(user === undefined ? [] : [user]), 'r.io']);
  if (user === undefined) return;
  // The hash is upstream's for the same credential.
  expect(found[0]).toMatchObject({
    secret: { uid: 'u', namespace: 'n', name: 's' },
    hash: 'a55436fc140d516560d072c5fe8700385ce9f41629abf65c1edcbcb39fac691d',
  });
});

test('throws an Error for a Secret that does not decode', () => {
  expect(() => makeDockerKeyring([secret(JSON_TYPE, '.dockerconfigjson', 'x')], unionKeyring([]))).toThrow('invalid');
});

test('reads node credentials from the first valid file and reads them again after five minutes', async () => {
  const clock = new StepClock();
  const config = (user: string) => Buffer.from(`{"auths":{"r.io":{"username":"${user}"}}}`);
  const files = new Map([
    ['/var/lib/kubelet/config.json', Buffer.from('broken')],
    ['/root/.docker/config.json', config('first')],
    ['/.docker/config.json', config('last')],
    ['/.dockercfg', Buffer.from('{"r.io":{"username":"cfg"}}')],
  ]);
  const keyring = nodeKeyring({
    rootDirectory: '/var/lib/kubelet',
    workingDirectory: '/w',
    home: '/root',
    clock,
    read: async (path) => files.get(path),
  });
  const user = async (): Promise<string | undefined> => (await keyring.lookup('r.io/x'))[0]?.username;
  expect(await user()).toBe('first');
  files.delete('/root/.docker/config.json');
  expect(await user()).toBe('first');
  await clock.sleep(300_000);
  expect(await user()).toBe('last');
  files.delete('/.docker/config.json');
  await clock.sleep(300_000);
  expect(await user()).toBe('cfg');
});
