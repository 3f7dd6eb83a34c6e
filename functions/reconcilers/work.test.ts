import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { aCloud } from '#test/support/controllers/cloud.ts';

const gvr = (group: string, version: string, resource: string) => ({ group, version, resource });
const NAMESPACES = gvr('', 'v1', 'namespaces');
const BUDGETS = gvr('policy', 'v1', 'poddisruptionbudgets');
const EVENTS = gvr('', 'v1', 'events');
const NODES = gvr('', 'v1', 'nodes');
const PODS = gvr('', 'v1', 'pods');
const SERVICES = gvr('', 'v1', 'services');
const SLICES = gvr('discovery.k8s.io', 'v1', 'endpointslices');
const DEPLOYMENTS = gvr('apps', 'v1', 'deployments');
const SETS = gvr('apps', 'v1', 'replicasets');
const CONFIG_MAPS = gvr('', 'v1', 'configmaps');

const labels = { app: 'a' };
const SPEC = { containers: [{ name: 'c', image: 'i' }] };
const template: JsonObject = { metadata: { labels }, spec: SPEC };
const deployment: JsonObject = {
  metadata: { name: 'd', namespace: 'team' },
  spec: { replicas: 2, selector: { matchLabels: labels }, template },
};
const PORTS = { ports: [{ port: 80 }] };
const inTeam = { namespace: 'team' };

test('converges in stateless processes with their own accounts', async () => {
  const cloud = await aCloud();
  const { user } = cloud;
  expect((await user.list(CONFIG_MAPS, inTeam)).map(nameOf)).toEqual(['kube-root-ca.crt']);
  await user.create(SERVICES, {
    metadata: { name: 's', namespace: 'team' },
    spec: { selector: { app: 'b' }, ports: [{ port: 80 }] },
  });
  await user.create(DEPLOYMENTS, deployment);
  await cloud.settle();
  const pods = await user.list(PODS, inTeam);
  expect(pods).toHaveLength(2);
  const [pod] = pods.map(nameOf);
  const status = {
    phase: 'Running',
    podIPs: [{ ip: '10.0.0.1' }],
    podIP: '10.0.0.1',
    conditions: [{ type: 'Ready', status: 'True' }],
  };
  await user.patch({ resource: PODS, namespace: 'team', name: pod ?? '' }, { status }, 'status');
  await cloud.settle();
  await user.create(NODES, { metadata: { name: 'n' } });
  const bare = {
    metadata: { name: 'bare', namespace: 'team', labels: { app: 'b' } },
    spec: { ...SPEC, nodeName: 'n' },
  };
  await user.create(PODS, bare);
  await cloud.settle();
  await user.patch({ resource: PODS, namespace: 'team', name: 'bare' }, { status }, 'status');
  await cloud.settle();
  const [slice] = await user.list(SLICES, inTeam);
  expect(JSON.stringify(slice)).toContain('10.0.0.1');
  const available = await user.get({ resource: DEPLOYMENTS, namespace: 'team', name: 'd' });
  expect(available?.['status']).toMatchObject({ replicas: 2, readyReplicas: 1 });

  await user.patch({ resource: PODS, namespace: 'team', name: pod ?? '' }, { metadata: { labels: { app: null } } });
  await cloud.settle();
  expect(await user.list(PODS, inTeam)).toHaveLength(4);

  await user.delete({ resource: DEPLOYMENTS, namespace: 'team', name: 'd' }, { propagationPolicy: 'Background' });
  await cloud.settle();
  expect([await user.list(SETS, inTeam), (await user.list(PODS, inTeam)).length]).toEqual([[], 2]);

  await user.delete({ resource: PODS, namespace: 'team', name: 'bare' }, { gracePeriodSeconds: 0 }); // no kubelet terminates it
  await user.delete({ resource: NAMESPACES, namespace: '', name: 'team' });
  await cloud.settle();
  expect(await user.get({ resource: NAMESPACES, namespace: '', name: 'team' })).toBeUndefined();
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
});

test.each([
  ['Foreground', 0],
  ['Orphan', 1],
] as const)('an owner deleted by %s leaves %i dependents', async (propagationPolicy, left) => {
  const cloud = await aCloud();
  const { user } = cloud;
  const owner = await user.create(CONFIG_MAPS, { metadata: { name: 'owner', namespace: 'team' } });
  const { uid = '' } = owner['metadata'] as { uid?: string };
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true }];
  await user.create(CONFIG_MAPS, { metadata: { name: 'mine', namespace: 'team', ownerReferences } });
  await cloud.settle();
  await user.delete({ resource: CONFIG_MAPS, namespace: 'team', name: 'owner' }, { propagationPolicy });
  await cloud.settle();
  const names = (await user.list(CONFIG_MAPS, inTeam)).map(nameOf).filter((name) => name !== 'kube-root-ca.crt');
  expect(names).toEqual(['mine'].slice(0, left));
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
});

