import { afterEach, beforeEach, expect, test } from 'vitest';
import { EVENTSV1_EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { eventually } from '#test/support/eventually.ts';
import { type EventRecorder, eventRecorder, keepSeries } from './event-recorder.ts';
import { EventSeries } from './event-series.ts';

const REGARDING = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'a', uid: 'u' } };
const TEXT = { type: 'Warning', reason: 'Failed', action: 'Try', note: 'no room' } as const;
const MINUTE = 60_000;

let world: World;
let writes: string[];
let faults: unknown[];
beforeEach(async () => {
  world = new World();
  [writes, faults] = [[], []];
  await aNamespace(world, 'default');
});
afterEach(async () => {
  expect(faults).toEqual([]);
  await world.close();
});

/** The ports of a process that has just started. */
const ports = () => ({
  client: {
    ...world.user,
    get: world.user.get.bind(world.user),
    create: (...call: Parameters<Client['create']>) => {
      writes.push('create');
      return world.user.create(...call);
    },
    patch: (...call: Parameters<Client['patch']>) => {
      writes.push('patch');
      return world.user.patch(...call);
    },
  },
  series: new EventSeries(world.clock),
  controller: 'mine',
  onError: (error: unknown) => void faults.push(error),
});

async function told(recorder: EventRecorder, notes: readonly string[], pause = 0): Promise<void> {
  for (const note of notes) {
    await recorder.event(REGARDING, { ...TEXT, note });
    world.clock.advance(pause);
  }
}

const listed = () => clientset(world.user).list(EVENTSV1_EVENTS, { namespace: 'default' });
const counts = async () => (await listed()).map(({ series }) => series?.count);
const booms = (number: number): string[] => Array.from({ length: number }, (_, index) => `boom ${index}`);

test('combines events that differ only in their note into a series, written with the second occurrence', async () => {
  await told(eventRecorder(ports()), booms(50), 1000);
  expect(await listed()).toMatchObject([{ note: 'boom 0', series: { count: 2 } }]);
  expect(writes).toEqual(['create', 'patch']);
});

test.each([
  ['reason', { reason: 'Other' }],
  ['action', { action: 'Other' }],
  ['type', { type: 'Normal' }],
  ['related object', { related: { ...REGARDING, metadata: { ...REGARDING.metadata, uid: 'v' } } }],
] as const)('records events that differ in their %s separately', async (_, change) => {
  const recorder = eventRecorder(ports());
  await recorder.event(REGARDING, TEXT);
  await recorder.event(REGARDING, { ...TEXT, note: 'again', ...change });
  expect(await counts()).toEqual([undefined, undefined]);
});

test('continues the series for a new version of the object', async () => {
  const recorder = eventRecorder(ports());
  for (const resourceVersion of ['1', '2'])
    await recorder.event({ ...REGARDING, metadata: { ...REGARDING.metadata, resourceVersion } }, TEXT);
  expect(await counts()).toEqual([2]);
});

test('writes the count of an ongoing series every half an hour', async () => {
  const recorder = eventRecorder(ports());
  await told(recorder, booms(31), MINUTE);
  expect(writes).toEqual(['create', 'patch']);
  await told(recorder, booms(6), MINUTE);
  expect(writes).toEqual(['create', 'patch', 'patch']);
  expect((await counts())[0]).toBeGreaterThan(30);
});

test.each([
  ['stays', 0],
  ['is set back', -60 * MINUTE],
])('ends a series six minutes after its last occurrence, with its count, if the wall clock %s', async (_, jump) => {
  const recorder = eventRecorder(ports());
  await told(recorder, booms(10));
  world.clock.jump(jump);
  world.clock.advance(6 * MINUTE + 1);
  await told(recorder, ['later']);
  expect((await counts()).toSorted()).toEqual([10, undefined]);
  expect(writes).toEqual(['create', 'patch', 'patch', 'create']);
});

test('writes the count of a series that ended without another event', async () => {
  const ending = new AbortController();
  const clock = new ManualClock();
  const given = { ...ports(), series: new EventSeries(clock) };
  const kept = keepSeries(given, ending.signal);
  await told(eventRecorder(given), booms(3));
  await eventually(async () => {
    clock.advance(6 * MINUTE);
    return (await counts())[0] === 3;
  });
  ending.abort();
  await kept;
  expect(writes).toEqual(['create', 'patch', 'patch']);
});

test('increments an event with the same content after a restart', async () => {
  await told(eventRecorder(ports()), ['no room', 'no room']);
  await told(eventRecorder(ports()), ['no room', 'no room at all']);
  expect(await counts()).toEqual([3]);
});

test('creates its own event without permission to read events', async () => {
  for (const process of ['1', '2']) await told(eventRecorder({ ...ports(), nonce: () => process }), ['no room']);
  expect(writes).toEqual(['create', 'create']);
  expect(await counts()).toEqual([undefined, undefined]);
});

test('recreates an expired event with its series', async () => {
  const recorder = eventRecorder(ports());
  await told(recorder, ['no room']);
  const [event] = await listed();
  await world.user.delete({ resource: EVENTSV1_EVENTS, namespace: 'default', name: event?.metadata.name ?? '' });
  await told(recorder, ['no room']);
  expect(await counts()).toEqual([2]);
});
