import { Duration, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** An invocation counts as failed after this fraction of its timeout. A watch ends earlier, after 840 of 900 s. */
export const NEAR_TIMEOUT = 0.95;

const FAILURES = 'Failures';

/** The log of one function, and the maximum duration of its invocations. */
export interface Watched {
  readonly logGroup: LogGroup;
  readonly timeout: Duration;
}

/**
 * Counts invocations that failed, ran out of time or memory, or came near the time-out, based on the platform's log lines. All functions of
 * a stack share one metric, which is free in a month without failures. Separate alarms would cost 30 cents per function.
 */
export function countFailures(scope: Construct, id: string, { logGroup, timeout }: Watched): void {
  const longest = Math.floor(timeout.toMilliseconds() * NEAR_TIMEOUT);
  const report = '$.type = "platform.report"';
  const failed = '$.record.status != "success"';
  const long = `$.record.metrics.durationMs > ${longest}`;
  new MetricFilter(scope, id, {
    logGroup,
    filterPattern: FilterPattern.literal(`{ ${report} && (${failed} || ${long}) }`),
    metricNamespace: namespaceOf(scope),
    metricName: FAILURES,
    metricValue: '1',
  });
}

/** The sum of all counts of `countFailures` in a stack. */
export const failures = (scope: Construct): Metric =>
  new Metric({
    namespace: namespaceOf(scope),
    metricName: FAILURES,
    statistic: 'Sum',
    period: Duration.minutes(5),
  });

/** The namespace contains the stack's name, because the metric of a log filter accepts no constant dimension. */
const namespaceOf = (scope: Construct): string => `Davit/${Stack.of(scope).stackName}`;
