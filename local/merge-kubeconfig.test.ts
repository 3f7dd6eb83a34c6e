import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '#adapters/clock.ts';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { writtenKubeconfig } from './kubeconfig-path.ts';
import { mergeKubeconfig } from './merge-kubeconfig.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'davit-merge-'))));
afterAll(() => rm(folder, { recursive: true }));

let count = 0;
/** The path of a new file, which contains the text if there is any. */
async function fileOf(text?: string): Promise<string> {
  const path = join(folder, String(count++), 'config');
  if (text === undefined) return path;
  await mergeInto(path); // creates the folder
  await writeFile(path, text);
  return path;
}

const ours = (server: string): string =>
  kubeconfigOf({ name: 'davit', server, authority: 'ca', user: { certificate: 'c', key: 'k' } });
const mergeInto = (path: string, server = 'https://127.0.0.1:6443', name = 'davit-local'): Promise<void> =>
  mergeKubeconfig({ path, name, own: ours(server) }, systemClock);
const read = async (path: string): Promise<Record<string, unknown>> =>
  parse(await readFile(path, 'utf8')) as Record<string, unknown>;

const extensions = [{ name: 'davit.dev', extension: { provider: 'davit' } }];
const OURS = {
  clusters: {
    name: 'davit-local',
    cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': 'Y2E=', extensions },
  },
  users: { name: 'davit-local', user: { 'client-certificate-data': 'Yw==', 'client-key-data': 'aw==', extensions } },
  contexts: { name: 'davit-local', context: { cluster: 'davit-local', user: 'davit-local', extensions } },
};
const ALONE = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [OURS.clusters],
  users: [OURS.users],
  contexts: [OURS.contexts],
  'current-context': 'davit-local',
};

test.each([
  ['that is not there', undefined],
  ['that is empty', ''],
  ['of nothing', '{}'],
  [
    'as kubectl leaves it',
    'apiVersion: v1\nkind: Config\nclusters: null\nusers: []\ncontexts: ~\ncurrent-context: ""\n',
  ],
])('adds the server to a file %s', async (_, text) => {
  const path = await fileOf(text);
  await mergeInto(path);
  expect(await read(path)).toEqual(ALONE);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(path, '..'))).toEqual(['config']);
});

const OTHER = `# mine
apiVersion: v1
kind: Config
preferences: {colors: true}
clusters:
- {name: prod, cluster: {server: "https://prod", insecure-skip-tls-verify: true}}
users:
- name: prod
  user:
    token: 0123e4
    exec: {apiVersion: client.authentication.k8s.io/v1, command: login, args: ['yes', "007"], env: null}
contexts:
- {name: prod, context: {cluster: prod, user: prod, namespace: team}}
current-context: prod
extensions: [{name: x, extension: {a: 1.50}}]
`;

test('keeps the rest of the file as it is written', async () => {
  const path = await fileOf(OTHER);
  await chmod(path, 0o644);
  await mergeInto(path);
  const [merged, before] = [await read(path), parse(OTHER) as Record<string, unknown[]>];
  expect(merged).toEqual({
    ...before,
    clusters: [...(before['clusters'] ?? []), OURS.clusters],
    users: [...(before['users'] ?? []), OURS.users],
    contexts: [...(before['contexts'] ?? []), OURS.contexts],
    'current-context': 'davit-local',
  });
  const text = await readFile(path, 'utf8');
  for (const scalar of ['token: 0123e4', '"007"', 'a: 1.50', '# mine']) expect(text).toContain(scalar);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('replaces its own entries on a second start, and no others', async () => {
  const path = await fileOf(OTHER);
  await mergeInto(path, 'https://127.0.0.1:1');
  await mergeInto(path, 'https://127.0.0.1:2', 'another');
  await mergeInto(path, 'https://127.0.0.1:3');
  const { clusters, 'current-context': current } = await read(path);
  expect(clusters).toMatchObject([
    { name: 'prod' },
    { name: 'davit-local', cluster: { server: 'https://127.0.0.1:3' } },
    { name: 'another', cluster: { server: 'https://127.0.0.1:2' } },
  ]);
  expect(current).toBe('davit-local');
});

test.each(['clusters', 'users', 'contexts'])('never replaces one of the %s that davit did not write', async (list) => {
  const text = `${list}:\n- {name: prod, ${list.slice(0, -1)}: {extensions: [{name: other, extension: {}}]}}\n`;
  const path = await fileOf(text);
  await expect(mergeInto(path, 'https://127.0.0.1:1', 'prod')).rejects.toThrow(
    `${path}: davit did not write "prod" of its ${list}; choose another name with --merge-kubeconfig NAME`,
  );
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('keeps a link as a link', async () => {
  const [target, link] = [await fileOf(OTHER), await fileOf('')];
  await rm(link);
  await symlink(target, link);
  await mergeInto(link);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await read(target)).toMatchObject({ 'current-context': 'davit-local' });
});

test('loses no entry with many concurrent writers', async () => {
  const path = await fileOf(OTHER);
  const names = Array.from({ length: 8 }, (_, i) => `s${i}`);
  await Promise.all(names.map((name) => mergeInto(path, 'https://127.0.0.1:1', name)));
  const { contexts } = (await read(path)) as { contexts: readonly { readonly name: string }[] };
  expect(contexts.map(({ name }) => name).toSorted()).toEqual(['prod', ...names]);
});

test('names the lock of a program that does not end', async () => {
  const path = await fileOf(OTHER);
  await writeFile(`${path}.lock`, '');
  const clock = new ManualClock();
  const sleep = async (milliseconds: number): Promise<void> => clock.advance(milliseconds);
  const merged = mergeKubeconfig(
    { path, name: 'a', own: ours('https://a') },
    { now: () => clock.now(), monotonic: () => clock.monotonic(), sleep },
  );
  await expect(merged).rejects.toThrow(`another program is writing ${path}; if none is, remove ${path}.lock`);
  expect(await readFile(path, 'utf8')).toBe(OTHER);
});

test.each([
  ['a: [', 'is no kubeconfig: '],
  ['- a', 'is no kubeconfig: it holds no object'],
  ['clusters: {a: b}', 'is no kubeconfig: its clusters are no list'],
])('rejects a file %j, and does not change it', async (text, why) => {
  const path = await fileOf(text);
  await expect(mergeInto(path)).rejects.toThrow(`${path} ${why}`);
  expect(await readFile(path, 'utf8')).toBe(text);
  expect(await readdir(join(path, '..'))).toEqual(['config']);
});

test('writes the same file that kubectl would use', async () => {
  const [none, other, there] = [await fileOf(), await fileOf(), await fileOf('')];
  expect(writtenKubeconfig({ KUBECONFIG: `${none}:${there}` })).toBe(there);
  expect(writtenKubeconfig({ KUBECONFIG: `:${none}:${other}` })).toBe(none);
  expect(writtenKubeconfig({})).toMatch(/\/\.kube\/config$/);
});
