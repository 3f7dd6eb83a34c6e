import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NODES } from '#lib/api/types/resources.ts';
import { ContainerConfig, PodSandboxConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { aDevice } from '#lib/node/kubelet/cm/devicemanager/testing.ts';
import { eventually } from '#test/support/eventually.ts';
import { appOf, GPU, ResourceFixture, statusOf } from './testing.ts';

const gpuApp = appOf({ limits: { [GPU]: '1' }, requests: { [GPU]: '1' } });

let node: ResourceFixture;
beforeEach(async () => {
  node = await ResourceFixture.of();
});
afterEach(() => node.close());

describe('devices of a plugin', () => {
  test('are assigned to a pod and visible to monitoring agents', async () => {
    const [resources] = await node.started();
    await node.aPlugin([aDevice('a', 1)]);
    await node.hasDevices(resources, 1);
    expect(node.capacityChanges).toBeGreaterThan(0);
    const pod = node.podOf('p', gpuApp);
    expect(await resources.manager.admitHandler.admit(pod, [])).toEqual({ admit: true });
    expect((await resources.manager.resources(pod, gpuApp)).envs).toEqual([{ name: 'DEVICES', value: 'a' }]);
    const devices = [{ resourceName: GPU, deviceIds: ['a'], topology: { nodes: [{ ID: 1 }] } }];
    const app = { name: 'app', devices, cpuIds: [], memory: [], dynamicResources: [] };
    expect(await node.podResources()).toEqual([{ name: 'p', namespace: 'default', containers: [app] }]);
    const families = (await Promise.all(resources.metrics.map(async (one) => one.collect()))).flat();
    const { samples } = families.find(({ name }) => name === 'kubelet_device_plugin_registration_total') ?? {};
    expect(samples).toMatchObject([{ labels: { resource_name: GPU }, value: 1 }]);
  });

  test('are refused if none is left', async () => {
    const [resources] = await node.started();
    await node.aPlugin([aDevice('a')]);
    await node.hasDevices(resources, 1);
    const { manager } = resources;
    await manager.admitHandler.admit(node.podOf('p', gpuApp), []);
    expect(await manager.admitHandler.admit(node.podOf('q', gpuApp), [])).toMatchObject({
      admit: false,
      reason: 'UnexpectedAdmissionError',
    });
  });

  test('appear in the status of their pod if they become unhealthy', async () => {
    const [resources] = await node.started();
    const plugin = await node.aPlugin([aDevice('a')]);
    await node.hasDevices(resources, 1);
    const pod = node.podOf('p', gpuApp);
    await resources.manager.admitHandler.admit(pod, []);
    plugin.send([aDevice('a', undefined, 'Unhealthy')]);
    await eventually(() => expect(node.synced).toContain('uid-p'));
    const status = statusOf(pod);
    resources.manager.updateAllocatedResourcesStatus(pod, status);
    expect(status.containerStatuses?.[0]?.allocatedResourcesStatus).toEqual([
      { name: GPU, resources: [{ resourceID: 'a', health: 'Unhealthy' }] },
    ]);
  });

  test('stay assigned to their pod after a restart without the plugin', async () => {
    const [first, end] = await node.started();
    const plugin = await node.aPlugin([aDevice('a')]);
    await node.hasDevices(first, 1);
    const pod = node.podOf('p', gpuApp);
    await first.manager.admitHandler.admit(pod, []);
    await end();
    await plugin.stop();
    const [second] = await node.started();
    expect((await node.podResources())[0]?.containers[0]?.devices).toEqual([
      { resourceName: GPU, deviceIds: ['a'], topology: undefined },
    ]);
    const seen = await node.client.create(NODES, {
      metadata: { name: 'n1' },
      status: { allocatable: { [GPU]: '0', cpu: '2' } },
    });
    expect(second.updatePluginResources(seen, pod).status.allocatable).toEqual({ [GPU]: '1', cpu: '2' });
    expect(second.updatePluginResources(seen, node.podOf('other', gpuApp))).toBe(seen);
  });

  test('allow a running pod to be admitted again after a restart, before the plugin is back', async () => {
    const [first, end] = await node.started();
    await node.aPlugin([aDevice('a'), aDevice('b')]);
    await node.hasDevices(first, 2);
    const [runs, ended] = [node.podOf('runs', gpuApp), node.podOf('ended', gpuApp)];
    for (const pod of [runs, ended]) await first.manager.admitHandler.admit(pod, []);
    const { containers } = node.runtime;
    const sandbox = containers.addSandbox(PodSandboxConfig.fromPartial({ metadata: { uid: 'uid-runs' } }), '');
    containers.start(containers.addContainer(sandbox, ContainerConfig.fromPartial({ metadata: { name: 'app' } })));
    await end();
    node.areSourcesReady = false;
    const [{ manager }] = await node.started();
    expect(await manager.admitHandler.admit(runs, [])).toEqual({ admit: true });
    expect(await manager.admitHandler.admit(ended, [])).toMatchObject({ reason: 'UnexpectedAdmissionError' });
  });
});

describe('CPUs of a container', () => {
  const settings = { cpuManagerPolicy: 'static', kubeReserved: { cpu: '1' } };
  const guaranteed = appOf({ limits: { cpu: '2', memory: '1Mi' }, requests: { cpu: '2', memory: '1Mi' } });

  test('are set before its creation if exclusive, and reported', async () => {
    const [resources] = await node.started(settings);
    const [pod, shared] = [node.podOf('p', guaranteed), node.podOf('s', appOf({}))];
    for (const one of [pod, shared]) await resources.manager.admitHandler.admit(one, []);
    const config = ContainerConfig.fromPartial({ linux: { resources: {} } });
    await resources.manager.preCreateContainer(pod, guaranteed, config);
    expect(config.linux?.resources?.cpusetCpus).toBe('2-3');
    expect([pod, shared].map((one) => resources.hasExclusiveCPUs(one))).toEqual([true, false]);
    expect(resources.hasExclusiveCPUs(pod, guaranteed)).toBe(true);
    expect((await node.podResources()).map(({ containers }) => containers[0]?.cpuIds)).toEqual([[2, 3], []]);
  });

  test('prevent the start if their saved state has another policy', async () => {
    const [, end] = await node.started(settings);
    await end();
    const resources = await node.made();
    await expect(resources.start(new AbortController().signal)).rejects.toThrow(
      /^start cpu manager error: could not restore state from checkpoint: .*cpu_manager_state/,
    );
  });
});

test('applies the CDI edits of a device for a runtime without CDI', async () => {
  const [{ manager }] = await node.started();
  await mkdir(join(node.root, 'cdi'));
  const spec = {
    cdiVersion: '0.6.0',
    kind: 'v.com/c',
    devices: [{ name: 'd', containerEdits: { env: ['CARD=d'] } }],
  };
  await writeFile(join(node.root, 'cdi/v.json'), JSON.stringify(spec));
  const config = ContainerConfig.fromPartial({ CDIDevices: [{ name: 'v.com/c=d' }] });
  await manager.preCreateContainer(node.podOf('p', appOf({})), appOf({}), config);
  expect(config.CDIDevices).toEqual([]);
  expect(config.envs.map(({ key, value }) => `${key}=${value.toString()}`)).toEqual(['CARD=d']);
});

test('leaves no socket after a failed start', async () => {
  await writeFile(join(node.root, 'pod-resources'), 'no folder');
  const resources = await node.made();
  await expect(resources.start(new AbortController().signal)).rejects.toThrow('EEXIST');
  expect(await readdir(node.devicePlugins)).toEqual([]);
});

test('removes its sockets when the agent ends', async () => {
  const [, end] = await node.started();
  expect(await readdir(node.devicePlugins)).toEqual(['kubelet.sock']);
  await end();
  expect(await readdir(node.devicePlugins)).toEqual([]);
  expect(await readdir(join(node.root, 'pod-resources'))).toEqual([]);
});
