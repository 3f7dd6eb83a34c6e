import { expect, test } from 'vitest';
import type { Container, Pod, PodSpec } from '#lib/api/types/core.v1.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { EventClock } from '#test/support/event-clock.ts';
import type { ResourceConfig } from '../cm/cgroup/resource-config.ts';
import type { PodMemoryUsage } from '../container/runtime.ts';
import { aPod } from '../testing/pods.ts';
import { someHelper } from '../testing/runtime-config.ts';
import { aNodeRuntime } from '../testing/runtime-ports.ts';
import { RuntimeManager } from './runtime-manager.ts';

const UID = 'uid-web';
const GI = 1_073_741_824n;
const app = (cpu: string, memory: string, more: Partial<Container> = {}): Container => ({
  name: 'app',
  image: 'i',
  resources: { requests: { cpu, memory }, limits: { cpu, memory } },
  ...more,
});
const podOf = (spec: Partial<PodSpec>): Pod => aPod('web', { spec });

/** A node with the pod, whose cgroup has one CPU and 1 GiB. */
async function aNode(pod: Pod, usage: PodMemoryUsage = { pod: 0n, containers: new Map() }) {
  const clock = new EventClock();
  const steps: string[] = [];
  const cgroup = new Map<string, ResourceConfig>([
    ['memory', { memory: GI }],
    ['cpu', { cpuShares: 1024n, cpuQuota: 100_000n, cpuPeriod: 100_000n }],
  ]);
  const podCgroups = {
    config: async (_: Pod, resource: string) => cgroup.get(resource) ?? {},
    setConfig: async (_: Pod, { hugePageLimits: _pages, ...config }: ResourceConfig) => {
      const entries = Object.entries(config).map(([name, value]) => `${name}=${String(value)}`);
      steps.push(`cgroup ${entries.join(' ')}`);
      for (const resource of ['memory', 'cpu']) cgroup.set(resource, { ...cgroup.get(resource), ...config });
    },
  };
  const helper = someHelper({
    podMemoryUsage: async () => usage,
    requestPodReinspect: (uid) => void steps.push(`reinspect ${uid}`),
  });
  const node = aNodeRuntime(clock, { podCgroups, helper });
  const { ports } = node.process();
  const { updateContainerResources, ...calls } = ports.runtime;
  const runtime: typeof ports.runtime = {
    ...calls,
    updateContainerResources: (request, options) => {
      const { cpuShares, cpuQuota, memoryLimitInBytes } = request.linux ?? {};
      steps.push(`container shares=${cpuShares} quota=${cpuQuota} memory=${memoryLimitInBytes}`);
      return updateContainerResources(request, options);
    },
  };
  const manager = new RuntimeManager({ ...ports, runtime });
  const status = () => manager.podStatus(UID, 'web', 'default');
  const sync = async (one: Pod) => {
    steps.length = 0;
    const result = await clock.runUntil(manager.syncPod(one, await status(), { pullSecrets: [] }));
    const errors = result.results.flatMap(({ error }) => (error === undefined ? [] : [error.message]));
    return { steps: [...steps], errors, actions: result.results.map(({ action }) => action) };
  };
  const isResizing = async (one: Pod): Promise<boolean> => manager.isPodResizeInProgress(one, await status());
  await sync(pod);
  return { ...node, manager, ports, sync, isResizing };
}

test('resizes the cgroup before the container of a growing pod', async () => {
  const { sync, isResizing, ports } = await aNode(podOf({ containers: [app('1', '1Gi')] }));
  const grown = podOf({ containers: [app('2', '2Gi')] });
  expect(await isResizing(grown)).toBe(true);
  expect(await sync(grown)).toEqual({
    steps: [
      `cgroup memory=${2n * GI}`,
      `container shares=1024 quota=100000 memory=${2n * GI}`,
      'cgroup cpuQuota=200000 cpuPeriod=100000',
      'cgroup cpuShares=2048',
      `container shares=2048 quota=200000 memory=${2n * GI}`,
      `reinspect ${UID}`,
    ],
    errors: [],
    actions: ['ResizePodInPlace'],
  });
  expect(await isResizing(grown)).toBe(false);
  expect(ports.actuated.containerResources(UID, 'app')).toEqual(app('2', '2Gi').resources);
  expect((await sync(grown)).actions).toEqual([]);
});

