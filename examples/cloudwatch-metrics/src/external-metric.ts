import type { KubernetesObject } from '@davit-dev/davit/aggregated';

/** A CloudWatch metric, and the name that autoscalers use for it. */
export interface CloudWatchMetric {
  /** A valid path segment: not empty, without slashes and percent signs. */
  readonly name: string;
  readonly namespace: string;
  readonly metricName: string;
  /** `Average`, `Sum`, `Maximum`, `p99` and so on. */
  readonly statistic: string;
  /** The period in seconds: 1, 5, 10, 30, or a multiple of 60. */
  readonly period: number;
  /** An autoscaler adds up the series that match its selector. */
  readonly series: readonly Series[];
}

/** One series: CloudWatch keeps one for each combination of dimensions. */
export interface Series {
  readonly dimensions: Readonly<Record<string, string>>;
  /** Labels that an autoscaler's selector can match. Default none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Upstream's ExternalMetricValue. The labels are also in the metadata, because label selectors match those. */
export interface ExternalMetricValue extends KubernetesObject {
  readonly metricName: string;
  readonly metricLabels: Readonly<Record<string, string>>;
  /** The start of the period. */
  readonly timestamp: string;
  readonly windowSeconds: number;
  /** A quantity in whole units or thousandths. */
  readonly value: string;
}
