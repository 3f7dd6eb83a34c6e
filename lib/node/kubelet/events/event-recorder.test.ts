import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Event } from '#lib/api/types/core.v1.ts';
import { EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { eventually } from '#test/support/eventually.ts';
import { aPod } from '../testing/pods.ts';
import { EventRecorder } from './event-recorder.ts';

let world: World;
let client: Clientset;
let ending: AbortController;
let running: Promise<void> | undefined;

beforeEach(async () => {
  world = new World();
  client = clientset(world.user);
  ending = new AbortController();
  await aNamespace(world, 'default');
});
afterEach(async () => {
  ending.abort();
  await running;
  await world.close();
});

const listed = (): Promise<Event[]> => client.list(EVENTS, { namespace: 'default' });

/** A running recorder. */
function recorder(over: Client = client) {
  const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
  const faults: unknown[] = [];
  const made = new EventRecorder({
    client: over,
    clock,
    host: 'n1',
    random: () => 0,
    onFault: (error) => void faults.push(error),
  });
  running = made.run(ending.signal);
  return { clock, faults, recorder: made };
}

test('writes an event with its object, the kubelet and the node', async () => {
  const { recorder: events } = recorder();
  events.event(aPod('a'), 'Normal', 'Pulled', 'pulled it', 'spec.containers{app}');
  await eventually(async () => expect(await listed()).toHaveLength(1));
  expect((await listed())[0]).toMatchObject({
    involvedObject: {
      kind: 'Pod',
      namespace: 'default',
      name: 'a',
      uid: 'uid-a',
      apiVersion: 'v1',
      fieldPath: 'spec.containers{app}',
    },
    reason: 'Pulled',
    message: 'pulled it',
    source: { component: 'kubelet', host: 'n1' },
    reportingComponent: 'kubelet',
    reportingInstance: 'n1',
    type: 'Normal',
    count: 1,
  });
});

test('counts a repeated event', async () => {
  const { recorder: events, clock } = recorder();
  events.event(aPod('a'), 'Warning', 'BackOff', 'again');
  clock.advance(60_000);
  events.event(aPod('a'), 'Warning', 'BackOff', 'again');
  await eventually(async () => expect((await listed())[0]?.count).toBe(2));
  expect(await listed()).toMatchObject([
    { count: 2, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:01:00Z' },
  ]);
});

test('aggregates similar events from the tenth on', async () => {
  const { recorder: events } = recorder();
  for (let index = 0; index < 12; index++) events.event(aPod('a'), 'Warning', 'Failed', `attempt ${index}`);
  await eventually(async () => (await listed()).some(({ count }) => count === 3));
  const all = await listed();
  expect(all).toHaveLength(10);
  expect(all.find(({ count }) => count === 3)?.message).toBe('(combined from similar events): attempt 11');
});

test('limits an object to 25 events at once, then one every five minutes', async () => {
  const { recorder: events, clock } = recorder();
  const tell = (index: number): void => events.event(aPod('a'), 'Normal', `Reason${index}`, 'said');
  for (let index = 0; index < 30; index++) tell(index);
  events.event(aPod('b'), 'Normal', 'Other', 'said');
  await eventually(async () => (await listed()).some(({ reason }) => reason === 'Other'));
  expect(await listed()).toHaveLength(26);
  clock.advance(300_000);
  tell(31);
  tell(32);
  events.event(aPod('b'), 'Normal', 'Last', 'said');
  await eventually(async () => (await listed()).some(({ reason }) => reason === 'Last'));
  expect((await listed()).map(({ reason }) => reason)).toContain('Reason31');
  expect(await listed()).toHaveLength(28);
});

test('creates an event again after it expired', async () => {
  const { recorder: events } = recorder();
  events.event(aPod('a'), 'Normal', 'Pulled', 'pulled it');
  await eventually(async () => expect(await listed()).toHaveLength(1));
  const [first] = await listed();
  await client.delete({ resource: EVENTS, namespace: 'default', name: first?.metadata.name ?? '' });
  events.event(aPod('a'), 'Normal', 'Pulled', 'pulled it');
  await eventually(async () => expect((await listed())[0]?.count).toBe(2));
});

test('retries while the API is unavailable, and drops rejected events', async () => {
  let tries = 0;
  const broken: Client = {
    ...client,
    create: (resource, object) => {
      tries++;
      if (tries === 1) return Promise.reject(new TypeError('connection refused'));
      if (tries === 3) return Promise.reject(new StatusError('Forbidden', 'no', {}, 403));
      return client.create(resource, object, undefined);
    },
  };
  const { recorder: events, faults } = recorder(broken);
  events.event(aPod('a'), 'Normal', 'First', 'said');
  await eventually(async () => expect(await listed()).toHaveLength(1));
  events.event(aPod('a'), 'Normal', 'Second', 'said');
  events.event(aPod('a'), 'Normal', 'Third', 'said');
  await eventually(async () => (await listed()).some(({ reason }) => reason === 'Third'));
  expect([tries, faults.length]).toEqual([4, 1]);
});
