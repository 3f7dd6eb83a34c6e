import { describe, expect, test } from 'vitest';
import { changeOf } from '#lib/client/controller/object-change.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { NETWORK_TYPES, type NetworkType } from '#lib/server/channel/followed-types.ts';
import { type InterestingObject, interestsIn } from '#lib/server/channel/interests.ts';
import { DEFAULT_CLUSTER, objectKey } from '#lib/storage/keys.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { ChangeType } from '#lib/storage/sequence.ts';
import { settled } from '#test/support/settled.ts';
import { NotificationBatch } from './notification-batch.ts';
import {
  type Asked,
  type ConnectedNode,
  type NodeNotification,
  type NotificationSender,
  Notifications,
} from './notifications.ts';

const bytes = (object: JsonObject): Buffer => Buffer.from(JSON.stringify(object));

interface Told {
  readonly resource?: string;
  readonly type?: ChangeType;
  readonly before?: JsonObject;
  readonly version?: number;
}

const GROUPS = new Map([
  ['runtimeclasses', 'node.k8s.io'],
  ['endpointslices', 'discovery.k8s.io'],
  ['networkpolicies', 'networking.k8s.io'],
  ['servicecidrs', 'networking.k8s.io'],
]);

function changed(object: JsonObject, { resource = 'pods', type, before, version = 7 }: Told = {}) {
  const group = GROUPS.get(resource) ?? '';
  const { name = '' } = object['metadata'] as { name?: string };
  const key = objectKey({ cluster: DEFAULT_CLUSTER, group, resource, namespace: 'here', name });
  const summary = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };
  const kind = type ?? (before === undefined ? 'ADDED' : 'MODIFIED');
  return changeOf(
    kind,
    { key, body: bytes(object), summary, version },
    before === undefined ? {} : { body: bytes(before) },
  );
}

const aPod = (spec: JsonObject = {}, status: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a', resourceVersion: '6', ...metadata },
  spec: { nodeName: 'n1', ...spec },
  status,
});
const GATED = { readinessGates: [{ conditionType: 'example.com/ready' }] };
const gate = (status: string, more: JsonObject = {}): JsonObject => ({
  conditions: [{ type: 'example.com/ready', status, ...more }],
});

describe('a change of a pod', () => {
  const ringsOf = (object: JsonObject, told?: Told): Record<string, unknown> => {
    const batch = new NotificationBatch();
    batch.add(changed(object, told));
    return Object.fromEntries(batch.nodes.map((node) => [node, batch.ringOf(node, '')]));
  };
  const unbound = { ...aPod(), spec: {} };
  const n1 = { n1: { pods: '7' } };

  test.each<[name: string, object: JsonObject, told: Told, rung: JsonObject]>([
    ['the node to which a pod is bound', aPod(), { before: unbound }, n1],
    ['no node while the pod has none', unbound, {}, {}],
    ['the node of a pod created there', aPod(), {}, n1],
    ['the node of a deleted pod', aPod(), { type: 'DELETED' }, n1],
    ['the node if the spec changes', aPod({ activeDeadlineSeconds: 5 }), { before: aPod() }, n1],
    ['the node if deletion is requested', aPod({}, {}, { deletionTimestamp: 'now' }), { before: aPod() }, n1],
    ['the node if labels change', aPod({}, {}, { labels: { a: 'b' } }), { before: aPod() }, n1],
    ['the node if the previous state is unknown', aPod(), { type: 'MODIFIED' }, n1],
    ['both nodes if the pod moves', aPod({ nodeName: 'n2' }), { before: aPod() }, { ...n1, n2: { pods: '7' } }],
    [
      'no node if only the status changes',
      aPod({}, { phase: 'Running' }, { resourceVersion: '7' }),
      { before: aPod() },
      {},
    ],
    [
      'no node if only managedFields change',
      aPod({}, { phase: 'Running' }, { managedFields: [{}], generation: 2 }),
      { before: aPod() },
      {},
    ],
    ['the node if a readiness gate opens', aPod(GATED, gate('True')), { before: aPod(GATED) }, n1],
    ['the node if a readiness gate closes', aPod(GATED, gate('False')), { before: aPod(GATED, gate('True')) }, n1],
    [
      'no node if only the probe time of a gate changes',
      aPod(GATED, gate('True', { lastProbeTime: 'now' })),
      { before: aPod(GATED, gate('True')) },
      {},
    ],
    ['no node if a condition changes that is not a gate', aPod({}, gate('True')), { before: aPod() }, {}],
  ])('notifies the nodes concerned: %s', (_, object, told, rung) => expect(ringsOf(object, told)).toEqual(rung));
});

