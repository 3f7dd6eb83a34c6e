import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { ctr } from './container-runtime.ts';
import { leftoversAfterKills } from './leftovers.ts';
import { RuntimeProxy } from './runtime-proxy.ts';
import { TestNode } from './test-node.ts';

const PROXY = '/run/proxy.sock';
let proxy: RuntimeProxy;
let node: TestNode;

beforeAll(async () => {
  proxy = await RuntimeProxy.start(PROXY);
  node = await TestNode.start(`--container-runtime-endpoint=unix://${PROXY}`, '--sync-frequency=5s');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});
afterEach(async () => {
  await kubectl('delete', 'pods', '--all', '--timeout=90s');
});

/** Runs kubectl, and returns its output. Throws if it fails. */
async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await node.kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}\n${node.log.slice(-3000)}`);
  return stdout;
}

/** Starts a pod with a readiness probe, and waits until it is ready. */
async function start(name: string): Promise<void> {
  const readinessProbe = { exec: { command: ['true'] }, periodSeconds: 1 };
  await node.apply(aPod(name, '', { containers: [shell(FOREVER, { readinessProbe })] }));
  await isReady(name);
}

const isReady = (name: string): Promise<string> =>
  kubectl('wait', '--for=condition=Ready', '--timeout=90s', `pod/${name}`);

/** The container of a pod, its restart count, and the time since when the pod is ready. */
const lifeOf = (name: string): Promise<string> => {
  const container = '.status.containerStatuses[0]';
  const since = '.status.conditions[?(@.type=="Ready")]';
  const path = `{${container}.containerID} {${container}.restartCount} {${since}.status} {${since}.lastTransitionTime}`;
  return kubectl('get', 'pod', name, '-o', `jsonpath=${path}`);
};

/** Resolves when a pod's container is 11 s old. As in upstream, a younger one is temporarily not ready after a restart of the agent. */
async function isSettled(name: string): Promise<void> {
  const started = await kubectl(
    'get',
    'pod',
    name,
    '-o',
    'jsonpath={.status.containerStatuses[0].state.running.startedAt}',
  );
  await eventually(() => expect(Date.now() - Date.parse(started)).toBeGreaterThan(11_000));
}

const containers = (): string[] => ctr('containers', 'list', '-q').trim().split('\n');

test('a restart of the agent does not change running pods', async () => {
  await start('before');
  await isSettled('before');
  const life = await lifeOf('before');
  await node.restartAgent();
  await start('after');
  expect(await lifeOf('before')).toBe(life);
});

test('pods keep running while containerd is dead, and the node is not ready until it is back', async () => {
  await start('before');
  const life = await lifeOf('before');
  node.runtime.kill();
  await kubectl('wait', '--for=condition=Ready=false', 'node/n1', '--timeout=100s');
  expect(await kubectl('get', 'node', 'n1', '-o', 'jsonpath={.status.conditions[?(@.type=="Ready")].message}')).toMatch(
    /container runtime is down/,
  );
  await node.runtime.restart();
  await node.isReady();
  await start('after');
  const [id, restarts] = (await lifeOf('before')).split(' ');
  expect(life).toContain(`${id} ${restarts} True`);
});

test.each(['RunPodSandbox', 'CreateContainer', 'StartContainer'])(
  'a pod starts though containerd is killed during its %s',
  async (call) => {
    const killed = proxy.reached({ call, nth: 1, moment: 'during' }, () => node.runtime.kill());
    const name = `starts-${call.toLowerCase()}`;
    await node.apply(aPod(name));
    await killed;
    await node.runtime.restart();
    await isReady(name);
  },
);

test('pods keep running while the server is dead and after its restart', async () => {
  await start('before');
  const life = await lifeOf('before');
  await node.restartServer();
  await start('after');
  expect(await lifeOf('before')).toBe(life);
});

test('stops a pod that was deleted while the agent was dead', async () => {
  await start('deleted');
  node.killAgent();
  await node.restartServer();
  await kubectl('delete', 'pod', 'deleted', '--force', '--grace-period=0');
  await node.restartAgent();
  await eventually(() => !ctr('tasks', 'list').includes('RUNNING'));
});

test('an agent on a copied disk runs no pods while the original is alive, and all of them afterwards', async () => {
  await start('before');
  await isSettled('before');
  const [id, restarts] = (await lifeOf('before')).split(' ');
  const count = containers().length;
  await using clone = node.startClone();
  const refusals = () => clone.stderr.split('another instance of node').length - 1;
  await eventually(
    () => refusals() > 1,
    () => clone.stderr,
  );
  expect(containers()).toHaveLength(count);
  expect(clone.stderr).not.toContain('the container runtime answers');
  await start('meanwhile');
  node.killAgent();
  await eventually(
    () => clone.stderr.includes('the container runtime answers'),
    () => clone.stderr,
  );
  await start('after');
  expect(await lifeOf('before')).toMatch(new RegExp(`^${id} ${restarts} True `));
  await clone.ended('SIGKILL');
  await node.restartAgent();
});

test('restarts leave no files on the machine except those that containerd lost when it was killed', async () => {
  const left = (): string[] => leftoversAfterKills(node.log);
  await eventually(
    () => left().length === 0,
    () => [...left(), node.runtime.log.slice(-3000), node.log.slice(-5000)].join('\n'),
  );
});
