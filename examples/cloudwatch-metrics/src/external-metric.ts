import type { KubernetesObject } from '@davit-dev/davit/aggregated';

/** A metric of CloudWatch under the name by which autoscalers ask for it. */
export interface CloudWatchMetric {
  /** A segment of a path: neither empty nor with a slash or a percent sign. */
  readonly name: string;
  readonly namespace: string;
  readonly metricName: string;
  /** `Average`, `Sum`, `Maximum`, `p99` and so on. */
  readonly statistic: string;
  /** In seconds: 1, 5, 10, 30, or a multiple of 60. */
  readonly period: number;
  /** An autoscaler adds up those that its selector selects. */
  readonly series: readonly Series[];
}

/** One series: CloudWatch keeps one for each combination of dimensions. */
export interface Series {
  readonly dimensions: Readonly<Record<string, string>>;
  /** By which the selector of an autoscaler selects it. Default none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Upstream's ExternalMetricValue. The labels stand in the metadata too, because selectors select by those. */
export interface ExternalMetricValue extends KubernetesObject {
  readonly metricName: string;
  readonly metricLabels: Readonly<Record<string, string>>;
  /** The beginning of the period. */
  readonly timestamp: string;
  readonly windowSeconds: number;
  /** A quantity in whole numbers or thousandths. */
  readonly value: string;
}
