import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningProgram, runProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { aPod, aWorkload, FOREVER, shell } from './builders.ts';
import { BUSYBOX } from './images.ts';
import { leftovers } from './leftovers.ts';
import { KUBECTL, TestNode } from './test-node.ts';

const STATIC_PODS = '/run/static-pods';
let node: TestNode;

beforeAll(async () => {
  mkdirSync(STATIC_PODS, { recursive: true });
  node = await TestNode.start(`--pod-manifest-path=${STATIC_PODS}`, '--file-check-frequency=1s', '--sync-frequency=5s');
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

const ready = (...what: readonly string[]): Promise<string> =>
  kubectl('wait', '--for=condition=Ready', '--timeout=60s', ...what);

/** Deletes a pod, and waits until it no longer exists. */
const remove = (name: string): Promise<string> => kubectl('delete', 'pod', name, '--wait', '--timeout=60s');

test('kubectl run, logs -f and exec work, with exit codes and standard input', async () => {
  await kubectl('run', 'hello', `--image=${BUSYBOX.name}`, '--', 'sh', '-c', `echo one; echo two; ${FOREVER}`);
  await ready('pod/hello');
  expect(await kubectl('logs', 'hello')).toBe('one\ntwo\n');
  await using following = new RunningProgram(KUBECTL, ['--kubeconfig', node.server.kubeconfig, 'logs', '-f', 'hello']);
  await following.says(/two/);
  expect(await kubectl('exec', 'hello', '--', 'cat', '/etc/hostname')).toBe('hello\n');
  expect((await node.kubectl('exec', 'hello', '--', 'sh', '-c', 'exit 7')).code).toBe(7);
  const args = ['--kubeconfig', node.server.kubeconfig, 'exec', '-i', 'hello', '--', 'cat'];
  expect(await runProgram(KUBECTL, args, { input: 'typed\n' })).toMatchObject({ code: 0, stdout: 'typed\n' });
  await kubectl('delete', 'pod', 'hello', '--grace-period=1', '--timeout=60s');
  await following.ended();
});

test('kubectl cp carries a file both ways', async () => {
  await node.apply(aPod('copies'));
  await ready('pod/copies');
  const [there, back] = [join(node.folder, 'there'), join(node.folder, 'back')];
  writeFileSync(there, 'x'.repeat(300_000));
  await kubectl('cp', there, 'copies:/tmp/file');
  expect(await kubectl('exec', 'copies', '--', 'wc', '-c', '/tmp/file')).toBe('300000 /tmp/file\n');
  await kubectl('cp', 'copies:/tmp/file', back);
  expect((await runProgram('cmp', [there, back])).code).toBe(0);
  await remove('copies');
});

test('kubectl port-forward reaches a server in a pod', async () => {
  await node.apply(aPod('web', 'mkdir /www; echo served > /www/index.html; exec httpd -f -p 8080 -h /www'));
  await ready('pod/web');
  await using forward = new RunningProgram(KUBECTL, [
    '--kubeconfig',
    node.server.kubeconfig,
    'port-forward',
    'pod/web',
    ':8080',
  ]);
  await forward.says(/127\.0\.0\.1:(\d+) ->/);
  const [, port] = /127\.0\.0\.1:(\d+) ->/.exec(forward.stdout) ?? [];
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('served\n');
  expect(await kubectl('get', '--raw', '/api/v1/namespaces/default/pods/web:8080/proxy/')).toBe('served\n');
  await remove('web');
});

test('kubectl debug starts an ephemeral container that sees the processes of its target', async () => {
  await node.apply(aPod('target'));
  await ready('pod/target');
  await kubectl(
    'debug',
    'target',
    `--image=${BUSYBOX.name}`,
    '--target=main',
    '-c',
    'debugger',
    '--',
    'sh',
    '-c',
    FOREVER,
  );
  await eventually(async () =>
    expect((await node.kubectl('exec', 'target', '-c', 'debugger', '--', 'true')).code).toBe(0),
  );
  expect(await kubectl('exec', 'target', '-c', 'debugger', '--', 'ps')).toContain('trap');
  await kubectl('delete', 'pod', 'target', '--grace-period=1', '--timeout=60s');
});

test.each([
  ['deployment', aWorkload('Deployment', 'apps', { replicas: 3 })],
  ['statefulset', aWorkload('StatefulSet', 'sets', { replicas: 2, serviceName: 'sets' })],
  ['daemonset', aWorkload('DaemonSet', 'daemons')],
])('a %s rolls out, and its pods are deleted with it', async (kind, object) => {
  await node.apply(object);
  const { name } = JSON.parse(await kubectl('get', kind, '-o', 'jsonpath={.items[0].metadata}'));
  await kubectl('rollout', 'status', `${kind}/${name}`, '--timeout=60s');
  await kubectl('delete', kind, name, '--wait');
  await kubectl('wait', '--for=delete', 'pod', '-l', `app=${name}`, '--timeout=60s');
});

test('a job completes, and a cron job makes another', async () => {
  await node.apply(aWorkload('Job', 'once', {}, 'echo done'));
  await kubectl('wait', '--for=condition=Complete', 'job/once', '--timeout=60s');
  expect(await kubectl('logs', 'job/once')).toBe('done\n');
  await kubectl('create', 'cronjob', 'often', `--image=${BUSYBOX.name}`, '--schedule=0 0 1 1 *', '--', 'echo', 'ran');
  await kubectl('create', 'job', '--from=cronjob/often', 'now');
  await kubectl('wait', '--for=condition=Complete', 'job/now', '--timeout=60s');
  await kubectl('delete', 'job,cronjob', '--all', '--wait');
});

test('a failed liveness probe restarts the container, a failed readiness probe makes the pod unready', async () => {
  const probe = (path: string) => ({ exec: { command: ['test', '-e', path] }, periodSeconds: 1, failureThreshold: 1 });
  const script = `touch /tmp/live /tmp/ready; ${FOREVER}`;
  const containers = [
    shell(script, {
      livenessProbe: { ...probe('/tmp/live'), initialDelaySeconds: 1 },
      readinessProbe: probe('/tmp/ready'),
    }),
  ];
  await node.apply(aPod('probed', '', { containers, terminationGracePeriodSeconds: 1 }));
  await ready('pod/probed');
  await kubectl('exec', 'probed', '--', 'rm', '/tmp/ready');
  await kubectl('wait', '--for=condition=Ready=false', 'pod/probed', '--timeout=60s');
  await kubectl('exec', 'probed', '--', 'rm', '/tmp/live');
  const restarts = 'jsonpath={.status.containerStatuses[0].restartCount}';
  await eventually(async () => expect(await kubectl('get', 'pod', 'probed', '-o', restarts)).toBe('1'));
  await remove('probed');
});

test('a secret changes in a running pod', async () => {
  await kubectl('create', 'secret', 'generic', 'words', '--from-literal=word=first');
  const volumes = [{ name: 'words', secret: { secretName: 'words' } }];
  const containers = [shell(FOREVER, { volumeMounts: [{ name: 'words', mountPath: '/words' }] })];
  await node.apply(aPod('reads', '', { containers, volumes }));
  await ready('pod/reads');
  expect(await kubectl('exec', 'reads', '--', 'cat', '/words/word')).toBe('first');
  await kubectl('patch', 'secret', 'words', '-p', '{"stringData":{"word":"second"}}');
  await eventually(async () => expect(await kubectl('exec', 'reads', '--', 'cat', '/words/word')).toBe('second'));
  expect(await kubectl('exec', 'reads', '--', 'grep', ' /words ', '/proc/mounts')).toMatch(/^tmpfs /);
  await remove('reads');
  await kubectl('delete', 'secret', 'words');
});

test('a static pod has a mirror pod, and ends when its file is deleted', async () => {
  const file = join(STATIC_PODS, 'static.json');
  writeFileSync(file, JSON.stringify(aPod('static')));
  await eventually(async () => expect((await node.kubectl('get', 'pod', 'static-n1')).code).toBe(0));
  await ready('pod/static-n1');
  rmSync(file);
  await kubectl('wait', '--for=delete', 'pod/static-n1', '--timeout=60s');
});

test('kubectl drain evicts pods, and uncordon lets new ones run', async () => {
  await node.apply(aWorkload('Deployment', 'drained', { replicas: 2 }));
  await kubectl('rollout', 'status', 'deployment/drained', '--timeout=60s');
  await kubectl('drain', 'n1', '--ignore-daemonsets', '--timeout=60s');
  expect(await kubectl('get', 'pods', '-l', 'app=drained', '--field-selector=status.phase=Running', '-o', 'name')).toBe(
    '',
  );
  await kubectl('uncordon', 'n1');
  await kubectl('rollout', 'status', 'deployment/drained', '--timeout=60s');
  await kubectl('delete', 'deployment', 'drained', '--wait');
  await kubectl('wait', '--for=delete', 'pod', '-l', 'app=drained', '--timeout=60s');
});

test('pods leave no files on the machine', async () => {
  expect(await kubectl('get', 'pods', '-A', '-o', 'name')).toBe('');
  await eventually(() => expect(leftovers()).toEqual([]));
});
