import { describe, expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { serviceRepair } from '#lib/controllers/service-repair/reconcile.ts';
import { defined } from '#lib/machinery/defined.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { Pool } from '#lib/server/registry/kinds/core/service/allocator/pool.ts';
import { servicePools } from '#lib/server/registry/kinds/core/service/allocator/pools.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { mortalClient } from '#test/support/controllers/mortal-client.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const ADDRESSES = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' };
const RANGES = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' };
const SERVICES = core('services');
const IP = '10.96.7.7';
const MINUTE = 60_000;

const portsOf = (world: World): Pool =>
  servicePools(world.server.storageOf, { cluster: DEFAULT_CLUSTER, now: new Date(world.clock.now()) }).ports;

/** The pool of a mortal process. Each call is between two calls of the process's client, and it may be killed at either. */
function mortalPool(pool: Pool, client: Client): Pool {
  const mortal = async <T>(call: () => Promise<T>): Promise<T> => {
    await client.document('/version');
    const result = await call();
    await client.document('/version');
    return result;
  };
  return {
    claim: (value, owner) => mortal(() => pool.claim(value, owner)),
    release: (value, owner) => mortal(() => pool.release(value, owner)),
    end: (value, uid) => mortal(() => pool.end(value, uid)),
    holder: (value) => mortal(() => pool.holder(value)),
    taken: () => mortal(() => pool.taken()),
  };
}

const make: Reconcilers = (client, clock, world) => [
  serviceRepair({ client, clock, nodePorts: () => mortalPool(portsOf(world), client) }),
];

async function aWorld(world: World): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'default' } });
  await world.user.create(NAMESPACES, { metadata: { name: 'here' } });
  await world.user.create(RANGES, { metadata: { name: 'kubernetes' }, spec: { cidrs: ['10.96.0.0/16'] } });
}

const aService = (world: World, name: string, spec: JsonObject = {}): Promise<JsonObject> =>
  world.user.create(SERVICES, {
    metadata: { name, namespace: 'here' },
    spec: { clusterIP: IP, ports: [{ port: 80 }], ...spec },
  });

const anAddress = (world: World, name: string, parentRef: JsonObject, labels?: JsonObject): Promise<JsonObject> =>
  world.user.create(ADDRESSES, {
    metadata: { name, ...defined({ labels }) },
    spec: { parentRef },
  });

const LABELS = {
  'ipaddress.kubernetes.io/ip-family': 'IPv4',
  'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
};
const of = (name: string): JsonObject => ({ resource: 'services', namespace: 'here', name });
const forget = (world: World, ip: string) => world.user.delete(refOf(ADDRESSES, '', ip));

/** The parents of all addresses, with the labels of addresses that the allocator did not create. */
async function addresses(world: World): Promise<Record<string, string>> {
  const all = await world.user.list(ADDRESSES);
  const shown = all.map((one) => {
    const parent = stringAt(objectAt(objectAt(one, 'spec'), 'parentRef'), 'name') ?? '';
    const labels = objectAt(objectAt(one, 'metadata'), 'labels');
    return [nameOf(one), JSON.stringify(labels) === JSON.stringify(LABELS) ? parent : `${parent}?`];
  });
  return Object.fromEntries(shown);
}

/** In upstream's format: reason, action and message, sorted. */
async function events(world: World): Promise<string[]> {
  const all = await world.user.list({ group: 'events.k8s.io', version: 'v1', resource: 'events' });
  const text = (event: JsonObject, field: string): string => stringAt(event, field) ?? '';
  return all.map((one) => `${text(one, 'reason')} ${text(one, 'action')} ${text(one, 'note')}`).sort();
}

async function nodePorts(world: World): Promise<Record<string, string>> {
  const pool = portsOf(world);
  const taken = [...(await pool.taken())];
  return Object.fromEntries(await Promise.all(taken.map(async (n) => [n, (await pool.holder(n))?.name ?? ''])));
}

interface Case {
  readonly what: string;
  prepare(world: World): Promise<unknown>;
  readonly addresses: Record<string, string>;
  readonly ports?: Record<string, string>;
  readonly events: readonly string[];
  /** Whether the address is deleted and created again. A process that dies in between leaves another problem to the next one. */
  readonly recreated?: true;
}

