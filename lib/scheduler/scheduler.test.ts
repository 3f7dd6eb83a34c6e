import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { defined } from '#lib/machinery/defined.ts';
import { internalError } from '#lib/machinery/errors.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { schedulerConfiguration } from './apis/config/configuration.ts';
import type { Extender } from './framework/extender.ts';
import { aClaim, aClass, using } from './framework/plugins/volumebinding/testing.ts';
import { Scheduler } from './scheduler.ts';
import { aHandle, aNode, aPod, versioned } from './testing/wrappers.ts';

test('reports an error in preemption and retries a limited number of times', async () => {
  const pods = [
    aPod({ name: 'low', nodeName: 'a', requests: { cpu: '1' } }),
    aPod({ name: 'vip', priority: 9, requests: { cpu: '1' } }),
  ].map(versioned);
  const node = versioned(aNode({ name: 'a', capacity: { cpu: '1', pods: '9' } }));
  const [faults, deleted, clock]: [unknown[], string[], ManualClock] = [[], [], new ManualClock()];
  const broken = internalError('broken');
  const client: Client = {
    ...aHandle().client,
    get: async ({ name }) => pods.find((pod) => nameOf(pod) === name),
    list: async () => [],
    create: async (_resource, object) => object,
    patch: async () => ({}),
    async delete({ name }) {
      deleted.push(name);
      throw broken;
    },
  };
  const scheduler = new Scheduler({
    ...schedulerConfiguration(),
    extenders: () => [],
    client,
    clock,
    random: () => 0,
    reportFault: (error) => faults.push(error),
  });
  scheduler.tell('nodes', node);
  for (const pod of pods) scheduler.tell('pods', pod);
  await scheduler.settle();
  expect([deleted, faults]).toEqual([
    ['low', 'low', 'low'],
    [broken, broken, broken],
  ]);
  await scheduler.close();
});

/** A world of pods with claims for volumes that are never created, and one pod without claims. Returns the bindings. */
function aWorldOfWaiting(howMany: number) {
  const bound: string[] = [];
  const clock = new ManualClock();
  const told: string[] = [];
  const names = Array.from({ length: howMany }, (_, i) => `p${String(i).padStart(3, '0')}`);
  const claims = names.map((name) => versioned(aClaim(name, { spec: { storageClassName: 'gold' } })));
  const client: Client = {
    ...aHandle().client,
    get: async ({ resource, name }) =>
      resource.resource === 'pods' ? aPod({ name }) : claims.find((claim) => nameOf(claim) === name),
    async create(_resource, object, subresource) {
      if (subresource === 'binding') bound.push(nameOf(object));
      return object;
    },
    async update(_ref, object) {
      claims[claims.findIndex((claim) => nameOf(claim) === nameOf(object))] = object;
      return object;
    },
    async patch(ref, object) {
      told.push(`${ref.name} ${JSON.stringify(object['status'])}`);
      return {};
    },
  };
  const scheduler = new Scheduler({
    ...schedulerConfiguration(),
    extenders: () => [],
    client,
    clock,
    random: () => 0,
    reportFault(error) {
      throw error;
    },
  });
  scheduler.tell('storageclasses', versioned(aClass('gold', { provisioner: 'x' })));
  for (const claim of claims) scheduler.tell('persistentvolumeclaims', claim);
  scheduler.tell('nodes', versioned(aNode({ name: 'a', capacity: { cpu: '1', pods: '900' } })));
  for (const name of names)
    scheduler.tell('pods', versioned(aPod({ name, spec: using(name), created: '2026-01-01T00:00:00Z' })));
  scheduler.tell('pods', versioned(aPod({ name: 'other', created: '2026-01-02T00:00:00Z' })));
  return { scheduler, bound, told, claims };
}

test('schedules other pods while pods wait for volumes', async () => {
  const { scheduler, bound } = aWorldOfWaiting(150);
  const running = scheduler.run();
  for (let turn = 0; turn < 2000; turn++) await Promise.resolve();
  expect(bound).toEqual(['other']);
  await scheduler.close();
  await running;
});

test('ends all waits on close without reporting them', async () => {
  const { scheduler, bound, told, claims } = aWorldOfWaiting(1);
  const running = scheduler.run();
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
  await scheduler.close();
  await running;
  expect(bound).toEqual(['other']);
  expect(told).toEqual(['p000 {"nominatedNodeName":"a"}']);
  expect(claims[0]).toMatchObject({ metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'a' } } });
});

/** Places this many pods, each in an attempt of `took` milliseconds. Returns the bindings, and the pauses in milliseconds, in order. */
async function placing(pods: number, took: number): Promise<(string | number)[]> {
  const clock = new ManualClock();
  const done: (string | number)[] = [];
  clock.sleep = async (milliseconds) => void done.push(milliseconds);
  const slow: Extender = {
    name: 'slow',
    does: { filter: true, prioritize: false, preempt: false, bind: true },
    ignorable: false,
    weight: 1,
    isInterested: () => true,
    prioritize: async () => new Map(),
    processPreemption: async (_pod, candidates) => candidates,
    async filter(_pod, nodes) {
      clock.advance(took);
      return { nodes, failed: new Map(), failedAndUnresolvable: new Map() };
    },
    bind: async () => void done.push('bound'),
  };
  const scheduler = new Scheduler({
    ...schedulerConfiguration(),
    extenders: () => [slow],
    client: { ...aHandle().client, create: async (_resource, object) => object },
    clock,
    random: () => 0,
    reportFault(error) {
      throw error;
    },
  });
  scheduler.tell('nodes', versioned(aNode({ name: 'a', capacity: { cpu: '9', pods: '9' } })));
  for (let i = 0; i < pods; i++) scheduler.tell('pods', versioned(aPod({ name: `p${i}` })));
  await scheduler.settle();
  await scheduler.close();
  return done;
}

test.each([
  [99, [0]],
  [700, [700]],
])('yields after an attempt of %d ms, and sleeps as long as a long attempt: %j', async (took, pauses) => {
  expect((await placing(1, took)).filter((step) => step !== 'bound')).toEqual(pauses);
});

test('requests the bindings of 10 ms together, so that they share a log entry', async () => {
  expect(await placing(4, 5)).toEqual(['bound', 'bound', 0, 'bound', 'bound', 0]);
});

test.each([
  ['only its namespace and name', undefined, 0],
  ['its uid', 'u', 0],
  ['another uid', 'other', 1],
])('handles the deletion of a waiting pod by an object with %s', async (_what, uid, waiting) => {
  const scheduler = new Scheduler({
    ...schedulerConfiguration(),
    extenders: () => [],
    client: aHandle().client,
    clock: new ManualClock(),
    random: () => 0,
    reportFault: () => undefined,
  });
  const pod = aPod({ name: 'p', metadata: { uid: 'u' } });
  scheduler.tell('pods', versioned(pod));
  expect(scheduler.waiting).toBe(1);
  scheduler.tellGone('pods', { metadata: { name: 'p', namespace: namespaceOf(pod), ...defined({ uid }) } });
  expect(scheduler.waiting).toBe(waiting);
  await scheduler.close();
});
