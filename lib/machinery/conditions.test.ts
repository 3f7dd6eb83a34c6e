import { expect, test } from 'vitest';
import { type Condition, isConditionTrue, setCondition } from './conditions.ts';

const up = { type: 'Up', status: 'True', reason: 'Ok', message: '' } as const;
const NOW = Date.UTC(2026, 10, 21);
const LATER = NOW + 60_000;
const at = '2026-11-21T00:00:00Z';

test.each<[string, readonly Condition[], Omit<Condition, 'lastTransitionTime'>, readonly Condition[]]>([
  ['the first of a list', [], up, [{ ...up, lastTransitionTime: '2026-11-21T00:01:00Z' }]],
  [
    'a new status',
    [{ ...up, lastTransitionTime: at }],
    { ...up, status: 'False' },
    [{ ...up, status: 'False', lastTransitionTime: '2026-11-21T00:01:00Z' }],
  ],
  [
    'a new message with an unchanged transition time',
    [{ ...up, lastTransitionTime: at }],
    { ...up, message: 'now' },
    [{ ...up, message: 'now', lastTransitionTime: at }],
  ],
])('sets a condition: %s', (_, before, condition, after) => {
  expect(setCondition(before, condition, LATER)).toEqual(after);
});

test('returns the same list if it has the condition', () => {
  const before = setCondition([], up, NOW);
  expect(setCondition(before, up, LATER)).toBe(before);
  expect(isConditionTrue(before, 'Up')).toBe(true);
  expect(isConditionTrue(undefined, 'Up')).toBe(false);
});

test('accepts conditions of kinds that require fewer fields', () => {
  const stored: readonly { readonly type: string; readonly status: 'True' | 'False'; readonly reason?: string }[] = [
    { type: 'Old', status: 'True' },
  ];
  const next = setCondition(stored, { type: 'Ready', status: 'True', reason: 'Done', message: '' }, 0);
  expect(next.map(({ type }) => type)).toEqual(['Old', 'Ready']);
});
