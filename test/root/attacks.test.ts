import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { KUBECTL, TestNode } from './test-node.ts';

const SECRET = 'hidden-in-a-secret';
const VALUE = 'hidden-in-a-variable';
let node: TestNode;

beforeAll(async () => {
  node = await TestNode.start('--v=5', '--sync-frequency=5s');
  await kubectl('create', 'secret', 'generic', 'own', `--from-literal=key=${SECRET}`);
  await kubectl('create', 'secret', 'generic', 'foreign', '--from-literal=key=foreign');
  const env = [
    { name: 'A', value: VALUE },
    { name: 'B', valueFrom: { secretKeyRef: { name: 'own', key: 'key' } } },
  ];
  const volumeMounts = [{ name: 'own', mountPath: '/own' }];
  const volumes = [{ name: 'own', secret: { secretName: 'own' } }];
  await node.apply(aPod('own', '', { containers: [shell(FOREVER, { env, volumeMounts })], volumes }));
  await ready('own');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

/** Runs kubectl, and returns its output. Throws if it fails. */
async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await node.kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}\n${node.log.slice(-3000)}`);
  return stdout;
}

const ready = (name: string): Promise<string> =>
  kubectl('wait', '--for=condition=Ready', '--timeout=60s', `pod/${name}`);

describe('the certificate of a node does not let it', () => {
  test.each([
    ['read a secret that none of its pods has', ['get', 'secret', 'foreign'], 'no relationship found'],
    ['list secrets', ['get', 'secrets', '-A'], 'can only read namespaced object'],
    ['list pods of others', ['get', 'pods', '-A'], 'can only list/watch pods with spec.nodeName field selector'],
    ['label itself as it likes', ['label', 'node', 'n1', 'node-role.kubernetes.io/control-plane='], 'not allowed'],
    ['taint itself', ['taint', 'node', 'n1', 'x=y:NoSchedule'], 'not allowed to modify taints'],
    ['delete a node', ['delete', 'node', 'n1'], 'cannot delete resource "nodes"'],
    ['read the lease of another', ['get', 'lease', '-n', 'kube-node-lease', 'n2'], 'with the same name'],
    ['make a pod', ['run', 'evil', '--image=x', '--restart=Never'], 'can only create mirror pods'],
    ['change a pod', ['label', 'pod', 'own', 'a=b'], 'cannot patch resource "pods"'],
    ['run a command in a pod', ['exec', 'own', '--', 'true'], 'cannot create resource "pods/exec"'],
    ['make a token for no pod', ['create', 'token', 'default'], 'node requested token not bound to a pod'],
    ['reach a kubelet', ['get', '--raw', '/api/v1/nodes/n1/proxy/pods'], 'cannot get resource "nodes/proxy"'],
  ])('%s', async (_, args, reason) => {
    const own = ['--kubeconfig', join(node.folder, 'host/kubelet.conf')];
    const { code, stderr } = await runProgram(KUBECTL, [...own, ...args]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
  });
});

test('the log of the agent contains no secrets or environment variables of pods', () => {
  expect(node.log).toContain('"level"');
  for (const hidden of [SECRET, VALUE, Buffer.from(SECRET).toString('base64'), 'eyJ'])
    expect(node.log.includes(hidden), hidden).toBe(false);
});

test('only the owner can read files of pods, certificates and configurations', () => {
  const modes = (...paths: readonly string[]) =>
    paths.flatMap((path) => globSync(path)).map((path) => (statSync(path).mode & 0o777).toString(8));
  expect(new Set(modes('/var/lib/kubelet/pods', '/var/lib/kubelet/pods/*'))).toEqual(new Set(['750']));
  expect(modes('/var/lib/kubelet/pki', '/var/lib/kubelet/pki/*.pem')).toEqual(['700', '600', '600']);
  expect(modes(join(node.folder, 'host/kubelet.conf'))).toEqual(['600']);
});

test('does not show a log if the container replaced the file or its folder by a link', async () => {
  const volumeMounts = [{ name: 'logs', mountPath: '/logs' }];
  const volumes = [{ name: 'logs', hostPath: { path: '/var/log' } }];
  await node.apply(aPod('links', '', { containers: [shell(`echo said; ${FOREVER}`, { volumeMounts })], volumes }));
  await ready('links');
  const inside = (script: string) => kubectl('exec', 'links', '--', 'sh', '-c', `cd /logs/pods/*_links_* && ${script}`);
  expect(await kubectl('logs', 'links')).toBe('said\n');
  await inside('mv main/0.log main/kept && ln -s /etc/shadow main/0.log && ln -s /etc /logs/etc');
  expect((await node.kubectl('logs', 'links')).stderr).toContain('unexpected symlink found');
  await inside('mv main moved && ln -s /etc main && ln -s passwd moved/passwd');
  expect((await node.kubectl('logs', 'links')).stderr).toContain('unexpected symlink found');
  expect((await node.kubectl('get', '--raw', '/api/v1/nodes/n1/proxy/logs/etc/shadow')).code).toBe(1);
  await kubectl('delete', 'pod', 'links', '--grace-period=1', '--timeout=60s');
});

test('does not start a container whose subpath is a link to the host', async () => {
  const mounts = [{ name: 'shared', mountPath: '/shared' }];
  const volumeMounts = [{ name: 'shared', mountPath: '/host', subPath: 'link' }];
  await node.apply(
    aPod('subpath', '', {
      volumes: [{ name: 'shared', emptyDir: {} }],
      initContainers: [{ ...shell('ln -s /etc /shared/link', { volumeMounts: mounts }), name: 'init' }],
      containers: [shell('cat /host/shadow', { volumeMounts })],
    }),
  );
  const path = 'jsonpath={.status.containerStatuses[0].state.waiting}';
  await eventually(async () =>
    expect(await kubectl('get', 'pod', 'subpath', '-o', path)).toContain('CreateContainerConfigError'),
  );
  expect(await kubectl('get', 'pod', 'subpath', '-o', path)).toContain('failed to prepare subPath for volumeMount');
  await kubectl('delete', 'pod', 'subpath', '--grace-period=1', '--timeout=60s');
});

test('truncates an endless termination message', async () => {
  const message = 'head -c 3000000 /dev/zero | tr "\\0" x > /dev/termination-log';
  await node.apply(aPod('message', message, { restartPolicy: 'Never' }));
  const path = 'jsonpath={.status.containerStatuses[0].state.terminated.message}';
  await kubectl('wait', '--for=jsonpath={.status.phase}=Succeeded', 'pod/message', '--timeout=60s');
  expect(await kubectl('get', 'pod', 'message', '-o', path)).toBe('x'.repeat(4096));
  await kubectl('delete', 'pod', 'message', '--wait', '--timeout=60s');
});

test('deletes a pod whose PostStart hook never ends', async () => {
  const lifecycle = { postStart: { exec: { command: ['sleep', '1000'] } } };
  await node.apply(aPod('hooked', '', { containers: [shell(FOREVER, { lifecycle })] }));
  const reasons = ['get', 'events', '--field-selector=involvedObject.name=hooked', '-o', 'jsonpath={.items[*].reason}'];
  await eventually(async () => expect(await kubectl(...reasons)).toContain('Started'));
  await kubectl('delete', 'pod', 'hooked', '--grace-period=1', '--timeout=60s');
});
