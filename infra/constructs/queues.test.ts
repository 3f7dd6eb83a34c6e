import { expect, test } from 'vitest';
import { templateOf } from '../testing.ts';

const template = templateOf();
const queues = template.findResources('AWS::SQS::Queue');

const queue = (prefix: string) => {
  const found = Object.entries(queues).find(([id]) => new RegExp(`^Queues${prefix}[0-9A-F]{8}$`).test(id));
  return found?.[1]['Properties'];
};

test('requests are in order per object, and as many beside each other as there are objects', () => {
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
])('what is lost of %s ends in %s, which keeps it for a fortnight', (name, dead) => {
  const { RedrivePolicy } = queue(name) ?? {};
  const [, id = ''] = /"Fn::GetAtt":\["(\w+?)[0-9A-F]{8}"/.exec(JSON.stringify(RedrivePolicy)) ?? [];
  expect(id).toBe(dead);
  expect(queue(dead.slice('Queues'.length))).toMatchObject({ MessageRetentionPeriod: 14 * 24 * 3600 });
});

test('what nobody works on for days is kept for a fortnight', () => {
  expect(Object.values(queues).map(({ Properties }) => Properties.MessageRetentionPeriod)).toEqual(
    Object.values(queues).map(() => 14 * 24 * 3600),
  );
});

test('a message stays hidden for longer than the function that works on it may last', () => {
  const mapped = Object.entries(template.findResources('AWS::Lambda::EventSourceMapping')).filter(([id]) =>
    id.startsWith('Reconcilers'),
  );
  expect(mapped.map(([, { Properties }]) => Properties.FunctionResponseTypes)).toEqual([
    ['ReportBatchItemFailures'],
    ['ReportBatchItemFailures'],
  ]);
  const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
  const timeout = functions.find(([id]) => id.startsWith('ReconcilersFunction'))?.[1]['Properties'].Timeout;
  for (const name of ['Requests', 'Later']) expect(queue(name)?.VisibilityTimeout).toBeGreaterThan(timeout);
});

test('functions may set each other going', () => {
  const functions = Object.values(template.findResources('AWS::Lambda::Function'));
  expect(functions.map(({ Properties }) => Properties.RecursiveLoop)).toEqual(functions.map(() => 'Allow'));
});
