import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { CURSOR_PREFIX, partitions, position, WATERMARK } from '#adapters/aws/dynamodb/layout.ts';
import { parseDeclaration } from '#lib/client/controller/declaration.ts';
import { EPOCH } from '#lib/storage/sequence.ts';
import { aStack } from '../synthesized.ts';
import { templateOf } from '../testing.ts';

const template = templateOf();

const mappingOfStream = (of: Template) => {
  const mappings = Object.values(of.findResources('AWS::Lambda::EventSourceMapping'));
  const [mapping, ...others] = mappings.filter(({ Properties }) => 'StartingPosition' in Properties);
  expect(others).toEqual([]);
  return mapping?.['Properties'];
};
const patternsOf = (of: Template): unknown[] =>
  mappingOfStream(of).FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern));

const ALL = { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'log/' }] } } } };
const BUT_LEASES = {
  eventName: ['INSERT'],
  dynamodb: {
    Keys: {
      pk: { S: [{ 'anything-but': ['log/main/coordination.k8s.io/leases'] }] },
      sk: { S: [{ prefix: '0' }] },
    },
  },
};

test('the stream triggers one batch after another', () => {
  expect(mappingOfStream(template)).toMatchObject({ StartingPosition: 'TRIM_HORIZON', ParallelizationFactor: 1 });
});

test('stores a batch that is given up as a dead letter', () => {
  const [dead] = Object.keys(template.findResources('AWS::SQS::Queue')).filter((id) =>
    /^QueuesDead[0-9A-F]{8}$/.test(id),
  );
  expect(mappingOfStream(template)).toMatchObject({
    BisectBatchOnFunctionError: false,
    MaximumRetryAttempts: 5,
    MaximumRecordAgeInSeconds: 3600,
    DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [dead, 'Arn'] } } },
  });
});

describe('the stream is triggered by new entries of every log', () => {
  const withReconciler = (over: object): Template => {
    const stack = aStack();
    const own = { apiVersion: 'example.com/v1', kind: 'Site' };
    stack.users.addReconciler(parseDeclaration({ name: 'sites', for: own, ...over }), 'sites.fifo');
    return Template.fromStack(stack);
  };
  const Lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };

  test.each([
    ['but that of Leases', () => template, BUT_LEASES],
    ['but that of Leases, with a reconciler that needs none', () => withReconciler({}), BUT_LEASES],
    ['but that of Leases, where Events are published', () => templateOf({ publish: 'events' }), BUT_LEASES],
    ['where Leases are published', () => templateOf({ publish: 'events,leases' }), ALL],
    ['where Leases are reconciled', () => withReconciler({ for: Lease }), ALL],
    ['where Leases are owned', () => withReconciler({ owns: [Lease] }), ALL],
    ['where Leases are watched', () => withReconciler({ watches: [{ ...Lease, map: { owner: true } }] }), ALL],
  ])('is triggered by every log %s', (_, of, pattern) => {
    expect(patternsOf(of())).toEqual([pattern]);
  });
});

test('no other item of the table has a key that triggers it, except chunks', () => {
  const { log, state, marks, stateChunks, logChunks } = partitions('main/pods');
  const ringing = [log, state, marks, stateChunks('a'), logChunks('n')].filter((key) => key.startsWith('log/'));
  expect(ringing).toEqual([log]);
  const [first, restored] = [position(1), position(900 * EPOCH)];
  const others = ['main/pods/ns/a', WATERMARK, `${CURSOR_PREFIX}events`, 'main/pods', 'events/main/pods/1/d'];
  expect([first, restored, ...others].filter((key) => key.startsWith('0'))).toEqual([first, restored]);
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
])('publishes these resources: %s', (_, context, expected) => {
  templateOf(context).hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: { DAVIT_BUS: Match.anyValue(), DAVIT_PUBLISH: expected } },
  });
});
