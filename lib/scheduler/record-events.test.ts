import { beforeEach, expect, test } from 'vitest';
import { EventSeries } from '#lib/client/events/event-series.ts';
import { forbidden } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { podEvents } from './record-events.ts';
import { aHandle, aPod } from './testing/wrappers.ts';

const FAILED = { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message: 'no room' } as const;
let clock: ManualClock;
let written: [string, JsonObject][];
let faults: unknown[];
let answer: unknown;

const events = () =>
  podEvents({
    series: new EventSeries(clock),
    random: () => 0,
    reportFault: (error) => void faults.push(error),
    client: {
      ...aHandle().client,
      async create(_resource, object) {
        if (answer !== undefined) throw answer;
        written.push(['created', object]);
        return object;
      },
      async patch({ name }, patch) {
        written.push([name, patch]);
        return patch;
      },
    },
  });

beforeEach(() => {
  [clock, written, faults, answer] = [new ManualClock(), [], [], undefined];
});

test('names the pod and the scheduler of its profile in an event', async () => {
  await events()('mine', aPod({ name: 'web' }), FAILED);
  expect(written).toMatchObject([
    [
      'created',
      {
        reportingController: 'mine',
        regarding: { kind: 'Pod', namespace: 'default', name: 'web', uid: 'web' },
        type: 'Warning',
        reason: 'FailedScheduling',
        action: 'Scheduling',
        note: 'no room',
      },
    ],
  ]);
});

test('counts a repeated event until six minutes pass without one', async () => {
  const record = events();
  const tell = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await record('mine', aPod(), FAILED);
  };
  for (const seconds of [0, 60, 300, 361]) await tell(seconds);
  expect(written.map(([what, { series }]) => [what === 'created', series && (series as JsonObject)['count']])).toEqual([
    [true, undefined],
    [false, 2],
    [false, 3],
    [true, undefined],
  ]);
});

test('drops rejected events and reports other errors', async () => {
  answer = forbidden({ group: 'events.k8s.io', resource: 'events' }, 'x', 'the namespace ends');
  await events()('mine', aPod(), FAILED);
  expect(faults).toEqual([]);
  answer = new Error('no route');
  await events()('mine', aPod(), FAILED);
  expect(faults).toEqual([answer]);
});
