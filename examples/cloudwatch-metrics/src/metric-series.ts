import type {
  GetMetricDataCommandInput,
  GetMetricDataCommandOutput,
  MetricDataResult,
} from '@aws-sdk/client-cloudwatch';
import type { ObjectList, ResourceStorage } from '@davit-dev/davit/aggregated';
import type { CloudWatchMetric, ExternalMetricValue } from './external-metric.ts';
import { requestsOf, valuesOf } from './metric-data.ts';

/** The clock and the CloudWatch client. */
export interface MetricPorts {
  /** Milliseconds since 1970. */
  now(): number;
  getMetricData(
    input: GetMetricDataCommandInput,
  ): Promise<Pick<GetMetricDataCommandOutput, 'MetricDataResults' | 'NextToken'>>;
}

/** The series of one metric. The result is cached for one period and shared by all callers. A failure is not cached. */
export class MetricSeries implements ResourceStorage<ExternalMetricValue> {
  readonly #metric: CloudWatchMetric;
  readonly #ports: MetricPorts;
  #answer: { readonly until: number; readonly values: Promise<ExternalMetricValue[]> } | undefined;

  constructor(metric: CloudWatchMetric, ports: MetricPorts) {
    this.#metric = metric;
    this.#ports = ports;
  }

  async list(): Promise<ObjectList<ExternalMetricValue>> {
    const now = this.#ports.now();
    if (this.#answer === undefined || now >= this.#answer.until)
      this.#answer = { until: now + this.#metric.period * 1000, values: this.#ask(now) };
    const answer = this.#answer;
    try {
      return { items: await answer.values, resourceVersion: '' };
    } catch (error) {
      if (this.#answer === answer) this.#answer = undefined;
      throw error;
    }
  }

  async #ask(now: number): Promise<ExternalMetricValue[]> {
    const results: MetricDataResult[] = [];
    for (const request of requestsOf(this.#metric, now)) {
      let token: string | undefined;
      do {
        const page = await this.#ports.getMetricData(token === undefined ? request : { ...request, NextToken: token });
        results.push(...(page.MetricDataResults ?? []));
        token = page.NextToken;
      } while (token !== undefined);
    }
    return valuesOf(this.#metric, results);
  }
}
