import { expect, test } from 'vitest';
import { rangesText } from '#lib/controllers/node-ipam/ranges.ts';
import { configOf } from './config.ts';

const ENV = {
  DAVIT_ENDPOINT: 'https://api.example.com',
  DAVIT_QUEUE_URL: 'https://sqs.example.com/1/work.fifo',
  DAVIT_LATER_QUEUE_URL: 'https://sqs.example.com/1/later',
  DAVIT_DLQ_URL: 'https://sqs.example.com/1/dead',
};

test('sets all defaults', () => {
  expect(configOf(ENV)).toEqual({
    endpoint: 'https://api.example.com',
    asksAggregated: true,
    queueUrl: 'https://sqs.example.com/1/work.fifo',
    laterQueueUrl: 'https://sqs.example.com/1/later',
    deadLetterQueueUrl: 'https://sqs.example.com/1/dead',
    schedules: undefined,
    controllers: ['*'],
    nodeMonitorGracePeriod: undefined,
    nodeRanges: undefined,
    functions: 'functions.json',
    clientAuthority: 'client-ca.pem',
  });
});

test('requires both queue and role for schedules', () => {
  const queue = { DAVIT_LATER_QUEUE_ARN: 'arn:aws:sqs:eu-west-1:1:later' };
  expect(configOf({ ...ENV, ...queue }).schedules).toBeUndefined();
  const { schedules } = configOf({ ...ENV, ...queue, DAVIT_SCHEDULE_ROLE: 'arn:aws:iam::1:role/x' });
  expect(schedules).toEqual({ queueArn: 'arn:aws:sqs:eu-west-1:1:later', roleArn: 'arn:aws:iam::1:role/x' });
  const inGroup = { ...ENV, ...queue, DAVIT_SCHEDULE_ROLE: 'arn:aws:iam::1:role/x', DAVIT_SCHEDULE_GROUP: 'davit' };
  expect(configOf(inGroup).schedules).toEqual({ ...schedules, group: 'davit' });
});

test('reads the ranges of nodes as the deployment writes them', () => {
  const text = '10.244.0.0/16=24,fd00::/48=64';
  const { nodeRanges = [] } = configOf({ ...ENV, DAVIT_NODE_RANGES: text });
  expect(nodeRanges.map(({ length }) => length)).toEqual([24, 64]);
  expect(rangesText(nodeRanges)).toBe(text);
});

test.each([
  [
    'ranges that are none',
    { DAVIT_NODE_RANGES: '10.244.0.0/16,x=24' },
    /^DAVIT_NODE_RANGES: must be networks with their masks/,
  ],
  [
    'a grace period of nothing',
    { DAVIT_NODE_MONITOR_GRACE_PERIOD: '0s' },
    /^DAVIT_NODE_MONITOR_GRACE_PERIOD: must be a duration above zero, such as 50s/,
  ],
  ['no queue', { DAVIT_QUEUE_URL: undefined }, /^DAVIT_QUEUE_URL: /],
  ['an endpoint without TLS', { DAVIT_ENDPOINT: 'http://x' }, /^DAVIT_ENDPOINT: /],
  ['a controller that is not there', { DAVIT_CONTROLLERS: '*,-x' }, /^DAVIT_CONTROLLERS: "x" is not in the list/],
])('reports %s in one clear line', (_, wrong, line) => {
  expect(() => configOf({ ...ENV, ...wrong })).toThrow(line);
});
