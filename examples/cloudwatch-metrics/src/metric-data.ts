import type { GetMetricDataCommandInput, MetricDataResult } from '@aws-sdk/client-cloudwatch';
import type { CloudWatchMetric, ExternalMetricValue } from './external-metric.ts';

/** The maximum number of queries in one GetMetricData request. */
const QUERIES = 500;
/** How late a point may be: this many periods, but at least this many seconds. Services write their metrics with a delay. */
const PERIODS = 5;
const DELAY = 300;

/**
 * The requests for the series of a metric. They exclude the current period, because its sum is still incomplete. `now` is in milliseconds.
 */
export function requestsOf(metric: CloudWatchMetric, now: number): GetMetricDataCommandInput[] {
  const period = metric.period * 1000;
  const end = Math.floor(now / period) * period;
  const window = {
    StartTime: new Date(end - Math.max(PERIODS * period, DELAY * 1000)),
    EndTime: new Date(end),
    ScanBy: 'TimestampDescending' as const,
  };
  const queries = metric.series.map(({ dimensions }, index) => ({
    Id: idOf(index),
    MetricStat: {
      Metric: {
        Namespace: metric.namespace,
        MetricName: metric.metricName,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: metric.period,
      Stat: metric.statistic,
    },
  }));
  return chunks(queries, QUERIES).map((MetricDataQueries) => ({ ...window, MetricDataQueries }));
}

/** The newest point of each series that has one. Throws if CloudWatch could not read a series. */
export function valuesOf(metric: CloudWatchMetric, results: readonly MetricDataResult[]): ExternalMetricValue[] {
  return metric.series.flatMap(({ labels = {} }, index) => {
    const own = results.filter(({ Id }) => Id === idOf(index));
    for (const { StatusCode, Messages = [] } of own)
      if (StatusCode === 'InternalError' || StatusCode === 'Forbidden')
        throw new Error(`CloudWatch: ${[StatusCode, ...Messages.map(({ Value }) => Value)].join(': ')}`);
    const newest = own.flatMap(pointsOf).reduce(later, undefined);
    return newest === undefined ? [] : [{ ...valueOf(metric, newest), metadata: { labels }, metricLabels: labels }];
  });
}

interface Point {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly value: number;
}

const pointsOf = ({ Timestamps = [], Values = [] }: MetricDataResult): Point[] =>
  Timestamps.flatMap((at, index) => {
    const value = Values[index];
    return value === undefined ? [] : [{ time: at.getTime(), value }];
  });

const later = (found: Point | undefined, point: Point): Point =>
  found === undefined || point.time > found.time ? point : found;

const valueOf = ({ name, period }: CloudWatchMetric, { time, value }: Point) => ({
  apiVersion: 'external.metrics.k8s.io/v1beta1',
  kind: 'ExternalMetricValue',
  metricName: name,
  timestamp: new Date(time).toISOString().replace(/\.\d+Z$/, 'Z'),
  windowSeconds: period,
  value: quantity(value),
});

/** A number as a quantity, truncated to thousandths. */
export function quantity(value: number): string {
  const thousandths = Math.trunc(value * 1000);
  if (!Number.isSafeInteger(thousandths)) return BigInt(Math.trunc(value)).toString();
  return thousandths % 1000 === 0 ? `${thousandths / 1000}` : `${thousandths}m`;
}

const idOf = (index: number): string => `s${index}`;

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
