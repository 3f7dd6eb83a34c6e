import { expect, test } from 'vitest';
import { aPod } from '../testing/pods.ts';
import { PodResizeConditions } from './resize-conditions.ts';

let now = 0;
const conditions = () => {
  now = Date.parse('2026-01-01T00:00:00Z');
  return new PodResizeConditions({ now: () => now });
};
const later = (): void => void (now += 60_000);
const [T0, T1] = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'];

test('sets a pending resize to Deferred for any failed check, except Infeasible', () => {
  const own = conditions();
  expect(own.setPending('u', { reason: 'OutOfcpu', message: 'no', generation: 2 })).toBe(true);
  expect(own.of('u')).toEqual([
    {
      type: 'PodResizePending',
      status: 'True',
      reason: 'Deferred',
      message: 'no',
      observedGeneration: 2,
      lastProbeTime: T0,
      lastTransitionTime: T0,
    },
  ]);
  later();
  expect(own.setPending('u', { reason: 'OutOfmemory', message: 'still no', generation: 2 })).toBe(false);
  expect(own.pending('u')).toMatchObject({ message: 'still no', lastProbeTime: T1, lastTransitionTime: T0 });
  expect([own.isDeferred('u'), own.isInfeasible('u')]).toEqual([true, false]);
  expect(own.setPending('u', { reason: 'Infeasible', message: 'never', generation: 2 })).toBe(true);
  expect(own.pending('u')).toMatchObject({ reason: 'Infeasible', lastTransitionTime: T1 });
  expect([own.isDeferred('u'), own.isInfeasible('u')]).toEqual([false, true]);
  expect(own.setPending('u', { reason: 'Infeasible', message: 'never', generation: 3 })).toBe(true);
});

test('keeps the generation and error of a resize in progress until it is cleared', () => {
  const own = conditions();
  expect(own.setInProgress('u', { generation: 2 })).toEqual({ generation: 2, isChanged: true });
  expect(own.setInProgress('u', { generation: 3 })).toEqual({ generation: 2, isChanged: false });
  const failure = { reason: 'Error', message: 'too much', generation: 3 };
  expect(own.setInProgress('u', failure)).toEqual({ generation: 2, isChanged: true });
  expect(own.setInProgress('u', failure)).toEqual({ generation: 2, isChanged: false });
  own.setInProgress('u', { generation: 3 });
  expect(own.of('u')).toMatchObject([{ type: 'PodResizeInProgress', reason: 'Error', message: 'too much' }]);
  expect(own.clearInProgress('u')).toBe(2);
  expect(own.clearInProgress('u')).toBeUndefined();
  expect(own.of('u')).toEqual([]);
});

test('restores the conditions from the API after a restart', () => {
  const own = conditions();
  const condition = { status: 'True', lastProbeTime: null, lastTransitionTime: null, observedGeneration: 4 };
  const shown = [
    { ...condition, type: 'PodResizeInProgress' },
    { ...condition, type: 'PodResizePending', reason: 'Deferred', message: 'no room' },
    { ...condition, type: 'Ready' },
  ];
  own.backfill([aPod('a', { status: { conditions: shown } })]);
  expect(own.of('uid-a').map(({ type, reason }) => [type, reason])).toEqual([
    ['PodResizePending', 'Deferred'],
    ['PodResizeInProgress', undefined],
  ]);
  own.clearPending('uid-a');
  expect(own.clearInProgress('uid-a')).toBe(4);
  own.forget('uid-a');
});
