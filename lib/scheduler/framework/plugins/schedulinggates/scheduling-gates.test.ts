import { expect, test } from 'vitest';
import { isQueuedOn } from '#lib/scheduler/testing/extension-points.ts';
import { aPod, aPodInfo } from '#lib/scheduler/testing/wrappers.ts';
import { schedulingGates } from './scheduling-gates.ts';

test('keeps a pod out of the queue while it has gates', () => {
  const gated = aPodInfo({ spec: { schedulingGates: [{ name: 'foo' }, { name: 'bar' }] } });
  expect(schedulingGates().preEnqueue?.(aPodInfo())).toBeUndefined();
  expect(schedulingGates().preEnqueue?.(gated)).toEqual({
    code: 'UnschedulableAndUnresolvable',
    reasons: ['waiting for scheduling gates: [foo bar]'],
  });
});

test('retries a pod when its own gates are removed', () => {
  const [own, other] = [aPod(), aPod({ name: 'other' })];
  const event = ['Pod', 'UpdatePodSchedulingGatesEliminated'] as const;
  expect(isQueuedOn(schedulingGates(), event, own, { before: own, after: own })).toBe(true);
  expect(isQueuedOn(schedulingGates(), event, own, { before: other, after: other })).toBe(false);
});
