import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { defineAggregatedApi, defineAggregatedResource } from '@davit-dev/davit/aggregated';
import type { ExternalMetricValue } from './src/external-metric.ts';
import { MetricSeries } from './src/metric-series.ts';
import { METRICS } from './src/metrics.ts';

/** Time-out in milliseconds. An autoscaler retries after 15 seconds. */
const TIMEOUT = 10_000;
const client = new CloudWatchClient({ maxAttempts: 3 });
const ports = {
  now: () => Date.now(),
  getMetricData: (input: ConstructorParameters<typeof GetMetricDataCommand>[0]) =>
    client.send(new GetMetricDataCommand(input), { abortSignal: AbortSignal.timeout(TIMEOUT) }),
};

/** The metrics in METRICS, as external metrics for autoscalers. */
export const cloudWatchMetrics = defineAggregatedApi({
  name: 'cloudwatch-metrics',
  group: 'external.metrics.k8s.io',
  version: 'v1beta1',
  resources: METRICS.map((metric) =>
    defineAggregatedResource<ExternalMetricValue>({
      name: metric.name,
      kind: 'ExternalMetricValue',
      storage: new MetricSeries(metric, ports),
      hasAge: false,
      columns: [
        { name: 'Labels', type: 'string', value: ({ metricLabels }) => labelsText(metricLabels) },
        { name: 'Value', type: 'string', value: ({ value }) => value },
        { name: 'Timestamp', type: 'string', value: ({ timestamp }) => timestamp },
      ],
    }),
  ),
});

const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
