import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectAt } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { readManifests } from './manifests.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

const PODS = '/api/v1/namespaces/default/pods';
const faults: unknown[] = [];
let server: RunningApiserver;
let send: Requester;

beforeAll(async () => {
  server = await startApiserver({
    poseidon: 'cpu-memory',
    simulatedNodes: 3,
    reportFault: (_, error) => void faults.push(error),
  });
  send = requester(server);
  await eventually(async () => {
    expect((await send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200);
    expect(items((await send('GET', '/api/v1/nodes')).body, 'items')).toHaveLength(3);
  });
});
afterAll(async () => {
  await server.close();
  expect(faults).toEqual([]);
});

const aDeployment = (name: string, replicas: number, schedulerName: string) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { schedulerName, containers: [{ name: 'c', image: 'image', resources: { requests: { cpu: '100m' } } }] },
    },
  },
});

const podsOf = async (app: string) => items((await send('GET', `${PODS}?labelSelector=app%3D${app}`)).body, 'items');

test('places pods that name it evenly, next to the default scheduler', async () => {
  for (const [name, scheduler] of [
    ['flow', 'poseidon'],
    ['plain', 'default-scheduler'],
  ] as const)
    expect(
      (await send('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment(name, 9, scheduler))).status,
    ).toBe(201);
  const nodes = await eventually(async () => {
    const pods = [...(await podsOf('flow')), ...(await podsOf('plain'))];
    expect(pods.map((pod) => text(objectAt(pod, 'status'), 'phase'))).toEqual(
      Array.from({ length: 18 }, () => 'Running'),
    );
    return (await podsOf('flow')).map((pod) => text(objectAt(pod, 'spec'), 'nodeName'));
  });
  expect(new Set(nodes).size).toBe(3);
});

test('records its events in its own name, and serves its metrics', async () => {
  const events = await eventually(async () => {
    const all = items((await send('GET', '/apis/events.k8s.io/v1/namespaces/default/events')).body, 'items');
    const own = all.filter((event) => text(event, 'reportingController') === 'poseidon');
    expect(own.length).toBe(9);
    return own;
  });
  expect(new Set(events.map((event) => text(event, 'reason')))).toEqual(new Set(['Scheduled']));
  const metrics = text((await send('GET', '/metrics')).body, 'text');
  expect(metrics).toMatch(/^poseidon_pods_total\{outcome="placed"\} 9$/m);
  expect(metrics).toMatch(/^poseidon_solve_duration_seconds_count [1-9]/m);
});

test('places the replacement of a pod that was deleted', async () => {
  const [first] = await podsOf('flow');
  const name = text(objectAt(first, 'metadata'), 'name');
  expect((await send('DELETE', `${PODS}/${name}`)).status).toBe(200);
  await eventually(async () => {
    const pods = await podsOf('flow');
    expect(pods.map((pod) => text(objectAt(pod, 'metadata'), 'name'))).not.toContain(name);
    expect(pods.map((pod) => text(objectAt(pod, 'status'), 'phase'))).toEqual(
      Array.from({ length: 9 }, () => 'Running'),
    );
  });
});

test('places the gang of the example together, and another one when it is complete', async () => {
  const folder = new URL('../examples/poseidon/', import.meta.url);
  for (const file of ['pod-groups.yaml', 'gang.yaml'])
    for (const object of await readManifests(new URL(file, folder)))
      await eventually(() =>
        server.client.apply({
          ...object,
          metadata: {
            ...(object.kind === 'CustomResourceDefinition' ? {} : { namespace: 'default' }),
            ...object.metadata,
          },
        }),
      );
  const gang = (name: string) => `scheduling.x-k8s.io%2Fpod-group%3D${name}`;
  const membersOf = async (name: string) =>
    items((await send('GET', `${PODS}?labelSelector=${gang(name)}`)).body, 'items');
  await eventually(async () => {
    const nodes = (await membersOf('training')).map((pod) => text(objectAt(pod, 'spec'), 'nodeName'));
    expect(nodes.filter((node) => node !== '')).toHaveLength(4);
  });
  const addMember = (name: string) =>
    send('POST', PODS, {
      metadata: { name, labels: { 'scheduling.x-k8s.io/pod-group': 'pair' } },
      spec: { schedulerName: 'poseidon', containers: [{ name: 'c', image: 'image' }] },
    });
  const kind = { apiVersion: 'scheduling.x-k8s.io/v1alpha1', kind: 'PodGroup' };
  const group = { ...kind, metadata: { name: 'pair' }, spec: { minMember: 2 } };
  const groups = '/apis/scheduling.x-k8s.io/v1alpha1/namespaces/default/podgroups';
  expect((await send('POST', groups, group)).status).toBe(201);
  await addMember('one');
  await eventually(async () => {
    const [pod] = await membersOf('pair');
    const [condition] = items(objectAt(pod, 'status'), 'conditions');
    expect(text(condition, 'message')).toBe('pod group default/pair needs 2 more pods, and 1 is waiting');
  });
  await addMember('two');
  await eventually(async () => {
    const phases = (await membersOf('pair')).map((pod) => text(objectAt(pod, 'status'), 'phase'));
    expect(phases).toEqual(['Running', 'Running']);
  });
});

test('explains how to enable it on a pod that names it while it is disabled', async () => {
  const off = await startApiserver({ simulatedNodes: 1 });
  try {
    const ask = requester(off);
    await eventually(async () => {
      expect((await ask('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200);
    });
    const spec = { schedulerName: 'poseidon', containers: [{ name: 'c', image: 'image' }] };
    expect((await ask('POST', PODS, { metadata: { name: 'alone' }, spec })).status).toBe(201);
    await eventually(async () => {
      const events = items(
        (await ask('GET', '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dalone')).body,
        'items',
      );
      expect(events.map((event) => text(event, 'message'))).toEqual([
        'no scheduler of this server has the name poseidon: start it with --poseidon',
      ]);
    });
  } finally {
    await off.close();
  }
});
