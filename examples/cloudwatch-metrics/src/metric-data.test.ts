import { expect, test } from 'vitest';
import type { CloudWatchMetric } from './external-metric.ts';
import { quantity, requestsOf, valuesOf } from './metric-data.ts';

const NOW = Date.parse('2026-11-28T12:00:30.500Z');
const metric = (series: CloudWatchMetric['series'], period = 60): CloudWatchMetric => ({
  name: 'queue-length',
  namespace: 'AWS/SQS',
  metricName: 'ApproximateNumberOfMessagesVisible',
  statistic: 'Maximum',
  period,
  series,
});
const QUEUES = metric([
  { dimensions: { QueueName: 'orders' }, labels: { queue: 'orders' } },
  { dimensions: { QueueName: 'mails' } },
]);
const at = (...times: readonly string[]): Date[] => times.map((time) => new Date(`2026-11-28T${time}Z`));

test('one request reads all series, up to the end of the last period', () => {
  const [request, ...others] = requestsOf(QUEUES, NOW);
  expect(others).toEqual([]);
  expect(request).toMatchObject({ StartTime: at('11:55:00')[0], EndTime: at('12:00:00')[0] });
  expect(request?.MetricDataQueries).toHaveLength(2);
  expect(request?.MetricDataQueries?.[1]).toEqual({
    Id: 's1',
    MetricStat: {
      Metric: {
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: 'mails' }],
      },
      Period: 60,
      Stat: 'Maximum',
    },
  });
});

test.each([
  [10, '11:55:30', '12:00:30'],
  [300, '11:35:00', '12:00:00'],
])('requests a period of %i s from %s to %s', (period, from, to) => {
  expect(requestsOf(metric([{ dimensions: {} }], period), NOW)).toMatchObject([
    { StartTime: at(from)[0], EndTime: at(to)[0] },
  ]);
});

test('a request has at most 500 series', () => {
  const many = metric(Array.from({ length: 1001 }, (_, index) => ({ dimensions: { QueueName: `q${index}` } })));
  const queries = requestsOf(many, NOW).map(({ MetricDataQueries: all = [] }) => all);
  expect(queries.map((all) => all.length)).toEqual([500, 500, 1]);
  expect(new Set(queries.flat().map(({ Id }) => Id)).size).toBe(1001);
});

test('the value is the newest point, in any order of the points', () => {
  const values = valuesOf(QUEUES, [
    { Id: 's1', StatusCode: 'Complete', Timestamps: at('11:58:00', '11:59:00'), Values: [1, 2.5] },
    { Id: 's0', StatusCode: 'Complete', Timestamps: at('11:57:00', '11:56:00'), Values: [7, 8] },
  ]);
  expect(values).toEqual([
    {
      apiVersion: 'external.metrics.k8s.io/v1beta1',
      kind: 'ExternalMetricValue',
      metadata: { labels: { queue: 'orders' } },
      metricName: 'queue-length',
      metricLabels: { queue: 'orders' },
      timestamp: '2026-11-28T11:57:00Z',
      windowSeconds: 60,
      value: '7',
    },
    expect.objectContaining({ metricLabels: {}, timestamp: '2026-11-28T11:59:00Z', value: '2500m' }),
  ]);
});

test('a series without points has no value', () => {
  expect(valuesOf(QUEUES, [{ Id: 's0', StatusCode: 'Complete', Timestamps: [], Values: [] }])).toEqual([]);
});

test('throws for a series that CloudWatch may not read', () => {
  const Messages = [{ Code: 'Forbidden', Value: 'not your account' }];
  expect(() => valuesOf(QUEUES, [{ Id: 's1', StatusCode: 'Forbidden', Messages }])).toThrow(
    'CloudWatch: Forbidden: not your account',
  );
});

test.each([
  [0, '0'],
  [-0.0004, '0'],
  [30, '30'],
  [1.5, '1500m'],
  [0.0019, '1m'],
  [-2.25, '-2250m'],
  [1e18, '1000000000000000000'],
])('formats %d as the quantity %s', (value, text) => {
  expect(quantity(value)).toBe(text);
});
