import { describe, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { answerOf, deliveriesOf, invocationPorts, whileHidden } from './sqs-batch.ts';

const aRecord = (messageId: string) => ({
  messageId,
  receiptHandle: `receipt of ${messageId}`,
  body: '{}',
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn',
  awsRegion: 'local',
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    SenderId: 's',
    ApproximateFirstReceiveTimestamp: '0',
  },
});

test('ends its work before the invocation ends', () => {
  const before = systemClock.monotonic();
  const { deadline } = invocationPorts({ getRemainingTimeInMillis: () => 60_000 }, 5000);
  expect(deadline).toBeGreaterThanOrEqual(before + 55_000);
  expect(deadline).toBeLessThanOrEqual(systemClock.monotonic() + 55_000);
});

test('recognizes a delivery by the id of its message', () => {
  expect(deliveriesOf({ Records: [aRecord('m1')] })).toEqual([{ id: 'm1', body: '{}' }]);
});

test('returned messages are delivered again', () => {
  expect(answerOf(['m1', 'm2'])).toEqual({
    batchItemFailures: [{ itemIdentifier: 'm1' }, { itemIdentifier: 'm2' }],
  });
  expect(answerOf([])).toEqual({ batchItemFailures: [] });
});

describe('the messages of a batch', () => {
  const event = { Records: [aRecord('m1'), aRecord('m2')] };
  const context = { getRemainingTimeInMillis: () => 60_000 };
  const ALL = ['receipt of m1', 'receipt of m2'];

  test.each([
    ['are hidden until the invocation must have ended', [], [['url', ALL, 65_000]]],
    [
      'come again in half a minute if they are returned',
      ['m2'],
      [
        ['url', ALL, 65_000],
        ['url', ['receipt of m2'], 30_000],
      ],
    ],
  ])('the messages of a batch %s', async (_, returned, expected) => {
    const calls: unknown[] = [];
    const hide = async (...call: unknown[]): Promise<void> => void calls.push(call);
    const onFault = (error: unknown): void => void calls.push(error);
    const answer = await whileHidden(event, { queueUrl: 'url', context, hide, onFault }, async () => {
      expect(calls).toEqual(expected.slice(0, 1));
      return returned;
    });
    expect(answer).toEqual(answerOf(returned));
    expect(calls).toEqual(expected);
  });

  test('are processed even if their queue does not respond', async () => {
    const faults: unknown[] = [];
    const hide = (): Promise<never> => Promise.reject(new Error('out'));
    const onFault = (error: unknown): void => void faults.push(error);
    const answer = await whileHidden(event, { queueUrl: 'url', context, hide, onFault }, async () => ['m1']);
    expect(answer).toEqual(answerOf(['m1']));
    expect(faults).toHaveLength(2);
  });
});
