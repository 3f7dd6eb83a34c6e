import { Duration } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Context } from '../context.ts';
import { NEAR_TIMEOUT } from './failures.ts';

const period = Duration.minutes(5);

/** Alarms on the errors, throttles and duration of one function: `alarms=full`. The alarms cost 30 cents a month. */
export function alarmOn(lambda: Lambda, timeout: Duration, { alarmTopic }: Context): void {
  const topic = alarmTopic === undefined ? undefined : Topic.fromTopicArn(lambda, 'AlarmTopic', alarmTopic);
  const near = timeout.toMilliseconds() * NEAR_TIMEOUT;
  const often = { evaluationPeriods: 12, datapointsToAlarm: 3 };
  const all = [
    ['Errors', lambda.metricErrors({ period }), { threshold: 0, ...often }, 'failed invocations', 'Failures'],
    [
      'Long',
      lambda.metricDuration({ period, statistic: Stats.p(99) }),
      { threshold: near, ...often },
      'ms',
      'Failures',
    ],
    ['Throttled', lambda.metricThrottles({ period }), { threshold: 5, evaluationPeriods: 3 }, 'throttles', 'Throttles'],
  ] as const;
  for (const [id, metric, limits, what, section] of all) {
    const alarm: Alarm = metric.createAlarm(lambda, id, {
      ...limits,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `Davit: ${what} of ${lambda.node.path}. What to do: docs/runbook.md, ${section}`,
    });
    if (topic !== undefined) alarm.addAlarmAction(new SnsAction(topic));
  }
}