describe('a change of a Node', () => {
  const node = (spec: JsonObject = {}, status: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
    metadata: { name: 'n1', ...metadata },
    spec,
    status,
  });
  const ready = (status: string, lastHeartbeatTime = 'then'): JsonObject => ({
    conditions: [{ type: 'Ready', status, lastHeartbeatTime }],
  });

  test.each<[name: string, before: JsonObject, object: JsonObject, isRung: boolean]>([
    ['its agent of a taint', node(), node({ taints: [{ key: 'a' }] }), true],
    ['its agent of a label', node(), node({}, {}, { labels: { a: 'b' } }), true],
    ['its agent of a requested deletion', node(), node({}, {}, { deletionTimestamp: 'now' }), true],
    ['its agent if another client sets it to unknown', node({}, ready('True')), node({}, ready('Unknown')), true],
    ['its agent of an attached volume', node(), node({}, { volumesAttached: [{ name: 'a' }] }), true],
    ['no agent of a heartbeat', node({}, ready('True')), node({}, ready('True', 'now')), false],
    ['no agent of its own report', node({}, ready('True')), node({}, { ...ready('False'), images: [{}] }), false],
  ])('notifies the agents concerned: %s', (_, before, object, isRung) => {
    const batch = new NotificationBatch();
    batch.add(changed(object, { resource: 'nodes', before }));
    expect(batch.nodes).toEqual(isRung ? ['n1'] : []);
    expect(batch.ringOf('n1', '')).toEqual(isRung ? { nodes: '7' } : undefined);
  });
});

/** Nodes with interests, and a record of all queries and rings. */
function aFleet(
  nodes: Readonly<Record<string, readonly InterestingObject[]>>,
  {
    following = {},
    ...sender
  }: Partial<NotificationSender> & { readonly following?: Record<string, NetworkType[]> } = {},
) {
  const clock = new ManualClock();
  const asked: Asked[] = [];
  const sent: Record<string, unknown>[] = [];
  const connected = Object.entries(nodes).map(
    ([node, interests]): ConnectedNode => ({
      node,
      connections: [node],
      interests: interestsIn(interests, following[node]),
    }),
  );
  const rings = new Notifications({
    clock,
    nodes: {
      interested: async (one) => {
        asked.push(one);
        return one.all ? connected : connected.filter(({ node }) => one.nodes.includes(node));
      },
    },
    sender: { ring: async ({ to, ring }) => void sent.push({ [to.node]: ring }), ...sender },
  });
  return { clock, asked, sent, rings };
}

const secret = (name: string): InterestingObject => ({ type: 'secrets', namespace: 'here', name });
const named = (name: string): JsonObject => ({ metadata: { name } });

test('notifies the nodes whose pods refer to a Secret', async () => {
  const { rings, sent } = aFleet({ n1: [secret('a'), secret('b')], n2: [secret('b')], n3: [] });
  rings.take(changed(named('a'), { resource: 'secrets', version: 5 }));
  expect(await rings.send()).toEqual({ rung: 1, faults: 0 });
  expect(sent).toEqual([{ n1: { secrets: '5' } }]);
});

test('notifies no node of a Secret that none of 100 nodes uses, with one query', async () => {
  const nodes = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`n${i}`, [secret('other')]]));
  const { rings, asked, sent } = aFleet(nodes);
  rings.take(changed(named('a'), { resource: 'secrets' }));
  rings.take(changed(named('b'), { resource: 'configmaps' }));
  expect(await rings.send()).toEqual({ rung: 0, faults: 0 });
  expect(asked).toEqual([{ nodes: [], all: true }]);
  expect(sent).toEqual([]);
});

test('queries and sends nothing if no resource that nodes follow has changed', async () => {
  const { rings, asked } = aFleet({ n1: [] });
  for (const resource of ['leases', 'deployments', 'persistentvolumeclaims', 'endpoints'])
    rings.take(changed(named('a'), { resource }));
  rings.take(changed(aPod({}, { phase: 'Running' }), { before: aPod() }));
  expect(await rings.send()).toEqual({ rung: 0, faults: 0 });
  expect(asked).toEqual([]);
});

test('merges several changes of a batch into one ring for each node, up to the newest version', async () => {
  const { rings, asked, sent } = aFleet({ n1: [secret('a')], n2: [] });
  rings.take(changed(aPod(), { version: 9 }));
  rings.take(changed(aPod(), { version: 4 }));
  rings.take(changed(named('a'), { resource: 'secrets', version: 3 }));
  rings.take(changed(named('web'), { resource: 'services', version: 2 }));
  await rings.send();
  expect(asked).toEqual([{ nodes: ['n1'], all: true }]);
  expect(sent).toEqual([{ n1: { services: '2', pods: '9', secrets: '3' } }, { n2: { services: '2' } }]);
});

test('notifies every node of Services at most once a second', async () => {
  const { clock, rings, asked, sent } = aFleet({ n1: [] });
  const change = async (version: number): Promise<void> => {
    rings.take(changed(named('web'), { resource: 'services', version }));
    await rings.send();
  };
  for (let version = 1; version <= 10; version++) {
    await change(version);
    clock.advance(300);
  }
  expect(sent).toEqual([{ n1: { services: '1' } }, { n1: { services: '5' } }, { n1: { services: '9' } }]);
  expect(asked).toHaveLength(3);
});

