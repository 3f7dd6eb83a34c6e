import { Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { partitions } from '#adapters/dynamodb/layout.ts';
import { templateOf } from '../testing.ts';

const template = templateOf();

test('one commit is one invocation: the stream rings for new entries of logs alone, one batch after the other', () => {
  const mappings = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
  const [ofStream, ...others] = mappings.filter(({ Properties }) => 'StartingPosition' in Properties);
  expect(others).toEqual([]);
  expect(ofStream?.['Properties']).toMatchObject({
    StartingPosition: 'TRIM_HORIZON',
    ParallelizationFactor: 1,
    FilterCriteria: {
      Filters: [{ Pattern: '{"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"log/"}]}}}}' }],
    },
  });
});

test('no other item of the table has a key that rings', () => {
  const { log, state, marks, stateChunks, logChunks } = partitions('main/pods');
  const ringing = [log, state, marks, stateChunks('a'), logChunks('n')].filter((key) => key.startsWith('log/'));
  expect(ringing).toEqual([log]);
});

test('an hourly schedule delivers undelivered changes', () => {
  template.hasResourceProperties('AWS::Scheduler::Schedule', {
    ScheduleExpression: 'rate(1 hour)',
    State: 'ENABLED',
    Target: { Input: '{"schedule":"hourly"}', RetryPolicy: { MaximumRetryAttempts: 2 } },
  });
});

test.each([
  ['nothing besides the default', {}, Match.absent()],
  ['leases', { publish: 'leases' }, 'leases'],
])('publishes %s', (_, context, expected) => {
  templateOf(context).hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: { DAVIT_BUS: Match.anyValue(), DAVIT_PUBLISH: expected } },
  });
});
