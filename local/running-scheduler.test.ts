import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { changeOf } from '#lib/client/controller/object-change.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { schedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import { serviceDns } from '#lib/server/webhook/service-resolver.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { RunningScheduler } from './running-scheduler.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NODES = '/api/v1/nodes';
const MOST_ALLOCATED = { scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] } };
const SUMMARY = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };

let server: RunningApiserver;
let send: Requester;
const faults: unknown[] = [];

beforeAll(async () => {
  // No node agent renews a Lease here, so in a slow run the server would taint its nodes as unreachable.
  const controllers = ['*', '-node-lifecycle-controller'];
  server = await startApiserver({ controllers, reportFault: (_, error) => void faults.push(error) });
  send = requester(server);
  await eventually(async () => {
    const account = '/api/v1/namespaces/default/serviceaccounts/default';
    expect((await send('GET', account)).status).toBe(200);
  });
});
beforeEach(async () => {
  for (const path of [PODS, NODES])
    for (const { metadata } of items((await send('GET', path)).body, 'items').map((one) => ({
      metadata: objectAt(one, 'metadata'),
    })))
      await send('DELETE', `${path}/${text(metadata, 'name')}`, { gracePeriodSeconds: 0 });
});
afterAll(async () => {
  await server.close();
  expect(faults).toEqual([]);
});

async function addNode(name: string, capacity: JsonObject = {}, spec: JsonObject = {}): Promise<void> {
  const made = await send('POST', NODES, { metadata: { name }, spec });
  expect(made.status).toBe(201);
  await send('PATCH', `${NODES}/${name}`, { spec: { taints: [] } });
  const amounts = { cpu: '1', memory: '1Gi', pods: '10', ...capacity };
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: new Date().toISOString() };
  await send('PATCH', `${NODES}/${name}/status`, {
    status: { capacity: amounts, allocatable: amounts, conditions: [ready] },
  });
}

async function addPod(name: string, cpu: string, spec: JsonObject = {}): Promise<void> {
  const containers = [{ name: 'c', image: 'image', resources: { requests: { cpu } } }];
  const made = await send('POST', PODS, { metadata: { name }, spec: { containers, ...spec } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
}

const pod = async (name: string): Promise<JsonObject> => (await send('GET', `${PODS}/${name}`)).body;
const nodeOf = async (name: string): Promise<string> => text(objectAt(await pod(name), 'spec'), 'nodeName');
const isOn = (name: string, node: string) => eventually(async () => expect(await nodeOf(name)).toBe(node));

const conditionOf = async (name: string): Promise<JsonObject | undefined> =>
  items(objectAt(await pod(name), 'status'), 'conditions').find((one) => text(one, 'type') === 'PodScheduled');

const isRefused = (name: string, message: string) =>
  eventually(async () =>
    expect(await conditionOf(name)).toMatchObject({ status: 'False', reason: 'Unschedulable', message }),
  );

const eventsOf = async (name: string): Promise<JsonObject[]> =>
  items((await send('GET', '/apis/events.k8s.io/v1/namespaces/default/events')).body, 'items').filter(
    (event) => text(objectAt(event, 'regarding'), 'name') === name,
  );

describe('a pod without a node', () => {
  test('waits while there are no nodes, and goes to the first one that appears', async () => {
    await addPod('early', '100m');
    await isRefused('early', 'no nodes available to schedule pods');
    await addNode('n1');
    await isOn('early', 'n1');
    expect(await conditionOf('early')).toMatchObject({ status: 'True' });
    await eventually(async () => {
      const events = await eventsOf('early'); // a list sorts events by their names, which are random
      const refused = {
        type: 'Warning',
        reason: 'FailedScheduling',
        action: 'Scheduling',
        note: 'no nodes available to schedule pods',
        reportingController: 'default-scheduler',
      };
      expect(events).toContainEqual(expect.objectContaining(refused));
      const scheduled = {
        type: 'Normal',
        reason: 'Scheduled',
        action: 'Binding',
        note: 'Successfully assigned default/early to n1',
        regarding: expect.objectContaining({ kind: 'Pod', apiVersion: 'v1', name: 'early' }) as unknown,
      };
      expect(events).toContainEqual(expect.objectContaining(scheduled));
    });
  });

  test('goes to the node with the most free capacity', async () => {
    await addNode('small');
    await addNode('large', { cpu: '8' });
    await addPod('roomy', '500m');
    await isOn('roomy', 'large');
  });

  test('gets a condition with the reason, without preemption if no node was filtered', async () => {
    await addNode('n1');
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'absent' } }];
    await addPod('claimless', '100m', { volumes });
    await isRefused('claimless', '0/1 nodes are available: persistentvolumeclaim "absent" not found. not found');
  });

  test('waits for capacity, and uses the capacity that another pod frees', async () => {
    await addNode('n1');
    await addPod('first', '800m');
    await isOn('first', 'n1');
    await addPod('second', '800m');
    await isRefused(
      'second',
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    );
    await send('DELETE', `${PODS}/first`, { gracePeriodSeconds: 0 });
    await isOn('second', 'n1');
  });

  test('is ignored if it names another scheduler', async () => {
    await addNode('n1');
    await addPod('other', '100m', { schedulerName: 'mine' });
    await addPod('own', '100m');
    await isOn('own', 'n1');
    expect(await nodeOf('other')).toBe('');
    expect(await conditionOf('other')).toBeUndefined();
  });

  test('waits until its scheduling gate is removed', async () => {
    await addNode('n1');
    await addPod('gated', '100m', { schedulingGates: [{ name: 'example.com/hold' }] });
    await addPod('free', '100m');
    await isOn('free', 'n1');
    expect(await conditionOf('gated')).toMatchObject({ reason: 'SchedulingGated' });
    await send('PATCH', `${PODS}/gated`, { spec: { schedulingGates: null } });
    await isOn('gated', 'n1');
  });

  test('preempts a pod of lower priority', async () => {
    await send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 1000 });
    await addNode('n1');
    await addPod('low', '800m', { terminationGracePeriodSeconds: 0 });
    await isOn('low', 'n1');
    await addPod('vip', '800m', { priorityClassName: 'high' });
    await isOn('vip', 'n1');
    expect((await send('GET', `${PODS}/low`)).status).toBe(404);
  });
});