const ADDRESS = 'ClusterIPNotAllocated ClusterIPAllocation';
const LOST = `${ADDRESS} Cluster IP [IPv4]: ${IP} is not allocated; repairing`;
const CLEAN = 'IPAddressAllocation IPAddress';
const NODE_PORT = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_500 }] };
const losePort = async (world: World) => portsOf(world).release('30500', { namespace: 'here', name: 'a' });

const CASES: readonly Case[] = [
  {
    what: 'an address that nobody remembers',
    prepare: async (world) => {
      await aService(world, 'a');
      await forget(world, IP);
    },
    addresses: { [IP]: 'a' },
    events: [LOST],
  },
  {
    what: 'an address that names no service',
    prepare: async (world) => {
      await aService(world, 'a');
      await forget(world, IP);
      await anAddress(world, IP, {
        group: 'gateway.networking.k8s.io',
        resource: 'gateways',
        namespace: 'here',
        name: 'g',
      });
    },
    addresses: { [IP]: 'a' },
    events: [`${ADDRESS} the ClusterIP [IPv4]: ${IP} for Service here/a has a wrong reference; repairing`],
    recreated: true,
  },
  {
    what: 'an address that names a service that is gone',
    prepare: async (world) => {
      await aService(world, 'a');
      await forget(world, IP);
      await anAddress(world, IP, of('gone'));
    },
    addresses: { [IP]: 'a' },
    events: [`${ADDRESS} the ClusterIP [IPv4]: ${IP} for Service here/a has a wrong reference; repairing`],
    recreated: true,
  },
  {
    what: 'labels that are not the allocator’s',
    prepare: async (world) => {
      await aService(world, 'a');
      await forget(world, IP);
      await anAddress(world, IP, of('a'));
    },
    addresses: { [IP]: 'a' },
    events: [],
    recreated: true,
  },
  {
    what: 'an address of two services: the one that it names keeps it',
    prepare: async (world) => {
      await aService(world, 'b');
      await forget(world, IP);
      await aService(world, 'a');
    },
    addresses: { [IP]: 'a' },
    events: [
      `ClusterIPAlreadyAllocated ClusterIPAllocation Cluster IP [IPv4]:${IP} was assigned to multiple services; please recreate service`,
    ],
  },
  {
    what: 'an address outside of every network',
    prepare: async (world) => {
      await world.user.create(RANGES, {
        metadata: { name: 'more' },
        spec: { cidrs: ['10.98.0.0/24'] },
      });
      await world.user.patch(
        refOf(RANGES, '', 'more'),
        {
          status: {
            conditions: [
              { type: 'Ready', status: 'True', reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
            ],
          },
        },
        'status',
      );
      await aService(world, 'a', { clusterIP: '10.98.0.7' });
      await world.user.delete(refOf(RANGES, '', 'more'));
    },
    addresses: { '10.98.0.7': 'a' },
    events: [
      'ClusterIPOutOfRange ClusterIPAllocation Cluster IP [IPv4]: 10.98.0.7 is not within any configured Service CIDR; please recreate service',
    ],
  },
  {
    what: 'an address whose service never came',
    prepare: (world) => anAddress(world, IP, of('gone'), LABELS),
    addresses: {},
    events: [`IPAddressNotAllocated ${CLEAN}: ${IP} for Service here/gone appears to have leaked: cleaning up`],
  },
  {
    what: 'an address that its service does not have',
    prepare: async (world) => {
      await aService(world, 'a');
      await anAddress(world, '10.96.7.8', of('a'), LABELS);
    },
    addresses: { [IP]: 'a' },
    events: [`IPAddressWrongReference ${CLEAN}: 10.96.7.8 for Service here/a has a wrong reference; cleaning up`],
  },
  {
    what: 'an address of the allocator that someone made another’s',
    prepare: (world) => anAddress(world, IP, { resource: 'gateways', namespace: 'here', name: 'g' }, LABELS),
    addresses: {},
    events: [
      `IPAddressNotAllocated ${CLEAN} ${IP} appears to have been modified, not referencing a Service {"resource":"gateways","namespace":"here","name":"g"}: cleaning up`,
    ],
  },
  {
    what: 'an address of someone else',
    prepare: (world) => anAddress(world, IP, of('gone'), { 'ipaddress.kubernetes.io/managed-by': 'another' }),
    addresses: { [IP]: 'gone?' },
    events: [],
  },
  {
    what: 'a node port that nobody remembers',
    prepare: async (world) => {
      await aService(world, 'a', NODE_PORT);
      await losePort(world);
    },
    addresses: { [IP]: 'a' },
    ports: { 30500: 'a' },
    events: ['PortNotAllocated PortAllocation Port 30500 is not allocated; repairing'],
  },
  {
    what: 'a node port of a service that is gone',
    prepare: async (world) => {
      await aService(world, 'a', NODE_PORT);
      await losePort(world);
      await portsOf(world).claim('30500', { namespace: 'here', name: 'gone' });
    },
    addresses: { [IP]: 'a' },
    ports: { 30500: 'a' },
    events: ['PortNotAllocated PortAllocation Port 30500 is not allocated; repairing'],
  },
  {
    what: 'a node port of two services: the one that the pool names keeps it',
    prepare: async (world) => {
      await aService(world, 'a', NODE_PORT);
      await losePort(world);
      await aService(world, 'b', { ...NODE_PORT, clusterIP: '10.96.7.8' });
    },
    addresses: { [IP]: 'a', '10.96.7.8': 'b' },
    ports: { 30500: 'b' },
    events: [
      'PortAlreadyAllocated PortAllocation Port 30500 was assigned to multiple services; please recreate service',
    ],
  },
  {
    what: 'node ports that leaked',
    prepare: async (world) => {
      await aService(world, 'a');
      await portsOf(world).claim('30501', { namespace: 'here', name: 'a' });
      await portsOf(world).claim('30502', { namespace: 'here', name: 'gone' });
    },
    addresses: { [IP]: 'a' },
    events: [],
  },
];

test.each(CASES)('$what, no matter when the controller is killed', async ({ prepare, ...wanted }) => {
  await surviveEveryCrash({
    make,
    async prepare(world) {
      await aWorld(world);
      await prepare(world);
      // Older than any write that may still be in progress.
      world.clock.advance(2 * MINUTE);
    },
    async check(world) {
      expect(await addresses(world)).toEqual(wanted.addresses);
      expect(await nodePorts(world)).toEqual(wanted.ports ?? {});
      const told = await events(world);
      expect(told.filter((one) => wanted.recreated !== true || one !== LOST)).toEqual(wanted.events);
      expect(world.faults).toEqual([]);
    },
  });
});

describe('while a write may be in progress', () => {
  test.each([
    ['its service is not there yet', async () => undefined, 59_000, 61_000],
    ['its service is about to get one', (world: World) => aService(world, 'a', EXTERNAL), 59_000, 61_000],
    [
      'its service is there, and the write is about to fail',
      (world: World) => aService(world, 'a', OTHER),
      4_000,
      6_000,
    ],
  ] as const)('an address is not changed: %s', async (_, prepare, early, late) => {
    const world = new World();
    await aWorld(world);
    await prepare(world);
    world.clock.advance(10_000);
    const address = await anAddress(world, IP, of('a'), LABELS);
    const created = Date.parse(stringAt(objectAt(address, 'metadata'), 'creationTimestamp') ?? '');
    const reconciler = seen(world, address);
    world.clock.advance(created + early - world.clock.now());
    expect((await reconciler.reconcile(`address/${IP}`))?.requeueAfter).toBeGreaterThan(0);
    world.clock.advance(late - early);
    expect(await reconciler.reconcile(`address/${IP}`)).toBeUndefined();
    expect(await world.user.get(refOf(ADDRESSES, '', IP))).toBeUndefined();
    await world.close();
  });
});

const EXTERNAL: JsonObject = { type: 'ExternalName', externalName: 'example.com', clusterIP: '', ports: [] };
const OTHER: JsonObject = { clusterIP: '10.96.7.8' };

/** A reconciler that has received one address and nothing else. */
function seen(world: World, address: JsonObject): Reconciler {
  const [reconciler] = make(world.newClient('controllers'), world.clock, world);
  const change = { ...CHANGE, name: nameOf(address), object: () => address };
  expect(reconciler?.keys(change)).toEqual([`address/${IP}`]);
  return reconciler as Reconciler;
}

const CHANGE: ObjectChange = {
  type: 'ADDED',
  group: 'networking.k8s.io',
  resource: 'ipaddresses',
  namespace: '',
  name: '',
  ownerReferences: [],
  mentions: () => true,
  object: () => ({}),
};

test('does not read a settled world again', async () => {
  const world = new World();
  await aWorld(world);
  await aService(world, 'a', NODE_PORT);
  const { client, isDead } = mortalClient(world.newClient('controllers'), 1, 'before');
  await world.run(make, client, isDead);
  expect(isDead()).toBe(false);
  await world.close();
});
