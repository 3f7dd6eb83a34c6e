import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SocketServer, serveSocket, service } from '#adapters/node/grpc/server.ts';
import type { Pod, ResourceHealth } from '#lib/api/types/core.v1.ts';
import { PODS, RESOURCE_CLAIMS, RESOURCE_SLICES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aborted } from '#lib/machinery/wait/on-abort.ts';
import { DRAResourceHealthDefinition, HealthStatus } from '#lib/node/kubelet-api/generated/dra-health-v1alpha1.ts';
import { DRAPluginDefinition } from '#lib/node/kubelet-api/generated/dra-v1.ts';
import { RegistrationDefinition } from '#lib/node/kubelet-api/generated/pluginregistration-v1.ts';
import { eventually } from '#test/support/eventually.ts';
import type { NodeResources } from './container-manager.ts';
import { appOf, ResourceFixture, statusOf } from './testing.ts';

const DRIVER = 'gpu.example.com';

let node: ResourceFixture;
beforeEach(async () => {
  node = await ResourceFixture.of();
});
afterEach(() => node.close());

describe('NodeDRA with a driver', () => {
  /** A driver with a socket in `plugins_registry` and one device, which has this health. */
  const aDriver = (
    file = 'a.sock',
    health: HealthStatus = HealthStatus.UNHEALTHY,
    message = 'hot',
  ): Promise<SocketServer> => {
    const endpoint = join(node.root, 'plugins_registry', file);
    const device = { requestNames: ['r'], poolName: 'pool', deviceName: 'dev', cdiDeviceIds: ['v.com/c=d'] };
    const answered = <T>(claims: readonly { readonly uid: string }[], answer: T) => ({
      claims: Object.fromEntries(claims.map(({ uid }) => [uid, answer])),
    });
    return serveSocket(endpoint, [
      service(RegistrationDefinition, {
        getInfo: async () => ({ type: 'DRAPlugin', name: DRIVER, endpoint, supportedVersions: ['v1.DRAPlugin'] }),
        notifyRegistrationStatus: async () => ({}),
      }),
      service(DRAPluginDefinition, {
        nodePrepareResources: async ({ claims }) => answered(claims, { devices: [device], error: '' }),
        nodeUnprepareResources: async ({ claims }) => answered(claims, { error: '' }),
      }),
      service(DRAResourceHealthDefinition, {
        nodeWatchResources: async function* (_, signal) {
          const told = { poolName: 'pool', deviceName: 'dev' };
          yield { devices: [{ device: told, health, message }] };
          await aborted(signal);
        },
      }),
    ]);
  };

  const prepared = (manager: NodeResources['manager'], pod: Pod): Promise<void> =>
    eventually(() =>
      manager.prepareDynamicResources(pod).then(
        () => true,
        () => false,
      ),
    );

  const healthOf = (manager: NodeResources['manager'], pod: Pod): ResourceHealth | undefined => {
    const status = statusOf(pod);
    manager.updateAllocatedResourcesStatus(pod, status);
    return status.containerStatuses?.[0]?.allocatedResourcesStatus?.[0]?.resources?.[0];
  };

  /** A pod with a claim that is allocated the driver's device. */
  const aClaim = async (): Promise<Pod> => {
    const request = { name: 'r', exactly: { deviceClassName: 'gpu' } };
    const containers = [appOf({ claims: [{ name: 'gpu' }] })];
    const resourceClaims = [{ name: 'gpu', resourceClaimName: 'claim' }];
    const metadata = { name: 'p', namespace: 'default' };
    const pod = await node.client.create(PODS, { metadata, spec: { nodeName: 'n1', containers, resourceClaims } });
    node.pods.push(pod);
    const claim = await node.client.create(RESOURCE_CLAIMS, {
      metadata: { name: 'claim', namespace: 'default' },
      spec: { devices: { requests: [request] } },
    });
    const results = [{ request: 'r', driver: DRIVER, pool: 'pool', device: 'dev' }];
    const reservedFor = [{ resource: 'node.pods', name: 'p', uid: pod.metadata.uid ?? '' }];
    const ref = { resource: RESOURCE_CLAIMS, namespace: 'default', name: 'claim' };
    await node.client.update(
      ref,
      { ...claim, status: { allocation: { devices: { results } }, reservedFor } },
      'status',
    );
    return pod;
  };

  test('prepares the claims of a pod and shows them to agents and in the status', async () => {
    const [{ manager }] = await node.started();
    const pod = await aClaim();
    await aDriver().then((driver) => node.ends.push(() => driver.close()));
    await prepared(manager, pod);
    const [app] = pod.spec.containers ?? [];
    expect(app && (await manager.resources(pod, app)).cdiDevices).toEqual(['v.com/c=d']);
    expect((await node.podResources())[0]?.containers[0]?.dynamicResources).toMatchObject([
      {
        claimName: 'claim',
        claimNamespace: 'default',
        claimResources: [
          { driverName: DRIVER, poolName: 'pool', deviceName: 'dev', cdiDevices: [{ name: 'v.com/c=d' }] },
        ],
      },
    ]);
    await eventually(() => expect(healthOf(manager, pod)?.health).toBe('Unhealthy'));
    expect(healthOf(manager, pod)).toEqual({ resourceID: 'v.com/c=d', health: 'Unhealthy', message: 'hot' });
    await manager.unprepareDynamicResources(pod);
    expect(await readFile(join(node.root, 'dra_manager_state'), 'utf8')).not.toContain('claim');
  });

  test('takes the health of devices from the newest plugin of an updated driver', async () => {
    const [{ manager }] = await node.started();
    const pod = await aClaim();
    const before = await aDriver('a.sock');
    node.ends.push(() => before.close());
    await prepared(manager, pod);
    await eventually(() => expect(healthOf(manager, pod)?.message).toBe('hot'));
    const update = await aDriver('b.sock', HealthStatus.HEALTHY, 'cooled');
    node.ends.push(() => update.close());
    await eventually(() => expect(healthOf(manager, pod)?.message).toBe('cooled'));
    expect(node.synced).toContain(pod.metadata.uid);
    await update.close();
    await eventually(() => expect(healthOf(manager, pod)?.message).toBe('hot'));
  });

  test('deletes the ResourceSlices of an earlier run, but not those of other nodes', async () => {
    const slice = (name: string, nodeName: string): JsonObject => ({
      metadata: { name },
      spec: { driver: DRIVER, nodeName, pool: { name: nodeName, generation: 1, resourceSliceCount: 1 }, devices: [] },
    });
    await node.client.create(RESOURCE_SLICES, slice('own', 'n1'));
    await node.client.create(RESOURCE_SLICES, slice('foreign', 'n2'));
    await node.started();
    const names = async (): Promise<unknown> =>
      (await node.client.list(RESOURCE_SLICES)).map(({ metadata }) => metadata.name);
    await eventually(async () => expect(JSON.stringify(await names())).toBe('["foreign"]'));
    expect(node.faults).toEqual([]);
  });
});
