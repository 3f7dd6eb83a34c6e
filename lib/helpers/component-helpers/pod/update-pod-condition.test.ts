import { expect, test } from 'vitest';
import type { PodCondition } from '#lib/api/types/core.v1.ts';
import { updatePodCondition } from './update-pod-condition.ts';

const THEN = '2026-01-01T00:00:00Z';
const NOW = new Date('2026-01-02T00:00:00Z');
const condition = (type: string, status: string, more: Partial<PodCondition> = {}): PodCondition => ({
  type,
  status,
  lastProbeTime: null,
  lastTransitionTime: THEN,
  ...more,
});
const held = [
  condition('Initialized', 'True'),
  condition('PodScheduled', 'False', { reason: 'Unschedulable', message: 'no nodes', observedGeneration: 2 }),
  condition('Ready', 'False', { lastProbeTime: THEN }),
];
const at = '2026-01-02T00:00:00Z';

test.each<[string, Parameters<typeof updatePodCondition>[1], number, PodCondition]>([
  ['adds a new one', { type: 'A', status: 'True' }, 3, condition('A', 'True', { lastTransitionTime: at })],
  [
    'keeps neither reason nor message of the one that it replaces',
    { type: 'PodScheduled', status: 'True' },
    1,
    condition('PodScheduled', 'True', { lastTransitionTime: at }),
  ],
  [
    'keeps the transition time for the same status',
    { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' },
    1,
    condition('PodScheduled', 'False', { reason: 'SchedulingGated' }),
  ],
  ['removes the probe time', { type: 'Ready', status: 'False' }, 2, condition('Ready', 'False')],
])('a call of updatePodCondition %s', (_, update, place, expected) => {
  const conditions = updatePodCondition(held, update, NOW);
  expect(conditions).toEqual(held[place] === undefined ? [...held, expected] : held.with(place, expected));
});

test('returns the same list if nothing but the generation differs', () => {
  const same = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no nodes' };
  expect(updatePodCondition(held, { ...same, observedGeneration: 3 }, NOW)).toBe(held);
});