describe('pods of one workload', () => {
  const app = { app: 'web' };
  const selector = { matchLabels: app };

  async function inZone(name: string, zone: string, capacity: JsonObject = {}): Promise<void> {
    await addNode(name, capacity);
    await send('PATCH', `${NODES}/${name}`, { metadata: { labels: { zone, host: name } } });
  }

  async function addPods(count: number, spec: JsonObject, first = 0): Promise<void> {
    const containers = [{ name: 'c', image: 'image', resources: { requests: { cpu: '10m' } } }];
    for (let i = first; i < first + count; i++) {
      const object = { metadata: { name: `web-${i}`, labels: app }, spec: { containers, ...spec } };
      expect((await send('POST', PODS, object)).status).toBe(201);
    }
  }

  const nodesOf = (count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => nodeOf(`web-${i}`)));

  test('are spread over zones, regardless of free capacity', async () => {
    await inZone('large', 'one', { cpu: '8', pods: '99' });
    await inZone('small', 'two');
    const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector };
    await addPods(6, { topologySpreadConstraints: [constraint] });
    const evenly = ['large', 'large', 'large', 'small', 'small', 'small'];
    await eventually(async () => expect((await nodesOf(6)).sort()).toEqual(evenly));
  });

  test('avoid each other, and move on when one leaves', async () => {
    await inZone('a', 'one');
    await inZone('b', 'one');
    const term = { labelSelector: selector, topologyKey: 'host' };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    await addPods(2, { affinity: { podAntiAffinity } });
    await eventually(async () => expect((await nodesOf(2)).sort()).toEqual(['a', 'b']));
    await addPods(1, { affinity: { podAntiAffinity } }, 2);
    const all = '0/2 nodes are available: 2';
    await isRefused(
      'web-2',
      `${all} node(s) didn't match pod anti-affinity rules. no new claims to deallocate, preemption: ${all} No preemption victims found for incoming pod.`,
    );
    const left = await nodeOf('web-0');
    await send('DELETE', `${PODS}/web-0`, { gracePeriodSeconds: 0 });
    await isOn('web-2', left);
  });
});

test('fills the nodes with many pods, but not beyond their capacity', async () => {
  for (const name of ['a', 'b', 'c']) await addNode(name);
  await Promise.all(Array.from({ length: 12 }, (_, i) => addPod(`p${i}`, '300m')));
  await eventually(async () => {
    const all = items((await send('GET', PODS)).body, 'items').map((one) => text(objectAt(one, 'spec'), 'nodeName'));
    const count = (node: string) => all.filter((one) => one === node).length;
    expect([count('a'), count('b'), count('c'), count('')]).toEqual([3, 3, 3, 3]);
  });
});

test('counts its attempts by result', async () => {
  const metrics = text((await send('GET', '/metrics')).body, 'text');
  expect(metrics).toMatch(/scheduler_schedule_attempts_total\{profile="default-scheduler",result="scheduled"\} \d/);
  expect(metrics).toContain('scheduler_pending_pods{queue="unschedulable"}');
});