test('counts a node that cannot be notified, and notifies the others', async () => {
  const sent: string[] = [];
  const ring = async ({ to }: NodeNotification): Promise<void> => {
    if (to.node === 'n1') throw new Error('gone');
    sent.push(to.node);
  };
  const { rings } = aFleet({ n1: [], n2: [] }, { ring });
  rings.take(changed(named('web'), { resource: 'services' }));
  expect(await rings.send()).toEqual({ rung: 1, faults: 1, fault: new Error('gone') });
  expect(sent).toEqual(['n2']);
});

test('gives up on nodes that accept no notification within two seconds', async () => {
  const { clock, rings } = aFleet({ n1: [], n2: [] }, { ring: () => new Promise(() => {}) });
  rings.take(changed(named('web'), { resource: 'services' }));
  const sending = rings.send();
  await settled();
  clock.advance(2_000);
  expect(await sending).toEqual({ rung: 0, faults: 2, fault: new Error('out of time') });
});

test('counts a failed query of interests', async () => {
  const fault = new Error('throttled');
  const rings = new Notifications({
    clock: new ManualClock(),
    nodes: { interested: () => Promise.reject(fault) },
    sender: { ring: async () => undefined },
  });
  rings.take(changed(aPod()));
  expect(await rings.send()).toEqual({ rung: 0, faults: 1, fault });
});

test('hands more than 50 nodes over to another function', async () => {
  const handed: number[] = [];
  const handOver = async (all: readonly NodeNotification[]): Promise<void> => void handed.push(all.length);
  const fleet = (size: number) =>
    aFleet(Object.fromEntries(Array.from({ length: size }, (_, i) => [`n${i}`, []])), { handOver });
  for (const size of [50, 51]) {
    const { rings, sent } = fleet(size);
    rings.take(changed(named('web'), { resource: 'services' }));
    expect(await rings.send()).toEqual({ rung: size, faults: 0 });
    expect(sent).toHaveLength(size === 50 ? 50 : 0);
  }
  expect(handed).toEqual([51]);
});

describe('a change of a network resource', () => {
  const following = interestsIn([], NETWORK_TYPES);
  const ringsOf = (object: JsonObject, told: Told): Record<string, unknown> => {
    const batch = new NotificationBatch();
    batch.add(changed(object, told));
    return { ...batch.ringOf('other', following) };
  };
  const at = (ip: string, metadata: JsonObject = {}, phase = 'Running'): JsonObject =>
    aPod({}, { phase, podIP: ip, podIPs: [{ ip }] }, metadata);
  const node = (spec: JsonObject = {}, status: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
    metadata: { name: 'n1', ...metadata },
    spec,
    status,
  });

  test.each<[name: string, object: JsonObject, told: Told, rung: JsonObject]>([
    ['EndpointSlices', named('a'), { resource: 'endpointslices' }, { endpointslices: '7' }],
    ['NetworkPolicies', named('a'), { resource: 'networkpolicies', type: 'DELETED' }, { networkpolicies: '7' }],
    ['ServiceCIDRs', named('a'), { resource: 'servicecidrs' }, { servicecidrs: '7' }],
    ['Namespaces', named('a'), { resource: 'namespaces' }, { namespaces: '7' }],
    ['a new Node', node(), { resource: 'nodes' }, { allnodes: '7' }],
    [
      'a Node that gets a pod CIDR',
      node({ podCIDRs: ['10.1.0.0/24'] }),
      { resource: 'nodes', before: node() },
      { allnodes: '7' },
    ],
    [
      'no heartbeat of a Node',
      node({}, { conditions: [{ type: 'Ready', status: 'True' }] }),
      { resource: 'nodes', before: node() },
      {},
    ],
    ['a pod that gets an address', at('10.1.0.2'), { before: aPod() }, { allpods: '7' }],
    ['a pod whose labels change', at('10.1.0.2', { labels: { a: 'b' } }), { before: at('10.1.0.2') }, { allpods: '7' }],
    ['a pod that ends', at('10.1.0.2', {}, 'Failed'), { before: at('10.1.0.2') }, { allpods: '7' }],
    ['a deleted pod', at('10.1.0.2'), { type: 'DELETED' }, { allpods: '7' }],
    ['no pod without an address', aPod(), {}, {}],
    [
      'no pod that becomes ready',
      at('10.1.0.2'),
      { before: { ...at('10.1.0.2'), status: { podIPs: [{ ip: '10.1.0.2' }], phase: 'Pending' } } },
      {},
    ],
  ])('notifies the nodes that follow it of %s', (_, object, told, rung) => expect(ringsOf(object, told)).toEqual(rung));
});

test('notifies of EndpointSlices only the nodes that follow them, at most once a second', async () => {
  const { clock, rings, sent } = aFleet({ n1: [], n2: [] }, { following: { n2: ['endpointslices'] } });
  for (let version = 1; version <= 10; version++) {
    rings.take(changed(named('web'), { resource: 'endpointslices', version }));
    await rings.send();
    clock.advance(300);
  }
  expect(sent).toEqual([
    { n2: { endpointslices: '1' } },
    { n2: { endpointslices: '5' } },
    { n2: { endpointslices: '9' } },
  ]);
});
