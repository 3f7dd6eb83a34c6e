import { expect, test } from 'vitest';
import { credentialsOf, serverOf } from './credentials.ts';
import { decodeKubeconfig, type KubeconfigFiles, mergeKubeconfigs, selectContext } from './kubeconfig.ts';
import { kubeconfigOf, type NewUser } from './new-kubeconfig.ts';

const filesOf = (contents: Readonly<Record<string, string>>): KubeconfigFiles => ({
  read: (path) => contents[path] ?? `no ${path}`,
  readLater: (path) => async () => contents[path] ?? `no ${path}`,
});
const FILES = filesOf({ 'node.pem': 'PEM' });
const server = 'https://api.example:6443';
const SECRET = 'aws-session-0123456789';

test.each<[string, NewUser, object | undefined]>([
  ['a token', { token: 't' }, { token: expect.any(Function) }],
  ['a certificate', { certificate: 'C', key: 'K' }, { certificate: { certificate: 'C', key: 'K' } }],
  [
    'the files of a certificate',
    { certificateFile: 'node.pem', keyFile: 'node.pem' },
    { certificate: { certificate: 'PEM', key: 'PEM' } },
  ],
  ['nothing', {}, undefined],
])('reads what it writes for a user with %s', (_, user, credentials) => {
  const name = { cluster: 'c', user: 'u', context: 'x' };
  const text = kubeconfigOf({ name, server, authority: 'CA', serverName: 'api', user, namespace: 'team' });
  const selected = selectContext(decodeKubeconfig(text, FILES));
  expect([selected.namespace, serverOf(selected.cluster)]).toEqual(['team', { url: server, authority: 'CA' }]);
  expect(selected.cluster.cluster['tls-server-name']).toBe('api');
  expect(selected.user && credentialsOf(selected.user)).toEqual(credentials);
});

test('writes the fields in the order of kubectl', () => {
  const exec = { command: 'davit', args: ['token'] };
  expect(kubeconfigOf({ name: 'a', server, insecure: true, user: { exec } })).toBe(`apiVersion: v1
clusters:
- cluster:
    insecure-skip-tls-verify: true
    server: https://api.example:6443
  name: a
contexts:
- context:
    cluster: a
    user: a
  name: a
current-context: a
kind: Config
users:
- name: a
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      args:
      - token
      command: davit
      interactiveMode: IfAvailable
      provideClusterInfo: false
`);
});

test('uses the first kubeconfig that has an entry, and the files next to that kubeconfig', () => {
  const first = decodeKubeconfig(
    'clusters: [{name: c, cluster: {server: "https://first", certificate-authority: ca}}]\nusers: ~',
    filesOf({ ca: 'FIRST' }),
  );
  const second = decodeKubeconfig(
    kubeconfigOf({ name: { cluster: 'c', user: 'u', context: 'x' }, server: 'https://second', user: { token: 't' } }),
    filesOf({ ca: 'SECOND' }),
  );
  const third = decodeKubeconfig('current-context: other', FILES);
  const { cluster, user } = selectContext(mergeKubeconfigs([first, second, third]));
  expect([serverOf(cluster), user?.user.token]).toEqual([{ url: 'https://first', authority: 'FIRST' }, 't']);
});

test.each([
  ['a cluster that it does not use without https', 'clusters: [{name: other, cluster: {server: "http://localhost"}}]'],
  ['base64 in several lines', 'users: [{name: other, user: {client-key-data: "YQ==\\n"}}]'],
  ['lists that are null', 'clusters: ~\nusers: ~\ncontexts: ~'],
  ['no text', ''],
])('accepts a kubeconfig with %s', (_, text) => {
  expect(decodeKubeconfig(text, FILES).currentContext).toBe('');
});

test.each([
  ['a secret of another type', `users: [{name: u, user: {token: [${SECRET}]}}]`],
  ['a key that is not base64', `users: [{name: u, user: {client-key-data: "${SECRET}"}}]`],
  ['a password', `users: [{name: u, user: {username: a, password: ${SECRET}}}]`],
  ['another user to act as', `users: [{name: u, user: {token: ${SECRET}, as: root}}]`],
  ['a server without https', `clusters: [{name: c, cluster: {server: "http://u:${SECRET}@x"}}]`],
  ['a text that is not YAML', `users: [{name: u, user: {token: ${SECRET}`],
])('rejects %s, and quotes no value', (_, text) => {
  const read = (): void => {
    const { clusters, users } = decodeKubeconfig(text, FILES);
    for (const cluster of clusters) serverOf(cluster);
    for (const user of users) credentialsOf(user);
  };
  expect(read).toThrow();
  expect(read).not.toThrow(SECRET);
});

test('rejects a kubeconfig of more than 10 MB', () => {
  expect(() => decodeKubeconfig('#'.repeat(10_000_001), FILES)).toThrow('too large');
});
