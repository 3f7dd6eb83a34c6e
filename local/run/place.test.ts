import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { placeOf } from '#adapters/server/http/kubeconfig.ts';
import { inCluster } from './in-cluster.ts';
import { placeAmong } from './kubeconfig-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-place-'));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
afterAll(() => rmSync(folder, { recursive: true }));

const kubeconfig = (user: string, cluster = '') => `
apiVersion: v1
kind: Config
current-context: one
contexts:
  - {name: one, context: {cluster: c, user: u}}
  - {name: two, context: {cluster: c, user: u, namespace: team}}
clusters: [{name: c, cluster: {server: "https://api.example:6443"${cluster}}}]
users: [{name: u, user: ${user}}]
`;

test('reads a server, a namespace and a user from a context', async () => {
  write('ca.pem', 'CA');
  const config = kubeconfig('{token: t}', ', certificate-authority: ca.pem, tls-server-name: api');
  const { remote, namespace } = placeOf(config, diskFiles(folder));
  expect(namespace).toBe('default');
  expect(remote).toMatchObject({ url: 'https://api.example:6443', caBundle: 'CA', serverName: 'api', insecure: false });
  expect(await remote.credentials?.token?.()).toBe('t');
  expect(placeOf(config, diskFiles(folder), 'two').namespace).toBe('team');
  expect(() => placeOf(config, diskFiles(folder), 'three')).toThrow('there is no context three');
});

test('merges the files of $KUBECONFIG and skips those that do not exist', async () => {
  mkdirSync(join(folder, 'other'));
  write('ca.pem', 'CA');
  write('context', 'current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n');
  write(
    'other/cluster',
    'clusters: [{name: c, cluster: {server: "https://other", certificate-authority: ../ca.pem}}]\n',
  );
  write('user', kubeconfig('{token: t}'));
  const paths = ['none', 'context', 'other/cluster', 'user'].map((name) => join(folder, name));
  const { remote } = await placeAmong(paths);
  expect([remote.url, remote.caBundle, await remote.credentials?.token?.()]).toEqual(['https://other', 'CA', 't']);
  expect((await placeAmong(paths, 'two')).namespace).toBe('team');
  await expect(placeAmong([join(folder, 'none')])).rejects.toThrow('there is no such place');
});

test('runs a credential plugin once, and again when its token is rejected or expires', async () => {
  const status = (end: string) => `{"status":{"token":"t'$(wc -l < calls)'","expirationTimestamp":"${end}"}}`;
  const login = (end: string) => `#!/bin/sh\ncd "$(dirname "$0")"\necho >> calls\necho '${status(end)}'\n`;
  write('login', login('2999-01-01T00:00:00Z'));
  chmodSync(join(folder, 'login'), 0o755);
  const user = `{exec: {apiVersion: client.authentication.k8s.io/v1, command: ${join(folder, 'login')}}}`;
  const { token } = placeOf(kubeconfig(user), diskFiles(folder)).remote.credentials ?? {};
  expect([await token?.(), await token?.(), await token?.('t1'), await token?.('t1')]).toEqual([
    't1',
    't1',
    't2',
    't2',
  ]);
  write('login', login('1999-01-01T00:00:00Z'));
  expect([await token?.('t2'), await token?.()]).toEqual(['t3', 't4']);
});

test("finds a pod's server, and reads its token each time", async () => {
  for (const [name, text] of Object.entries({ 'ca.crt': 'CA', namespace: 'team\n', token: 'first\n' }))
    write(name, text);
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  const { remote, namespace } = await inCluster(env, folder);
  expect([remote.url, remote.caBundle, namespace]).toEqual(['https://[fd00::1]:443', 'CA', 'team']);
  expect(await remote.credentials?.token?.()).toBe('first');
  write('token', 'second');
  expect(await remote.credentials?.token?.()).toBe('second');
  await expect(inCluster({}, folder)).rejects.toThrow('this is no pod');
  await expect(inCluster(env, join(folder, 'none'))).rejects.toThrow('there is no such place');
});
