import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { nodeIpam } from '#lib/controllers/node-ipam/reconcile.ts';
import { serviceCIDRsController } from '#lib/controllers/service-cidrs/reconcile.ts';
import { serviceRepair } from '#lib/controllers/service-repair/reconcile.ts';
import { mustParsePrefix } from '#lib/machinery/net/parse-prefix.ts';
import type { Pool } from '#lib/server/registry/kinds/core/service/allocator/pool.ts';
import { servicePools } from '#lib/server/registry/kinds/core/service/allocator/pools.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { refusing } from '#test/support/controllers/refusing.ts';
import { type Reconcilers, stray, World } from '#test/support/controllers/world.ts';

const RANGES = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' };
const ADDRESSES = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' };
const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';
const SERVICES = core('services');

let world: World;
beforeEach(async () => {
  world = new World();
  for (const name of ['default', 'kube-system', 'here']) await aNamespace(world, name);
  await world.user.create(RANGES, { metadata: { name: 'kubernetes' }, spec: { cidrs: ['10.96.0.0/16'] } });
});
afterEach(() => world.close());

async function told(reason: string): Promise<string[]> {
  const events = await clientset(world.user).list(EVENTS, { fieldSelector: `reason=${reason}` });
  return events.map(({ type, message, source, reportingComponent, involvedObject }) => {
    const component = source.component ?? reportingComponent;
    return `${component} ${type} ${involvedObject.kind} ${involvedObject.name}: ${message}`;
  });
}

const portsOf = (of: World): Pool =>
  servicePools(of.server.storageOf, { cluster: DEFAULT_CLUSTER, now: new Date(of.clock.now()) }).ports;

describe('a repair of services', () => {
  beforeEach(async () => {
    await world.user.create(SERVICES, {
      metadata: { name: 'web', namespace: 'here' },
      spec: { type: 'NodePort', clusterIP: '10.96.7.7', ports: [{ port: 80, nodePort: 30_080 }] },
    });
  });
  const run = (client: Client, more: Partial<Pool> = {}): Promise<void> =>
    world.run(
      (own, clock) => [serviceRepair({ client: own, clock, nodePorts: () => ({ ...portsOf(world), ...more }) })],
      client,
    );

  test('records UnknownError for an address whose IPAddress cannot be read', async () => {
    await world.user.delete(refOf(ADDRESSES, '', '10.96.7.7'));
    await run(refusing(world, 'get', 'ipaddresses'));
    expect(await told('UnknownError')).toEqual([
      'ipallocator-repair-controller Warning Service web: Unable to allocate ClusterIP [IPv4]: 10.96.7.7 due to an unknown error',
    ]);
  });

  test('records UnknownError for an IPAddress whose service cannot be read', async () => {
    const labels = { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' };
    const parentRef = { resource: 'services', namespace: 'here', name: 'gone' };
    await world.user.create(ADDRESSES, { metadata: { name: '10.96.8.8', labels }, spec: { parentRef } });
    await run(refusing(world, 'get', 'services'));
    expect(await told('UnknownError')).toEqual([
      'ipallocator-repair-controller Warning IPAddress 10.96.8.8: Unable to get parent Service for IPAddress 10.96.8.8 due to an unknown error',
    ]);
  });

  test('records UnknownError for a node port whose allocation cannot be read', async () => {
    await stray(world, 'services', 'here', 'default', 'web');
    await run(world.newClient('repair'), { holder: () => Promise.reject(new Error('no answer')) });
    expect(await told('UnknownError')).toEqual([
      'portallocator-repair-controller Warning Service web: Unable to allocate port 30080 due to an unknown error',
    ]);
  });
});

test('records KubernetesServiceCIDRError if the server refuses the status of a range', async () => {
  const make: Reconcilers = (client, clock) => [serviceCIDRsController(client, clock)];
  await world.user.patch(refOf(RANGES, '', 'kubernetes'), { metadata: { finalizers: [FINALIZER] } });
  await world.run(make, refusing(world, 'update', 'servicecidrs'));
  expect(await told('KubernetesServiceCIDRError')).toEqual([
    'service-cidr-controller Warning ServiceCIDR kubernetes: The ServiceCIDR Status can not be set to Ready=True',
  ]);
});

test('records CIDRAssignmentFailed if the server refuses the addresses of a node', async () => {
  await world.user.create(core('nodes'), { metadata: { name: 'a' } });
  const network = mustParsePrefix('10.244.0.0/22');
  const ranges = network === undefined ? [] : [{ network, length: 24 }];
  const make: Reconcilers = (client, clock, of) => [nodeIpam({ client, keeper: of.user }, clock, ranges)];
  await world.run(make, refusing(world, 'patch', 'nodes'));
  expect(await told('CIDRAssignmentFailed')).toEqual([
    'cidrAllocator Normal Node a: Node a status is now: CIDRAssignmentFailed',
  ]);
});