test('runs reconcilers without a trigger on a schedule: events expire an hour after they were written', async () => {
  const cloud = await aCloud();
  const { user } = cloud;
  const involvedObject = { kind: 'Pod', namespace: 'team', name: 'p' };
  await user.create(EVENTS, {
    metadata: { name: 'e', namespace: 'team' },
    involvedObject,
    type: 'Normal',
    reason: 'Old',
  });
  cloud.clock.advance(3_700_000);
  await user.create(EVENTS, {
    metadata: { name: 'f', namespace: 'team' },
    involvedObject,
    type: 'Normal',
    reason: 'New',
  });
  cloud.begin();
  await cloud.settle();
  expect((await user.list(EVENTS, inTeam)).map(nameOf)).toEqual(['f']);
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
});

test('deletes the pods of a deleted node', async () => {
  const cloud = await aCloud();
  const { user } = cloud;
  await user.create(NODES, { metadata: { name: 'n' } });
  await user.create(PODS, { metadata: { name: 'p', namespace: 'team' }, spec: { ...SPEC, nodeName: 'n' } });
  await cloud.settle();
  await user.delete({ resource: NODES, namespace: '', name: 'n' });
  await cloud.settle();
  cloud.clock.advance(40_000);
  await cloud.settle();
  expect(await user.list(PODS, inTeam)).toEqual([]);
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
});

test('reconciles the current state if the log no longer has the change', async () => {
  const cloud = await aCloud();
  const { user } = cloud;
  await user.create(DEPLOYMENTS, deployment);
  await cloud.forget('main/apps/deployments');
  await cloud.settle();
  expect(await user.list(PODS, inTeam)).toHaveLength(2);
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
});

describe('a deletion that the log no longer holds', () => {
  test("is repaired by the pod's controller", async () => {
    const cloud = await aCloud();
    const { user } = cloud;
    await user.create(DEPLOYMENTS, deployment);
    await cloud.settle();
    const [pod = ''] = (await user.list(PODS, inTeam)).map(nameOf);
    await user.delete({ resource: PODS, namespace: 'team', name: pod }, { gracePeriodSeconds: 0 });
    await cloud.forget('main//pods');
    await cloud.settle();
    expect(await user.list(PODS, inTeam)).toHaveLength(2);
    expect([cloud.faults, cloud.dead]).toEqual([[], []]);
  });

  test("is followed by the deletion of an owner's dependents", async () => {
    const cloud = await aCloud();
    const { user } = cloud;
    const owner = await user.create(CONFIG_MAPS, { metadata: { name: 'owner', namespace: 'team' } });
    const { uid = '' } = owner['metadata'] as { uid?: string };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await user.create(SERVICES, { metadata: { name: 'mine', namespace: 'team', ownerReferences }, spec: PORTS });
    await cloud.settle();
    await user.delete({ resource: CONFIG_MAPS, namespace: 'team', name: 'owner' });
    await cloud.forget('main//configmaps');
    await cloud.settle();
    expect(await user.list(SERVICES, inTeam)).toEqual([]);
    expect([cloud.faults, cloud.dead]).toEqual([[], []]);
  });
});

test('counts a new pod in the budget that selects it', async () => {
  const cloud = await aCloud();
  const { user } = cloud;
  const place = { resource: BUDGETS, namespace: 'team', name: 'b' };
  const selector = { matchLabels: labels };
  await user.create(BUDGETS, { metadata: { name: 'b', namespace: 'team' }, spec: { minAvailable: 0, selector } });
  await cloud.settle();
  await user.create(PODS, { metadata: { name: 'p', namespace: 'team', labels }, spec: SPEC });
  await cloud.settle();
  expect((await user.get(place))?.['status']).toMatchObject({ expectedPods: 1 });
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
});

test('sends a change to the other reconcilers if one fails on it', async () => {
  const cloud = await aCloud();
  cloud.first = {
    name: 'broken',
    keys: () => {
      throw new TypeError('no idea');
    },
    reconcile: async () => undefined,
  };
  await cloud.user.create(DEPLOYMENTS, deployment);
  await cloud.settle();
  expect(await cloud.user.list(PODS, inTeam)).toHaveLength(2);
  expect(cloud.faults).toContainEqual(new TypeError('no idea'));
});

test('drops delayed messages of a disabled controller without a dead letter', async () => {
  const cloud = await aCloud();
  const { user } = cloud;
  await user.create(DEPLOYMENTS, deployment);
  await cloud.stream();
  await cloud.work(cloud.queue.splice(0));
  expect(cloud.queue.map(({ reconciler }) => reconciler)).toContain('deployment-controller');
  cloud.controllers = ['*', '-deployment-controller'];
  await cloud.settle();
  expect(await user.list(SETS, inTeam)).toEqual([]);
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
});
