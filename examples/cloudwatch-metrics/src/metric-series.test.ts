import { expect, test } from 'vitest';
import { type MetricPorts, MetricSeries } from './metric-series.ts';

const METRIC = {
  name: 'queue-length',
  namespace: 'AWS/SQS',
  metricName: 'ApproximateNumberOfMessagesVisible',
  statistic: 'Maximum',
  period: 60,
  series: [{ dimensions: { QueueName: 'orders' } }, { dimensions: { QueueName: 'mails' } }],
};
const point = (id: string, value: number) => ({ Id: id, Timestamps: [new Date(0)], Values: [value] });

/** The series on a clock that the test sets, and the page tokens of the requests. */
function series(answer: MetricPorts['getMetricData']) {
  const tokens: (string | undefined)[] = [];
  const clock = { now: 0 };
  const made = new MetricSeries(METRIC, {
    now: () => clock.now,
    getMetricData: (input) => {
      tokens.push(input.NextToken);
      return answer(input);
    },
  });
  return { clock, tokens, values: async () => (await made.list()).items.map(({ value }) => value) };
}

test('sends one request per period to CloudWatch, regardless of the number of readers', async () => {
  let value = 1;
  const { clock, tokens, values } = series(async () => ({ MetricDataResults: [point('s0', value++)] }));
  expect(await Promise.all([values(), values(), values()])).toEqual([['1'], ['1'], ['1']]);
  clock.now = 59_999;
  expect(await values()).toEqual(['1']);
  expect(tokens).toHaveLength(1);
  clock.now = 60_000;
  expect(await values()).toEqual(['2']);
  expect(tokens).toHaveLength(2);
});

test('reads all pages of a response', async () => {
  const { tokens, values } = series(async ({ NextToken: token }) =>
    token === undefined
      ? { MetricDataResults: [point('s0', 1)], NextToken: 'more' }
      : { MetricDataResults: [point('s1', 2)] },
  );
  expect(await values()).toEqual(['1', '2']);
  expect(tokens).toEqual([undefined, 'more']);
});

test('reports a failure to all waiting readers, and does not cache it', async () => {
  let isThrottled = true;
  const { tokens, values } = series(async () => {
    if (isThrottled) throw new Error('Throttling');
    return { MetricDataResults: [point('s0', 3)] };
  });
  const both = await Promise.allSettled([values(), values()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isThrottled = false;
  expect(await values()).toEqual(['3']);
  expect(tokens).toHaveLength(2);
});
