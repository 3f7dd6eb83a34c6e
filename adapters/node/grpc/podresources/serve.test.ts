import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { containerDevices } from '#lib/node/kubelet/apis/podresources/container-devices.ts';
import { podResourcesServers } from '#lib/node/kubelet/apis/podresources/server.ts';
import { aContainer, aDevice, ManagerFixture, podOf } from '#lib/node/kubelet/cm/devicemanager/testing.ts';
import { PodResourcesListerDefinition } from '#lib/node/kubelet-api/generated/podresources-v1.ts';
import { PodResourcesListerDefinition as AlphaDefinition } from '#lib/node/kubelet-api/generated/podresources-v1alpha1.ts';
import { dialSocket } from '../client.ts';
import { servePodResources } from './serve.ts';

const GPU = 'example.com/gpu';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podresources-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('serves the devices of pods over the socket in both versions', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, [aDevice('a', 1), aDevice('b')]);
  const pod = podOf('p', [aContainer('app', { [GPU]: 1 })]);
  await fixture.admit(pod);
  const servers = podResourcesServers(
    {
      pods: {
        getPods: () => fixture.pods,
        getActivePods: () => fixture.pods,
        getPodByName: (_, name) => fixture.pods.find(({ metadata }) => metadata.name === name),
      },
      devices: {
        updateAllocatedDevices: () => fixture.manager.updateAllocatedDevices(),
        getDevices: (podUID, containerName) => containerDevices(fixture.manager.getDevices({ podUID, containerName })),
        getAllocatableDevices: () => containerDevices(fixture.manager.getAllocatableDevices()),
      },
      cpus: { getCPUs: () => [2, 3], getAllocatableCPUs: () => [0, 1, 2, 3] },
      memory: { getMemory: () => [], getAllocatableMemory: () => [] },
      dynamicResources: { getDynamicResources: () => [] },
    },
    fixture.clock,
  );
  await using _server = await servePodResources(join(folder, 'pod-resources'), servers);
  using channel = dialSocket(join(folder, 'pod-resources/kubelet.sock'));
  const v1 = channel.client(PodResourcesListerDefinition);
  const device = { resourceName: GPU, deviceIds: ['a'], topology: { nodes: [{ ID: 1 }] } };
  const app = { name: 'app', devices: [device], cpuIds: [2, 3], memory: [], dynamicResources: [] };
  expect(await v1.list({})).toEqual({ podResources: [{ name: 'p', namespace: 'default', containers: [app] }] });
  expect((await v1.getAllocatableResources({})).devices).toHaveLength(2);
  await expect(v1.get({ podName: 'x', podNamespace: 'default' })).rejects.toMatchObject({
    code: 'Unknown',
    details: 'pod x in namespace default not found',
  });
  const alpha = await channel.client(AlphaDefinition).list({});
  expect(alpha.podResources[0]?.containers[0]?.devices).toEqual([{ resourceName: GPU, deviceIds: ['a'] }]);
  const calls = await Promise.allSettled(Array.from({ length: 10 }, () => v1.list({})));
  expect(calls.filter(({ status }) => status === 'rejected')).toHaveLength(4);
});
