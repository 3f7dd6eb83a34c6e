import { expect, test } from 'vitest';
import { backoff, type Next, nextOf, type Outcome } from './attempt.ts';

const persistence = { maxAttempts: 3, random: () => 0 };
const error = new Error('no');

test.each<[string, Outcome, number, Next]>([
  ['done', { result: undefined }, 2, { action: 'done' }],
  ['to be looked at again', { result: { requeueAfter: 7 } }, 2, { action: 'again', after: 7, attempt: 1 }],
  ['at once', { result: { requeueAfter: -1 } }, 1, { action: 'again', after: 0, attempt: 1 }],
  ['terminal', { result: { terminal: 'bad' } }, 1, { action: 'stop', reason: 'bad', last: false }],
  ['first failure', { error }, 1, { action: 'again', after: 5, attempt: 2 }],
  ['second failure', { error }, 2, { action: 'again', after: 10, attempt: 3 }],
  ['last failure', { error }, 3, { action: 'stop', reason: 'no', last: true }],
  ['a failure that is no error', { error: 'why' }, 3, { action: 'stop', reason: 'why', last: true }],
])('%s', (_, outcome, attempt, next) => {
  expect(nextOf(outcome, attempt, persistence)).toEqual(next);
});

test('doubles the backoff up to a limit, less up to half by chance', () => {
  const of = (random: number) =>
    [1, 2, 10, 20, 60].map((attempt) => backoff(attempt, { maxAttempts: 60, random: () => random }));
  expect(of(0)).toEqual([5, 10, 2560, 900_000, 900_000]);
  expect(of(1)).toEqual([2.5, 5, 1280, 450_000, 450_000]);
});