describe('a server with its own scheduler configuration', () => {
  const asked: string[] = [];
  const extender = createServer((request, response) => {
    asked.push(request.url ?? '');
    request.resume();
    response.end(JSON.stringify([{ Host: 'n2', Score: 10 }]));
  });
  let own: RunningApiserver;

  beforeAll(async () => {
    extender.listen(0, '127.0.0.1');
    await once(extender, 'listening');
    const address = extender.address();
    const port = typeof address === 'object' ? address?.port : 0;
    own = await startApiserver({
      scheduler: schedulerConfiguration({
        apiVersion: 'kubescheduler.config.k8s.io/v1',
        kind: 'KubeSchedulerConfiguration',
        profiles: [
          { schedulerName: 'packing', pluginConfig: [{ name: 'NodeResourcesFit', args: MOST_ALLOCATED }] },
          { schedulerName: 'unscored', plugins: { multiPoint: { disabled: [{ name: 'NodeResourcesFit' }] } } },
        ],
        extenders: [
          {
            urlPrefix: `http://127.0.0.1:${port}`,
            prioritizeVerb: 'prioritize',
            weight: 100,
            managedResources: [{ name: 'example.com/gpu' }],
          },
        ],
      }),
    });
    send = requester(own);
    await eventually(async () => {
      expect((await send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200);
    });
  });
  beforeEach(async () => {
    for (const name of ['n1', 'n2']) await addNode(name, { 'example.com/gpu': '4' });
  });
  afterAll(async () => {
    await own.close();
    extender.close();
    send = requester(server);
  });

  test('places pods with the profile that they name, and no others', async () => {
    await addPod('first', '300m', { schedulerName: 'packing' });
    await eventually(async () => expect(await nodeOf('first')).not.toBe(''));
    await addPod('second', '300m', { schedulerName: 'packing' });
    await isOn('second', await nodeOf('first'));
    await addPod('huge', '9', { schedulerName: 'unscored' });
    await eventually(async () => expect(await nodeOf('huge')).not.toBe(''));
    await addPod('default', '300m');
    await addPod('third', '300m', { schedulerName: 'packing' });
    await eventually(async () => expect(await nodeOf('third')).not.toBe(''));
    expect(await nodeOf('default')).toBe('');
  });

  test('asks extenders about the pods that concern them', async () => {
    expect(asked).toEqual([]);
    const limits = { cpu: '100m', 'example.com/gpu': '1' };
    const containers = [{ name: 'c', image: 'image', resources: { limits, requests: limits } }];
    await addPod('gpu', '100m', { schedulerName: 'packing', containers });
    await isOn('gpu', 'n2');
    expect(asked).toEqual(['/prioritize']);
  });
});

test('runs no scheduler on a server that disables it', async () => {
  await using idle = await startApiserver({ scheduler: false });
  const ask = requester(idle);
  await eventually(async () => {
    expect((await ask('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200);
  });
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  expect((await ask('POST', PODS, { metadata: { name: 'alone' }, spec })).status).toBe(201);
  expect(text((await ask('GET', '/metrics')).body, 'text')).not.toContain('scheduler_pending_pods');
});

const added = (resource: string, spec: JsonObject): ObjectChange =>
  changeOf('ADDED', {
    key: `main//${resource}/default/x`,
    body: Buffer.from(JSON.stringify({ metadata: { name: 'x', namespace: 'default' }, spec })),
    summary: SUMMARY,
  });

test('does not start if it is closed during its initial lists', async () => {
  const scheduler = new RunningScheduler({ clock: systemClock, reportFault: (_, error) => void faults.push(error) });
  const asked = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  await scheduler.start({
    services: serviceDns,
    handle: async () => {
      asked.resolve();
      await closing.promise;
      return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"items":[]}' };
    },
  });
  scheduler.tell(added('pods', {}));
  await asked.promise;
  const closed = scheduler.close();
  closing.resolve();
  await closed;
});

test('loads nothing until a pod waits for a node', async () => {
  const scheduler = new RunningScheduler({ clock: systemClock, reportFault: (_, error) => void faults.push(error) });
  const asked: string[] = [];
  await scheduler.start({
    services: serviceDns,
    handle: async ({ path }) => {
      asked.push(path);
      throw new Error('nobody is to ask');
    },
  });
  scheduler.tell(added('nodes', {}));
  scheduler.tell(added('pods', { nodeName: 'n1' }));
  expect(await scheduler.collect()).toEqual([]);
  await scheduler.close();
  expect(asked).toEqual([]);
});