test('resizes the cgroup after the container of a shrinking pod', async () => {
  const { sync } = await aNode(podOf({ containers: [app('1', '1Gi')] }));
  const { steps } = await sync(podOf({ containers: [app('500m', '512Mi')] }));
  expect(steps).toEqual([
    `container shares=1024 quota=100000 memory=${GI / 2n}`,
    `cgroup memory=${GI / 2n}`,
    `container shares=512 quota=50000 memory=${GI / 2n}`,
    'cgroup cpuShares=512',
    'cgroup cpuQuota=50000 cpuPeriod=100000',
    `reinspect ${UID}`,
  ]);
});

test('rejects a memory limit below the current usage without any change', async () => {
  const used = { pod: GI - 1n, containers: new Map([['app', GI / 2n]]) };
  const { sync, isResizing } = await aNode(podOf({ containers: [app('1', '1Gi')] }), used);
  const small = podOf({ containers: [app('2', '512Mi')] });
  const { steps, errors } = await sync(small);
  expect(steps).toEqual([]);
  expect(errors).toEqual([
    `cannot decrease memory limits: [attempting to set pod memory limit (${GI / 2n}) below current usage (${GI - 1n}), ` +
      `attempting to set container "app" memory limit (${GI / 2n}) below current usage (${GI - 1n})]`,
  ]);
  expect(await isResizing(small)).toBe(true);
});

test('applies new resources to a container that restarts for them, and to the cgroup', async () => {
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  const { sync, events, fake } = await aNode(podOf({ containers: [app('1', '1Gi', { resizePolicy })] }));
  events.length = 0;
  const { steps, actions } = await sync(podOf({ containers: [app('2', '1Gi', { resizePolicy })] }));
  expect(actions).toEqual(['KillContainer', 'ResizePodInPlace', 'StartContainer']);
  expect(steps).toEqual(['cgroup cpuQuota=200000 cpuPeriod=100000', 'cgroup cpuShares=2048', `reinspect ${UID}`]);
  expect(events[0]).toBe('Normal Killing spec.containers{app}: Container app resize requires restart');
  expect(fake.containers.running()).toEqual(['default/web/app']);
});

test('leaves the cgroup unchanged if the runtime refuses, and continues with the next sync', async () => {
  const { sync, fake, isResizing } = await aNode(podOf({ containers: [app('1', '1Gi')] }));
  const grown = podOf({ containers: [app('2', '1Gi')] });
  fake.fail('updatePodSandboxResources', new RpcError('Internal', 'no'));
  const refused = await sync(grown);
  expect(refused.steps).toEqual([`reinspect ${UID}`]);
  expect(refused.errors).toEqual([
    expect.stringMatching(
      /^failed to notify runtime for UpdatePodSandboxResources \(resource=cpu\); resize rejected: updatePodSandboxResources failed for sanboxID ".*": .*no$/,
    ),
  ]);
  fake.fail('updateContainerResources', new RpcError('Internal', 'not now'));
  expect((await sync(grown)).errors).toEqual([expect.stringMatching(/not now$/)]);
  expect(await isResizing(grown)).toBe(true);
  expect((await sync(grown)).errors).toEqual([]);
  expect(await isResizing(grown)).toBe(false);
});

test('resizes pod-level resources and the containers without limits', async () => {
  const whole = (cpu: string): Pod =>
    podOf({
      resources: { limits: { cpu }, requests: { cpu: '1' } },
      containers: [{ name: 'app', image: 'i', resources: {} }],
    });
  const { sync, manager, ports, isResizing } = await aNode(whole('1'));
  await manager.updateActuatedPodLevelResources(whole('1'));
  const { steps } = await sync(whole('2'));
  expect(steps).toEqual([
    'cgroup cpuQuota=200000 cpuPeriod=100000',
    'container shares=2 quota=200000 memory=0',
    `reinspect ${UID}`,
  ]);
  expect(ports.actuated.podResources(UID)?.pod).toEqual({
    limits: { cpu: '2', memory: '0' },
    requests: { cpu: '1', memory: '0' },
  });
  expect(await isResizing(whole('2'))).toBe(false);
});
