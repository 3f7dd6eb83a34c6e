import { beforeEach, describe, expect, test } from 'vitest';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { bootstrap } from '#lib/controllers/bootstrap/first-start.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { buildScheduler, scheduleAll, schedulerClient } from './wiring.ts';

const core = (resource: string) => ({ group: '', version: 'v1', resource });
const podRef = (name: string) => ({ resource: core('pods'), namespace: 'default', name });

let server: Apiserver;
let admin: Client;
let faults: unknown[];
const clock = new ManualClock();

beforeEach(async () => {
  const made = serverInProcess({ clock, tokens: new Map([['scheduler', SCHEDULER_USER]]) });
  ({ server, faults } = made);
  admin = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'test' });
  await bootstrap(admin, { host: '127.0.0.1', port: 6443 });
  const account = { metadata: { name: 'default', namespace: 'default' } };
  await admin.create(core('serviceaccounts'), account);
});

const parts = (handle = server.handle) => ({
  client: schedulerClient({ handle, token: 'scheduler' }),
  clock,
  random: () => 0,
  reportFault: (error: unknown) => void faults.push(error),
});

async function addNode(name: string): Promise<void> {
  const node = await admin.create(core('nodes'), { metadata: { name } });
  const ref = { resource: core('nodes'), namespace: '', name: nameOf(node) };
  await admin.patch(ref, { spec: { taints: null } });
  const allocatable = { cpu: '1', memory: '1Gi', pods: '3' };
  await admin.patch(ref, { status: { capacity: allocatable, allocatable } }, 'status');
}

const addPod = (name: string, spec: JsonObject = {}): Promise<JsonObject> =>
  admin.create(core('pods'), {
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '300m' } } }], ...spec },
  });

async function placed(): Promise<Record<string, string>> {
  const pods = await admin.list(core('pods'), { namespace: 'default' });
  return Object.fromEntries(pods.map((pod) => [nameOf(pod), text(objectAt(pod, 'spec'), 'nodeName')]));
}

const conditionOf = async (name: string): Promise<JsonObject | undefined> =>
  items(objectAt(await admin.get(podRef(name)), 'status'), 'conditions').find(
    (one) => text(one, 'type') === 'PodScheduled',
  );

describe('a scheduler that is called after a change', () => {
  test('places all pods that wait at that time, and ends', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await addPod(name);
    await scheduleAll(parts());
    expect(await conditionOf('a')).toMatchObject({ message: 'no nodes available to schedule pods' });

    await addNode('n');
    await scheduleAll(parts());
    const nodes = Object.values(await placed()).sort();
    expect(nodes).toEqual(['', 'n', 'n', 'n']);
    expect(faults).toEqual([]);
  });

  test('sees pods that others placed, and does nothing if no pod waits', async () => {
    await addNode('n');
    for (const name of ['a', 'b', 'c']) await addPod(name, { nodeName: 'n' });
    await addPod('late');
    await scheduleAll(parts());
    expect(await conditionOf('late')).toMatchObject({ status: 'False', reason: 'Unschedulable' });
    const before = (await admin.get(podRef('late'))) ?? {};
    await scheduleAll(parts());
    expect(await admin.get(podRef('late'))).toEqual(before);
  });
});

test('reports a rejected binding on the pod, and retries it later', async () => {
  await addNode('n');
  await addPod('a');
  let refusals = 1;
  const handle = (request: ApiRequest) => {
    if (request.path.endsWith('/binding') && refusals-- > 0) throw new Error('no route');
    return server.handle(request);
  };
  const scheduler = buildScheduler(parts(handle));
  await scheduler.load();
  await scheduler.settle();
  expect(await conditionOf('a')).toMatchObject({
    status: 'False',
    reason: 'SchedulerError',
    message: 'running Bind plugin "DefaultBinder": no route',
  });
  expect(await placed()).toEqual({ a: '' });
  clock.advance(2000);
  await scheduler.settle();
  expect(await placed()).toEqual({ a: 'n' });
  await scheduler.close();
});

test('counts a pod on its chosen node before it is bound', async () => {
  await addNode('n');
  const scheduler = buildScheduler(parts());
  await scheduler.load();
  const pods = await Promise.all(['a', 'b', 'c', 'd'].map((name) => addPod(name)));
  for (const pod of pods) scheduler.tell('pods', pod);
  await scheduler.settle();
  expect(Object.values(await placed()).filter((node) => node === 'n')).toHaveLength(3);
  await scheduler.close();
});
