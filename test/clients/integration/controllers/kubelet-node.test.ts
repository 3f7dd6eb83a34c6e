import { beforeEach, expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { garbageCollector } from '#lib/controllers/garbage-collector/reconcile.ts';
import { nodeIpam } from '#lib/controllers/node-ipam/reconcile.ts';
import { nodeLifecycle } from '#lib/controllers/node-lifecycle/reconcile.ts';
import { podGarbageCollector } from '#lib/controllers/pod-garbage-collector/reconcile.ts';
import { taintEviction } from '#lib/controllers/taint-eviction/reconcile.ts';
import { arrayAt, isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { mustParsePrefix } from '#lib/machinery/net/parse-prefix.ts';
import { nodeUser } from '#lib/server/authorization/node/identity.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const HOUR = 3_600_000;
const network = mustParsePrefix('10.244.0.0/16');
const make: Reconcilers = (client, clock) => [
  ...nodeLifecycle(client, clock, { monitor: HOUR, startup: HOUR }),
  taintEviction(client, clock),
  nodeIpam({ client, keeper: client }, clock, [{ network, length: 24 }]),
  garbageCollector(client, clock),
  podGarbageCollector(client, clock),
];
const [NODES, PODS] = [core('nodes'), core('pods')];
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const NODE = refOf(NODES, '', 'n1');
const LEASE = refOf(LEASES, 'kube-node-lease', 'n1');

let world: World;
/** The kubelet of n1, with a kubelet's permissions. */
let kubelet: Client;

beforeEach(async () => {
  world = new World({ tokens: new Map([['of-n1', nodeUser('n1')]]) });
  kubelet = world.newClient('kubelet', 'of-n1');
  for (const name of ['here', 'default', 'kube-node-lease', 'kube-system'])
    await world.user.create(NAMESPACES, { metadata: { name } });
  await world.user.create(core('serviceaccounts'), { metadata: { name: 'default', namespace: 'here' } });
});

const now = (): string => new Date(world.clock.now()).toISOString().replace(/\.\d+/, '');

/** Creates a node that is not ready, and its lease, as a kubelet does when it starts. */
async function register(): Promise<JsonObject> {
  const made = await kubelet.create(NODES, {
    metadata: { name: 'n1', labels: { 'kubernetes.io/hostname': 'n1', 'kubernetes.io/os': 'linux' } },
  });
  await say('False');
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: uidOf(made) };
  await kubelet.create(LEASES, {
    metadata: { name: 'n1', namespace: 'kube-node-lease', ownerReferences: [owner] },
    spec: { holderIdentity: 'n1', leaseDurationSeconds: 40, renewTime: now().replace('Z', '.000000Z') },
  });
  return made;
}

const say = (ready: string): Promise<JsonObject> => {
  const condition = { type: 'Ready', status: ready, lastHeartbeatTime: now(), lastTransitionTime: now() };
  return kubelet.patch(NODE, { status: { conditions: [condition] } }, 'status');
};

async function aMirror(): Promise<void> {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: uidOf(await seen()), controller: true };
  const annotations = { 'kubernetes.io/config.mirror': 'x' };
  await kubelet.create(PODS, {
    metadata: { name: 'static-n1', namespace: 'here', annotations, ownerReferences: [owner] },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
  });
}

/** The node as its kubelet reads it. */
async function seen(): Promise<JsonObject> {
  const node = await kubelet.get(NODE);
  if (node === undefined) throw new Error('the node is gone');
  return node;
}

const taints = async (): Promise<string[]> =>
  arrayAt(objectAt(await seen(), 'spec'), 'taints')
    .filter(isObject)
    .map(({ key, effect }) => `${String(key).replace('node.kubernetes.io/', '')} ${String(effect)}`);

const podsLeft = async (): Promise<string[]> => (await world.user.list(PODS)).map(nameOf).sort();
const podCIDR = async (): Promise<unknown> => objectAt(await seen(), 'spec')?.['podCIDR'];

test('a node that registers gets addresses and accepts no pods until its kubelet reports that it is ready', async () => {
  await register();
  expect(await taints()).toEqual(['not-ready NoSchedule']);
  await world.run(make);
  expect(await podCIDR()).toBe('10.244.0.0/24');
  expect(await taints()).toEqual(['not-ready NoSchedule']); // no pod is evicted if there is only one node
  await say('True');
  await world.run(make);
  expect(await taints()).toEqual([]);
  expect(world.faults).toEqual([]);
});

test('a deleted node loses its lease, its mirror pods and then its pods, and registers as a new node', async () => {
  const first = await register();
  await say('True');
  await aMirror();
  await world.user.create(PODS, {
    metadata: { name: 'web', namespace: 'here' },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
  });
  await world.run(make);
  expect(await podsLeft()).toEqual(['static-n1', 'web']);
  await world.user.delete(NODE);
  await world.run(make);
  expect(await podsLeft()).toEqual([]);
  expect(await kubelet.get(LEASE)).toBeUndefined();
  const second = await register();
  expect(uidOf(second)).not.toBe(uidOf(first));
  await aMirror();
  await world.run(make);
  expect(await podsLeft()).toEqual(['static-n1']);
  expect(await podCIDR()).toBe('10.244.0.0/24');
  expect(await kubelet.get(LEASE)).toBeDefined();
  expect(world.faults).toEqual([]);
});

test('a node that returns immediately keeps its pods; objects owned by the former one are deleted', async () => {
  await register();
  await say('True');
  await aMirror();
  await world.user.create(PODS, {
    metadata: { name: 'web', namespace: 'here' },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
  });
  await world.run(make);
  await world.user.delete(NODE);
  await kubelet.create(NODES, { metadata: { name: 'n1' } });
  await say('True');
  await world.run(make);
  const going = (await world.user.list(PODS)).filter(isDeleting).map(nameOf);
  expect([await podsLeft(), going]).toEqual([['static-n1', 'web'], ['static-n1']]);
  await kubelet.delete(refOf(PODS, 'here', 'static-n1'), { gracePeriodSeconds: 0 });
  await aMirror();
  await world.run(make);
  expect(await podsLeft()).toEqual(['static-n1', 'web']);
  expect(await kubelet.get(LEASE)).toBeUndefined();
  expect(world.faults).toEqual([]);
});

test('a pod evicted by a taint is deleted when its kubelet has stopped it', async () => {
  await register();
  await say('True');
  const ref = refOf(PODS, 'here', 'web');
  const { metadata } = await world.user.create(PODS, {
    metadata: { name: 'web', namespace: 'here' },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
  });
  await world.run(make);
  await world.user.patch(NODE, { spec: { taints: [{ key: 'example.com/repair', effect: 'NoExecute' }] } });
  await world.run(make);
  const going = (await kubelet.get(ref)) ?? {};
  expect(isDeleting(going)).toBe(true);
  expect(arrayAt(objectAt(going, 'status'), 'conditions')).toContainEqual(
    expect.objectContaining({ type: 'DisruptionTarget', reason: 'DeletionByTaintManager' }),
  );
  await kubelet.patch(ref, { status: { phase: 'Failed' } }, 'status');
  await expect(kubelet.delete(ref, { gracePeriodSeconds: 0, uid: 'another' })).rejects.toMatchObject({ code: 409 });
  await kubelet.delete(ref, { gracePeriodSeconds: 0, uid: uidOf({ metadata: metadata ?? {} }) });
  expect(await podsLeft()).toEqual([]);
});
