import { beforeEach, expect, test } from 'vitest';
import type { Event } from '#lib/api/types/core.v1.ts';
import { EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { unclassified } from '#lib/machinery/errors.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { EventCorrelator } from './event-correlator.ts';
import { type Recorder, recordEvent, recordOnce } from './record-event.ts';

const OBJECT = { metadata: { namespace: 'here', name: 'web', uid: 'u' } };
const WORDS = { type: 'Warning', reason: 'FailedCreate', message: 'no room' } as const;
const MINUTE = 60_000;
const COMBINED = '(combined from similar events): ';

let world: World;
let writes: number;
beforeEach(async () => {
  world = new World();
  writes = 0;
  await aNamespace(world);
});

/** The recorder of a newly started process. Counts the writes. */
function recorder(over: Partial<Client> = {}): Recorder {
  const client: Client = {
    ...world.user,
    get: world.user.get.bind(world.user),
    create: (...call) => {
      writes++;
      return world.user.create(...call);
    },
    patch: (...call) => {
      writes++;
      return world.user.patch(...call);
    },
    ...over,
  };
  const events = new EventCorrelator(world.clock);
  return { client, component: 'replicaset-controller', apiVersion: 'apps/v1', kind: 'ReplicaSet', events };
}

const listed = (): Promise<Event[]> => clientset(world.user).list(EVENTS, { namespace: 'here' });
const counts = async (): Promise<unknown[]> => (await listed()).map(({ count }) => count);

test('aggregates the tenth and later events that differ only in their message', async () => {
  const one = recorder();
  for (let index = 1; index <= 20; index++) await recordEvent(one, OBJECT, { ...WORDS, message: `pod ${index}` });
  const events = await listed();
  expect(events).toHaveLength(10);
  const combined = events.filter(({ message }) => message?.startsWith(COMBINED));
  expect(combined).toMatchObject([{ count: 11, message: `${COMBINED}pod 20`, reason: 'FailedCreate' }]);
});

test('writes a burst of 25 events of an object, then one every five minutes', async () => {
  const one = recorder();
  for (let index = 0; index < 49; index++) await recordEvent(one, OBJECT, { ...WORDS, message: `pod ${index}` });
  expect(writes).toBe(25);
  world.clock.advance(5 * MINUTE);
  for (let index = 0; index < 3; index++) await recordEvent(one, OBJECT, WORDS);
  expect(writes).toBe(26);
  await recordEvent(one, { metadata: { ...OBJECT.metadata, name: 'other', uid: 'v' } }, WORDS);
  expect(writes).toBe(27);
});

test('increments a repeated event with one patch', async () => {
  const one = recorder();
  await recordEvent(one, OBJECT, WORDS);
  world.clock.advance(MINUTE);
  await recordEvent(one, OBJECT, WORDS);
  expect(writes).toBe(2);
  const [event, ...others] = await listed();
  expect(others).toEqual([]);
  const { firstTimestamp, lastTimestamp, count } = event ?? {};
  expect([count, Date.parse(lastTimestamp ?? '') - Date.parse(firstTimestamp ?? '')]).toEqual([2, MINUTE]);
});

test('increments the events of an earlier process, single and aggregated', async () => {
  const tell = async (one: Recorder): Promise<void> => {
    for (let index = 0; index < 12; index++) await recordEvent(one, OBJECT, { ...WORDS, message: `pod ${index}` });
  };
  await tell(recorder());
  expect((await counts()).toSorted()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 3]);
  await tell(recorder());
  expect((await counts()).toSorted()).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 2, 6]);
});

test('recreates an expired event', async () => {
  const one = recorder();
  await recordEvent(one, OBJECT, WORDS);
  const [event] = await listed();
  await world.user.delete({ resource: EVENTS, namespace: 'here', name: event?.metadata.name ?? '' });
  await recordEvent(one, OBJECT, WORDS);
  expect(await counts()).toEqual([2]);
});

test('records an event once while it exists', async () => {
  const one = recorder();
  for (let index = 0; index < 3; index++) await recordOnce(one, OBJECT, WORDS);
  await recordOnce(recorder(), OBJECT, WORDS);
  expect([await counts(), writes]).toEqual([[1], 2]);
  const [event] = await listed();
  await world.user.delete({ resource: EVENTS, namespace: 'here', name: event?.metadata.name ?? '' });
  world.clock.advance(60 * MINUTE);
  await recordOnce(one, OBJECT, WORDS);
  expect(await listed()).toHaveLength(1);
});

test('retries a rejected event at its next occurrence', async () => {
  let isDown = true;
  const create: Client['create'] = (...call) =>
    isDown ? Promise.reject(unclassified('no answer')) : world.user.create(...call);
  const one = recorder({ create });
  await recordOnce(one, OBJECT, WORDS);
  isDown = false;
  await recordOnce(one, OBJECT, WORDS);
  expect(await counts()).toEqual([1]);
});
