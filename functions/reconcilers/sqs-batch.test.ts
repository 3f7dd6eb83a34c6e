import { expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { answerOf, deliveriesOf, invocationPorts } from './sqs-batch.ts';

test('work ends before its invocation does', () => {
  const before = systemClock.monotonic();
  const { deadline } = invocationPorts({ getRemainingTimeInMillis: () => 60_000 }, 5000);
  expect(deadline).toBeGreaterThanOrEqual(before + 55_000);
  expect(deadline).toBeLessThanOrEqual(systemClock.monotonic() + 55_000);
});

test('a delivery is known by the id of its message', () => {
  const record = {
    messageId: 'm1',
    receiptHandle: 'r',
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
  };
  expect(deliveriesOf({ Records: [record] })).toEqual([{ id: 'm1', body: '{}' }]);
});

test('returned messages are delivered again', () => {
  expect(answerOf(['m1', 'm2'])).toEqual({
    batchItemFailures: [{ itemIdentifier: 'm1' }, { itemIdentifier: 'm2' }],
  });
  expect(answerOf([])).toEqual({ batchItemFailures: [] });
});
