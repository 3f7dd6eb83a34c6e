import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { milliValue } from '#lib/machinery/resource/quantities.ts';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { RuntimeProxy } from './runtime-proxy.ts';
import { CGROUP } from './setup.ts';
import { TestNode } from './test-node.ts';

const PROXY = '/run/proxy.sock';
const MI = 1_048_576;
let proxy: RuntimeProxy;
let node: TestNode;

beforeAll(async () => {
  proxy = await RuntimeProxy.start(PROXY);
  const flags = ['--cpu-manager-policy=static', '--kube-reserved=cpu=100m'];
  node = await TestNode.start(`--container-runtime-endpoint=unix://${PROXY}`, ...flags);
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

/** Runs kubectl, and returns its output. Throws if it fails. */
async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await node.kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}\n${node.log.slice(-3000)}`);
  return stdout;
}

interface Amounts {
  readonly cpu: string;
  readonly memory: string;
}

const resources = (requests: Amounts, limits: Amounts) => ({ requests, limits });
const SMALL = resources({ cpu: '50m', memory: '32Mi' }, { cpu: '100m', memory: '64Mi' });
const LARGE = resources({ cpu: '100m', memory: '64Mi' }, { cpu: '200m', memory: '128Mi' });

/** Starts a pod, and waits until it runs. */
async function start(name: string, given: object, more: object = {}, script = FOREVER): Promise<void> {
  await node.apply(aPod(name, '', { containers: [shell(script, { resources: given, ...more })] }));
  await kubectl('wait', '--for=condition=Ready', '--timeout=60s', `pod/${name}`);
}

const resize = (name: string, given: object): Promise<string> =>
  kubectl(
    'patch',
    'pod',
    name,
    '--subresource',
    'resize',
    '--patch',
    JSON.stringify({
      spec: { containers: [{ name: 'main', resources: given }] },
    }),
  );

const path = (name: string, jsonpath: string): Promise<string> =>
  kubectl('get', 'pod', name, '-o', `jsonpath=${jsonpath}`);
/** The container of a pod, and its restart count. */
const lifeOf = (name: string): Promise<string> =>
  path(name, '{.status.containerStatuses[0].containerID} {.status.containerStatuses[0].restartCount}');
const conditionOf = (name: string, type: string): Promise<string> => {
  const condition = `.status.conditions[?(@.type=="${type}")]`;
  return path(name, `{${condition}.reason}: {${condition}.message}`);
};
const eventsOf = (name: string): Promise<string> =>
  kubectl('get', 'events', '--field-selector', `involvedObject.name=${name}`, '-o', 'jsonpath={.items[*].reason}');

/** Resolves when the pod reports the resources, and no resize is in progress. */
async function isResized(name: string, given: object): Promise<void> {
  await eventually(
    async () => {
      const json = await path(name, '{.status.containerStatuses[0].resources}');
      if (json === '' || (await conditionOf(name, 'PodResizeInProgress')) !== ': ') return false;
      return JSON.stringify(sorted(JSON.parse(json))) === JSON.stringify(sorted(given));
    },
    () => node.log.slice(-3000),
  );
}

/** Sorts the fields of each object in the value. */
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted()
          .map(([name, one]) => [name, sorted(one)]),
      )
    : value;

/** The limits of a cgroup below a pod's, in bytes and thousandths of a CPU; '' is the pod's own. */
async function cgroupOf(name: string, below = ''): Promise<{ readonly memory: number; readonly cpu: number }> {
  const uid = await path(name, '{.metadata.uid}');
  const read = (file: string): string | undefined => {
    const [found] = globSync(
      ['', '*/'].map((one) => `/sys/fs/cgroup/${one}${CGROUP}/kubepods/**/pod${uid}${below}/${file}`),
    );
    return found === undefined ? undefined : readFileSync(found, 'utf8').trim();
  };
  const memory = Number(read('memory.limit_in_bytes') ?? read('memory.max'));
  const [quota, period] = read('cpu.max')?.split(' ') ?? [read('cpu.cfs_quota_us'), read('cpu.cfs_period_us')];
  return { memory, cpu: (1000 * Number(quota)) / Number(period) };
}

test('the CPU and memory of a pod can be raised and lowered while its container keeps running', async () => {
  await start('sized', SMALL);
  const life = await lifeOf('sized');
  const container = `/${life.split(' ')[0]?.replace('containerd://', '')}`;
  for (const [given, cpu, memory] of [[LARGE, 200, 128 * MI] as const, [SMALL, 100, 64 * MI] as const]) {
    await resize('sized', given);
    await isResized('sized', given);
    expect(await cgroupOf('sized')).toEqual({ cpu, memory });
    expect(await cgroupOf('sized', container)).toEqual({ cpu, memory });
  }
  expect(await lifeOf('sized')).toBe(life);
  expect(await path('sized', '{.status.containerStatuses[0].allocatedResources}')).toBe(
    '{"cpu":"50m","memory":"32Mi"}',
  );
  await eventually(async () => expect(await eventsOf('sized')).toMatch(/ResizeStarted.*ResizeCompleted/));
});

test('a pod as a whole gets more CPU and memory', async () => {
  await node.apply(aPod('whole', '', { containers: [shell(FOREVER)], resources: SMALL }));
  await kubectl('wait', '--for=condition=Ready', '--timeout=60s', 'pod/whole');
  const patch = JSON.stringify({ spec: { resources: LARGE } });
  await kubectl('patch', 'pod', 'whole', '--subresource', 'resize', '--patch', patch);
  await eventually(async () => expect(await eventsOf('whole')).toContain('ResizeCompleted'));
  expect(await cgroupOf('whole')).toEqual({ cpu: 200, memory: 128 * MI });
});

test('a container whose policy requires it restarts with its new resources', async () => {
  const resizePolicy = [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }];
  await start('restarted', SMALL, { resizePolicy });
  await resize('restarted', LARGE);
  await isResized('restarted', LARGE);
  const [id, restarts] = (await lifeOf('restarted')).split(' ');
  expect(restarts).toBe('1');
  const bounds = { cpu: 200, memory: 128 * MI };
  expect(await cgroupOf('restarted')).toEqual(bounds);
  expect(await cgroupOf('restarted', `/${id?.replace('containerd://', '')}`)).toEqual(bounds);
});

test('a resize that the node can never perform is infeasible, and one beyond its capacity is rejected', async () => {
  const exact = (cpu: string) => resources({ cpu, memory: '32Mi' }, { cpu, memory: '32Mi' });
  await start('exact', exact('50m'));
  await resize('exact', exact('60m'));
  const message = 'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"';
  await eventually(async () => expect(await conditionOf('exact', 'PodResizePending')).toBe(`Infeasible: ${message}`));
  expect(await path('exact', '{.status.conditions[?(@.type=="PodResizePending")].observedGeneration}')).toBe('2');
  await expect(resize('exact', exact('1000'))).rejects.toThrow("node didn't have enough allocatable resources: cpu");
  await eventually(async () => expect(await eventsOf('exact')).toContain('ResizeInfeasible'));
});

test('a resize without room waits until another pod is deleted', async () => {
  const allocatable = milliValue(await kubectl('get', 'node', 'n1', '-o', 'jsonpath={.status.allocatable.cpu}'));
  await start('waiting', { requests: { cpu: '50m' } });
  await start('other', { requests: { cpu: `${allocatable - 500n}m` } });
  await resize('waiting', { requests: { cpu: '500m' } });
  await eventually(async () => (await conditionOf('waiting', 'PodResizePending')).startsWith('Deferred: Node didn'));
  expect(await path('waiting', '{.status.containerStatuses[0].allocatedResources.cpu}')).toBe('50m');
  await kubectl('delete', 'pod', 'other');
  await isResized('waiting', { requests: { cpu: '500m' } });
  await eventually(async () => expect(await eventsOf('waiting')).toContain('ResizeDeferred'));
});

test('reports a memory limit below the usage as an error until it is raised', async () => {
  await start('full', LARGE, {}, `dd if=/dev/zero of=/dev/shm/file bs=1M count=40 && ${FOREVER}`);
  const below = resources({ cpu: '100m', memory: '16Mi' }, { cpu: '200m', memory: '16Mi' });
  await resize('full', below);
  await eventually(async () =>
    (await conditionOf('full', 'PodResizeInProgress')).startsWith('Error: cannot decrease memory limits: '),
  );
  expect((await cgroupOf('full')).memory).toBe(128 * MI);
  await resize('full', LARGE);
  await isResized('full', LARGE);
});

test('an agent that was killed during a resize continues it', async () => {
  await start('midway', SMALL);
  const life = await lifeOf('midway');
  const killed = proxy.reached({ call: 'UpdateContainerResources', nth: 2, moment: 'before' }, () => node.killAgent());
  await resize('midway', LARGE);
  await killed;
  await node.restartAgent();
  await isResized('midway', LARGE);
  expect(await cgroupOf('midway')).toEqual({ cpu: 200, memory: 128 * MI });
  expect(await lifeOf('midway')).toBe(life);
});
