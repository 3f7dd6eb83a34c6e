import type { CloudWatchMetric } from './external-metric.ts';

/** The metrics that autoscalers can use. Replace them with your own. */
export const METRICS: readonly CloudWatchMetric[] = [
  {
    name: 'queue-length',
    namespace: 'AWS/SQS',
    metricName: 'ApproximateNumberOfMessagesVisible',
    statistic: 'Maximum',
    period: 60,
    series: ['orders', 'mails'].map((queue) => ({ dimensions: { QueueName: queue }, labels: { queue } })),
  },
  {
    name: 'page-views',
    namespace: 'Shop',
    metricName: 'PageViews',
    statistic: 'Sum',
    period: 60,
    series: [{ dimensions: { Site: 'shop.example.com' } }],
  },
];
