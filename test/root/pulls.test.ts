import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { Registry } from './registry.ts';
import { type Moment, RuntimeProxy } from './runtime-proxy.ts';
import { TestNode } from './test-node.ts';

const PROXY = '/run/proxy.sock';
let proxy: RuntimeProxy;
let registry: Registry;
let node: TestNode;

beforeAll(async () => {
  registry = await Registry.start();
  proxy = await RuntimeProxy.start(PROXY);
  node = await TestNode.start(`--container-runtime-endpoint=unix://${PROXY}`, '--sync-frequency=1s');
  const { username, password } = Registry.login;
  const login = [`--docker-username=${username}`, `--docker-password=${password}`];
  await node.output('create', 'secret', 'docker-registry', 'login', `--docker-server=${registry.host}`, ...login);
  const wrong = [`--docker-username=${username}`, '--docker-password=wrong'];
  await node.output('create', 'secret', 'docker-registry', 'wrong', `--docker-server=${registry.host}`, ...wrong);
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
});

/** A pod with one container of the image. */
const pulling = (name: string, image: string, imagePullPolicy = 'IfNotPresent', secret?: string): object =>
  aPod(name, '', {
    terminationGracePeriodSeconds: 1,
    containers: [shell(FOREVER, { image, imagePullPolicy })],
    ...(secret === undefined ? {} : { imagePullSecrets: [{ name: secret }] }),
  });

const isReady = (name: string): Promise<string> =>
  node.output('wait', '--for=condition=Ready', '--timeout=90s', `pod/${name}`);

/** Resolves with the message when the container of a pod is waiting for this reason. */
async function waits(name: string, reason: string): Promise<string> {
  const waiting = '.status.containerStatuses[0].state.waiting';
  const path = `jsonpath={${waiting}.reason} {${waiting}.message}`;
  let shown = '';
  await eventually(
    async () => {
      shown = (await node.kubectl('get', 'pod', name, '-o', path)).stdout;
      return shown.startsWith(`${reason} `);
    },
    () => `${name} waits for ${reason}: ${shown}`,
  );
  return shown.slice(reason.length + 1);
}

const remove = (name: string): Promise<string> => node.output('delete', 'pod', name, '--timeout=60s');

test('the pull policies Never, IfNotPresent and Always contact the registry never, once and every time', async () => {
  const image = registry.add({ name: 'tools/once:1' });
  const missing = registry.add({ name: 'tools/never:1' });
  await node.apply(pulling('never', missing, 'Never'));
  expect(await waits('never', 'ErrImageNeverPull')).toBe(
    `Container image "${missing}" is not present with pull policy of Never`,
  );
  await remove('never');
  expect(registry.pulls('tools/never:1')).toBe(0);

  const counts: number[] = [];
  for (const [name, policy] of [
    ['first', 'IfNotPresent'],
    ['second', 'IfNotPresent'],
    ['third', 'Always'],
    ['fourth', 'Never'],
  ] as const) {
    await node.apply(pulling(name, image, policy));
    await isReady(name);
    counts.push(registry.pulls('tools/once:1'));
    await remove(name);
  }
  expect(counts).toEqual([1, 1, 2, 2]);
});

test('a pod without a login waits with the reason of the registry, and one with a login starts', async () => {
  const image = registry.add({ name: 'private/tool:1' });
  await node.apply(pulling('stranger', image), pulling('liar', image, 'IfNotPresent', 'wrong'));
  await waits('stranger', 'ImagePullBackOff');
  expect(await waits('liar', 'ImagePullBackOff')).toMatch(/^Back-off pulling image ".*": ErrImagePull: /);
  const reasons = 'jsonpath={range .items[*]}{.reason}: {.message}{"\\n"}{end}';
  const events = await node.output('get', 'events', '--field-selector=involvedObject.name=stranger', '-o', reasons);
  for (const said of [
    `Pulling: Pulling image "${image}"`,
    `Failed: Failed to pull image "${image}": `,
    'Failed: Error: ErrImagePull',
    `BackOff: Back-off pulling image "${image}"`,
    'Failed: Error: ImagePullBackOff',
  ])
    expect(events).toContain(said);
  await node.apply(pulling('friend', image, 'IfNotPresent', 'login'));
  await isReady('friend');
  // The node has the image now, but a pod without the login may not use it.
  await node.apply(pulling('late', image));
  await waits('late', 'ErrImagePull');
  expect(node.log).not.toContain(Registry.login.password);
  for (const name of ['stranger', 'liar', 'friend', 'late']) await remove(name);
});

test('an invalid image name and a missing image have different errors', async () => {
  await node.apply(pulling('nameless', 'Not An Image'), pulling('absent', `${registry.host}/tools/absent:1`));
  expect(await waits('nameless', 'InvalidImageName')).toContain('Failed to apply default image tag');
  expect(await waits('absent', 'ImagePullBackOff')).toContain('not found');
  for (const name of ['nameless', 'absent']) await remove(name);
});

const MOMENTS: readonly Moment[] =
  process.env['DAVIT_ROOT_ALL'] === undefined ? ['during'] : ['before', 'during', 'after'];

test.each(MOMENTS)('a pod starts although its agent is killed %s PullImage', async (moment) => {
  const image = registry.add({ name: `tools/${moment}:1` });
  const killed = proxy.reached({ call: 'PullImage', nth: 1, moment }, () => node.killAgent());
  await node.apply(pulling(moment, image));
  await killed;
  await node.restartAgent();
  await isReady(moment);
  const restarts = 'jsonpath={.status.containerStatuses[0].restartCount}';
  expect(await node.output('get', 'pod', moment, '-o', restarts)).toBe('0');
  await remove(moment);
});
