import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  MathExpression,
  Metric,
  TreatMissingData,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Context } from '../context.ts';
import type { Door } from './front-door/door.ts';
import type { PlatformFunction } from './platform-function.ts';
import type { Queues } from './queues.ts';

/** The parts of the stack to observe. */
export interface ObservabilityProps {
  readonly context: Context;
  readonly api: Pick<Door, 'faults' | 'throttles'>;
  readonly doorbell: PlatformFunction;
  readonly queues: Queues;
}

/** A metric with an alarm: its threshold, and the number of periods beyond it. */
interface Watched {
  readonly metric: IMetric;
  readonly threshold: number;
  readonly periods: number;
  readonly what: string;
}

const MINUTES = 60_000;

/** Alarms on what nobody would see otherwise. Each metric of an alarm costs 10 cents a month, the dashboard 3 dollars. */
export class Observability extends Construct {
  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);
    const watched = watchedOf(props);
    const { alarms, dashboard } = props.context;
    if (alarms) for (const [name, each] of Object.entries(watched)) this.#alarm(name, each, props.context);
    if (dashboard) this.#dashboard(watched);
  }

  #alarm(name: string, { metric, threshold, periods, what }: Watched, { alarmTopic }: Context): void {
    const alarm = new Alarm(this, name, {
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `Davit: ${what}. What to do: docs/runbook.md, ${name}`,
    });
    if (alarmTopic === undefined) return;
    alarm.addAlarmAction(new SnsAction(Topic.fromTopicArn(this, `${name}Topic`, alarmTopic)));
  }

  #dashboard(watched: Readonly<Record<string, Watched>>): void {
    const graphs = Object.values(watched).map(({ metric, what }) => new GraphWidget({ title: what, left: [metric] }));
    const dashboard = new Dashboard(this, 'Dashboard');
    for (let at = 0; at < graphs.length; at += 3) dashboard.addWidgets(...graphs.slice(at, at + 3));
  }
}

function watchedOf({ api, doorbell, queues }: ObservabilityProps): Readonly<Record<string, Watched>> {
  return {
    Faults: { metric: api.faults, threshold: 5, periods: 3, what: 'requests that ended in a 5xx status' },
    ...(api.throttles === undefined
      ? {}
      : { Throttles: { metric: api.throttles, threshold: 5, periods: 3, what: 'requests that found no room' } }),
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

/** The lag of the furthest cursor, which `functions/stream` logs in the embedded metric format. */
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
