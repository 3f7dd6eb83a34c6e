import { expect, test } from 'vitest';
import { backoff, type Next, nextOf, type Outcome } from './attempt.ts';

const persistence = { maxAttempts: 3, random: () => 0 };
const error = new Error('no');

test.each<[string, Outcome, number, Next]>([
  ['success', { result: undefined }, 2, { action: 'done' }],
  ['a requested requeue', { result: { requeueAfter: 7 } }, 2, { action: 'again', after: 7, attempt: 1 }],
  ['a requested requeue at once', { result: { requeueAfter: -1 } }, 1, { action: 'again', after: 0, attempt: 1 }],
  ['a terminal failure', { result: { terminal: 'bad' } }, 1, { action: 'stop', reason: 'bad', last: false }],
  ['the first failure', { error }, 1, { action: 'again', after: 5, attempt: 2 }],
  ['the second failure', { error }, 2, { action: 'again', after: 10, attempt: 3 }],
  ['the last failure', { error }, 3, { action: 'stop', reason: 'no', last: true }],
  ['a thrown value that is not an error', { error: 'why' }, 3, { action: 'stop', reason: 'why', last: true }],
])('decides the next action after %s', (_, outcome, attempt, next) => {
  expect(nextOf(outcome, attempt, persistence)).toEqual(next);
});

test('doubles the backoff, plus up to as much again at random, up to a limit', () => {
  const of = (random: number) =>
    [1, 2, 10, 20, 60].map((attempt) => backoff(attempt, { maxAttempts: 60, random: () => random }));
  expect(of(0)).toEqual([5, 10, 2560, 450_000, 450_000]);
  expect(of(1)).toEqual([10, 20, 5120, 900_000, 900_000]);
});
