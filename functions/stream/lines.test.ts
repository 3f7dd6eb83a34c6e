import { expect, test } from 'vitest';
import { StoreError } from '#lib/storage/errors.ts';
import type { DeadLetter } from '#lib/stream/dead-letters.ts';
import { linesOf, loggedDeadLetters } from './lines.ts';

const NOW = 1_700_000_000_000;

test('writes no metric if no lag remains, because a metric is billed', () => {
  expect(linesOf({ lag: 0, faults: [], delivered: [] }, 'doorbell', NOW)).toEqual([]);
});

test('logs the number of changes that each queue received', () => {
  const delivered = [{ sequence: 'main//pods', consumer: 'events', from: 3, to: 5 }];
  const [line] = linesOf({ lag: 0, faults: [], delivered }, 'doorbell', NOW);
  expect(line).toEqual({
    level: 'info',
    message: 'delivered',
    sequence: 'main//pods',
    consumer: 'events',
    from: 3,
    to: 5,
  });
});

test('logs an undelivered sequence, and a fault with its cause', () => {
  const error = new StoreError('Unavailable', 'the bus did not answer', { cause: new Error('connect ECONNREFUSED') });
  const outcome = { lag: 7, furthest: 'main//pods', faults: [{ sequence: 'main//pods', error }], delivered: [] };
  const [metric, ...told] = linesOf(outcome, 'doorbell', NOW);
  expect(metric).toMatchObject({ _aws: { Timestamp: NOW }, FunctionName: 'doorbell', Lag: 7 });
  expect(told).toMatchObject([
    { level: 'error', sequence: 'main//pods', lag: 7 },
    {
      level: 'error',
      sequence: 'main//pods',
      message: expect.stringContaining('the bus did not answer'),
      cause: 'Error: connect ECONNREFUSED',
    },
  ]);
});

test('counts nodes that could not be notified, and raises no alarm', () => {
  const outcome = { lag: 0, faults: [], delivered: [] };
  expect(linesOf({ ...outcome, rung: { rung: 0, faults: 0 } }, 'doorbell', NOW)).toEqual([]);
  const rung = { rung: 3, faults: 2, fault: new Error('gone') };
  expect(linesOf({ ...outcome, rung }, 'doorbell', NOW)).toEqual([
    { level: 'info', message: 'rang nodes', rung: 3 },
    expect.objectContaining({ FunctionName: 'doorbell', RingFaults: 2 }),
    { level: 'warn', message: 'rings are lost: Error: gone', faults: 2 },
  ]);
});

test('stores and logs a dead letter', async () => {
  const done: unknown[] = [];
  const kept = {
    put: async (deadLetter: DeadLetter) => void done.push(deadLetter.version),
    all: async function* () {},
    remove: async () => undefined,
  };
  const deadLetters = loggedDeadLetters(kept, (line) => void done.push(line));
  const deadLetter = { consumer: 'events', sequence: 'main//pods', version: 3, key: 'main//pods/ns/a', at: NOW };
  await deadLetters.put({ ...deadLetter, reason: 'too large', entry: '{"secret":1}' });
  const { at: _, ...rest } = deadLetter;
  expect(done).toEqual([3, { level: 'error', message: 'given up: too large', ...rest }]);
});
