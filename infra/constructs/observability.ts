import { Annotations, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Context } from '../context.ts';
import { failures } from './failures.ts';
import type { Door } from './front-door/door.ts';
import type { PlatformFunction } from './platform-function.ts';
import type { Queues } from './queues.ts';
import type { Store } from './store.ts';

/** The parts of the stack to observe. */
export interface ObservabilityProps {
  readonly context: Context;
  readonly api: Pick<Door, 'faults' | 'throttles'>;
  readonly doorbell: PlatformFunction;
  readonly queues: Queues;
  readonly store: Pick<Store, 'table'>;
}

/** A metric with an alarm. */
interface Watched {
  readonly metric: IMetric;
  readonly threshold: number;
  /** The number of periods that must exceed the threshold. */
  readonly periods: number;
  /** The number of periods to evaluate. Default `periods`. */
  readonly among?: number;
  readonly what: string;
}

const MINUTES = 60_000;
/** Throttled requests to the table in 5 minutes: one every 5 seconds. */
const THROTTLED = 60;
const SILENT = 'alarms tell nobody: -c alarmTopic=ARN names the SNS topic to tell, -c alarms=false makes no alarms';

/** Alarms on faults that would otherwise go unnoticed. Each alarm metric costs 10 cents a month, and the dashboard costs 3 dollars. */
export class Observability extends Construct {
  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);
    const watched = watchedOf(props);
    const { alarms, dashboard } = props.context;
    if (alarms !== false) this.#alarms(watched, props.context);
    if (dashboard) this.#dashboard(watched);
  }

  #alarms(watched: Readonly<Record<string, Watched>>, { alarmTopic }: Context): void {
    if (alarmTopic === undefined) Annotations.of(this).addInfo(SILENT);
    const topic = alarmTopic === undefined ? undefined : Topic.fromTopicArn(this, 'Topic', alarmTopic);
    for (const [name, { metric, threshold, periods, among = periods, what }] of Object.entries(watched)) {
      const alarm = new Alarm(this, name, {
        metric,
        threshold,
        evaluationPeriods: among,
        datapointsToAlarm: periods,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
        alarmDescription: `Davit: ${what}. What to do: docs/runbook.md, ${name}`,
      });
      if (topic !== undefined) alarm.addAlarmAction(new SnsAction(topic));
    }
  }

  #dashboard(watched: Readonly<Record<string, Watched>>): void {
    const graphs = Object.values(watched).map(({ metric, what }) => new GraphWidget({ title: what, left: [metric] }));
    const dashboard = new Dashboard(this, 'Dashboard');
    for (let at = 0; at < graphs.length; at += 3) dashboard.addWidgets(...graphs.slice(at, at + 3));
  }
}

function watchedOf({ api, doorbell, queues, store }: ObservabilityProps): Readonly<Record<string, Watched>> {
  return {
    Faults: { metric: api.faults, threshold: 5, periods: 3, what: 'requests that ended in a 5xx status' },
    ...(api.throttles === undefined
      ? {}
      : { Throttles: { metric: api.throttles, threshold: 5, periods: 3, what: 'requests that found no room' } }),
    Failures: {
      metric: failures(doorbell),
      threshold: 0,
      periods: 3,
      among: 12,
      what: 'invocations of any function that failed, timed out or nearly did',
    },
    TableThrottles: {
      metric: tableThrottles(store),
      threshold: THROTTLED,
      periods: 3,
      what: 'requests that the table throttled',
    },
    Lag: { metric: lag(doorbell), threshold: 1000, periods: 3, what: 'versions that are committed but not published' },
    DeadLetters: {
      metric: deadLetters(queues),
      threshold: 0,
      periods: 1,
      what: 'requests to reconcilers that were given up',
    },
    StreamAge: {
      metric: doorbell.metric('IteratorAge', { statistic: 'Maximum' }),
      threshold: 5 * MINUTES,
      periods: 3,
      what: 'milliseconds that the stream is behind',
    },
  };
}

function tableThrottles({ table }: ObservabilityProps['store']): MathExpression {
  const sum = { statistic: 'Sum' };
  return new MathExpression({
    expression: 'reads + writes',
    label: 'throttled requests',
    usingMetrics: {
      reads: table.metric('ReadThrottleEvents', sum),
      writes: table.metric('WriteThrottleEvents', sum),
    },
    period: Duration.minutes(5),
  });
}

/** The lag of the furthest cursor. `functions/stream` logs it in the embedded metric format if any cursor lags. */
const lag = ({ functionName }: PlatformFunction): Metric =>
  new Metric({
    namespace: 'Davit',
    metricName: 'Lag',
    dimensionsMap: { FunctionName: functionName },
    statistic: 'Maximum',
    period: Duration.minutes(5),
  });

function deadLetters({ dead, deadRequests }: Queues): MathExpression {
  const depth = { statistic: 'Maximum' };
  return new MathExpression({
    expression: 'given + lost',
    label: 'dead letters',
    usingMetrics: {
      given: dead.metricApproximateNumberOfMessagesVisible(depth),
      lost: deadRequests.metricApproximateNumberOfMessagesVisible(depth),
    },
    period: Duration.minutes(5),
  });
}
