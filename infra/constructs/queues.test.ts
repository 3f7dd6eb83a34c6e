import { join } from 'node:path';
import { expect, test } from 'vitest';
import { templateOf } from '../testing.ts';

const template = templateOf();
const queues = template.findResources('AWS::SQS::Queue');

const queue = (prefix: string) => {
  const found = Object.entries(queues).find(([id]) => new RegExp(`^Queues${prefix}[0-9A-F]{8}$`).test(id));
  return found?.[1]['Properties'];
};

test('requests are ordered per object, and concurrent across objects', () => {
  expect(queue('Requests')).toMatchObject({
    FifoQueue: true,
    FifoThroughputLimit: 'perMessageGroupId',
    DeduplicationScope: 'messageGroup',
    ContentBasedDeduplication: false,
  });
});

test.each([
  ['Requests', 'QueuesDeadRequests'],
  ['Later', 'QueuesDead'],
])('a lost message of %s ends in %s, which keeps it for a fortnight', (name, dead) => {
  const { RedrivePolicy } = queue(name) ?? {};
  const [, id = ''] = /"Fn::GetAtt":\["(\w+?)[0-9A-F]{8}"/.exec(JSON.stringify(RedrivePolicy)) ?? [];
  expect(id).toBe(dead);
  expect(queue(dead.slice('Queues'.length))).toMatchObject({ MessageRetentionPeriod: 14 * 24 * 3600 });
});

test('an unprocessed message is kept for a fortnight', () => {
  expect(Object.values(queues).map(({ Properties }) => Properties.MessageRetentionPeriod)).toEqual(
    Object.values(queues).map(() => 14 * 24 * 3600),
  );
});

interface Mapping {
  readonly EventSourceArn: unknown;
  readonly FunctionName: unknown;
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly FunctionResponseTypes?: readonly string[];
}

/** The first logical id that a value refers to. */
const referred = (value: unknown): string => /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(value))?.[1] ?? '';

test('a queue hides a message for six times the timeout of its function and the batching window', () => {
  const users = templateOf({ functions: join(import.meta.dirname, '../../test/support/fixtures/functions') });
  const all = users.findResources('AWS::SQS::Queue');
  const functions = users.findResources('AWS::Lambda::Function');
  const mappings = Object.values(users.findResources('AWS::Lambda::EventSourceMapping'))
    .map(({ Properties }) => Properties as Mapping)
    .filter(({ EventSourceArn }) => referred(EventSourceArn) in all);
  const table = mappings.map(({ EventSourceArn, FunctionName, MaximumBatchingWindowInSeconds: window = 0 }) => {
    const timeout: number = functions[referred(FunctionName)]?.['Properties'].Timeout;
    const hidden: unknown = all[referred(EventSourceArn)]?.['Properties'].VisibilityTimeout;
    return [referred(EventSourceArn).replace(/[0-9A-F]{8}$/, ''), { timeout, window, hidden }] as const;
  });
  expect(Object.fromEntries(table)).toEqual({
    QueuesRequests: { timeout: 120, window: 0, hidden: 720 },
    QueuesLater: { timeout: 120, window: 0, hidden: 720 },
    SchedulerRequests: { timeout: 120, window: 2, hidden: 722 },
    ReconcilersitesRequests: { timeout: 140, window: 0, hidden: 840 },
  });
  for (const [, { timeout, window, hidden }] of table) expect(hidden).toBe(6 * timeout + window);
  expect(Object.keys(all).filter((id) => !mappings.some((one) => referred(one.EventSourceArn) === id))).toEqual([
    expect.stringMatching(/^QueuesDead[0-9A-F]{8}$/),
    expect.stringMatching(/^QueuesDeadRequests[0-9A-F]{8}$/),
  ]);
});

test('reconcilers return single messages', () => {
  const mapped = Object.entries(template.findResources('AWS::Lambda::EventSourceMapping')).filter(([id]) =>
    id.startsWith('Reconcilers'),
  );
  expect(mapped.map(([, { Properties }]) => (Properties as Mapping).FunctionResponseTypes)).toEqual([
    ['ReportBatchItemFailures'],
    ['ReportBatchItemFailures'],
  ]);
});

test('functions may trigger each other', () => {
  const functions = Object.values(template.findResources('AWS::Lambda::Function'));
  expect(functions.map(({ Properties }) => Properties.RecursiveLoop)).toEqual(functions.map(() => 'Allow'));
});

/** The maximum concurrency of each function, from its triggers: the limit of a queue, the shard of a stream, or one for a schedule. */
function atOnce(context: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> {
  const of = templateOf(context);
  const triggers = [
    ...Object.values(of.findResources('AWS::Lambda::EventSourceMapping')).map(({ Properties }) => ({
      target: referred(Properties.FunctionName),
      bound: String(Properties.ScalingConfig?.MaximumConcurrency ?? `${Properties.ParallelizationFactor} a shard`),
    })),
    ...Object.values(of.findResources('AWS::Scheduler::Schedule')).map(({ Properties }) => ({
      target: referred(Properties.Target.Arn),
      bound: 'schedule',
    })),
  ];
  const functions = Object.entries(of.findResources('AWS::Lambda::Function')).map(([id, { Properties }]) => {
    const { ReservedConcurrentExecutions: reserved } = Properties;
    const own = triggers.filter(({ target }) => target === id).map(({ bound }) => bound);
    return [
      id.replace(/[0-9A-F]{8}$/, ''),
      reserved === undefined ? own.sort() : [`${reserved} reserved`, ...own],
    ] as const;
  });
  return Object.fromEntries(functions);
}

test('every function has a concurrency limit, so that none starves another', () => {
  expect(atOnce({ functions: join(import.meta.dirname, '../../test/support/fixtures/functions') })).toEqual({
    ApiFunction: ['100 reserved'],
    DoorbellFunction: ['1 a shard', 'schedule'],
    ReconcilersFunction: ['20', '20', 'schedule'],
    SchedulerFunction: ['2', 'schedule'],
    ReconcilersitesFunction: ['5', 'schedule'],
    AggregatedApiquotesFunction: ['20 reserved'],
    WebhooktitlesFunction: [], // only the functions above call it
  });
  expect(atOnce({ frontDoor: 'rest' })).toMatchObject({ ApiFunction: ['100 reserved'] });
});
