import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { FRONT_DOORS } from '../context.ts';
import { aStack } from '../synthesized.ts';
import { templateOf } from '../testing.ts';

interface MetricStat {
  readonly Metric: { readonly Namespace: string; readonly MetricName: string };
}

/** The metrics that alarms watch, by alarm. */
function watched(context: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const alarms = Object.entries(templateOf(context).findResources('AWS::CloudWatch::Alarm'));
  return Object.fromEntries(
    alarms.map(([id, { Properties }]) => {
      const metrics = (Properties.Metrics ?? []) as readonly { readonly MetricStat?: MetricStat }[];
      const stats = metrics.flatMap(({ MetricStat: stat }) => (stat === undefined ? [] : [stat.Metric]));
      const all: readonly MetricStat['Metric'][] = stats.length > 0 ? stats : [Properties];
      return [
        id.replace(/^Observability(\w+?)[0-9A-F]{8}$/, '$1'),
        [...new Set(all.map(({ Namespace, MetricName }) => `${Namespace} ${MetricName}`))].join(),
      ];
    }),
  );
}

const BEHIND = {
  Failures: 'Davit/Davit Failures',
  TableThrottles: 'AWS/DynamoDB ReadThrottleEvents,AWS/DynamoDB WriteThrottleEvents',
  Lag: 'Davit Lag',
  DeadLetters: 'AWS/SQS ApproximateNumberOfMessagesVisible',
  StreamAge: 'AWS/Lambda IteratorAge',
};
const THROTTLES = { Throttles: 'AWS/Lambda Throttles' };

describe('alarms of a stack', () => {
  test.each<[(typeof FRONT_DOORS)[number], Record<string, string>]>([
    ['function-url', { Faults: 'AWS/Lambda Url5xxCount', ...THROTTLES }],
    ['rest', { Faults: 'AWS/ApiGateway 5XXError', ...THROTTLES }],
    ['web-function', { Faults: 'AWS/Lambda/Web HTTPResponseStatusClass5XX' }],
    ['container', { Faults: 'AWS/ApplicationELB HTTPCode_Target_5XX_Count' }],
  ])('cover the expected metrics of %s', (frontDoor, own) => {
    expect(watched({ frontDoor })).toEqual({ ...own, ...BEHIND });
  });

  test('have each a section that says what to do, which they name', () => {
    const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
    const sections = Array.from(runbook.matchAll(/^## (\w+)$/gm), ([, name]) => name ?? '');
    expect(Object.keys(watched({})).toSorted()).toEqual(sections.toSorted());
    const alarms = Object.values(templateOf({}).findResources('AWS::CloudWatch::Alarm'));
    const named = alarms.map(({ Properties }) => String(Properties.AlarmDescription).split(' ').at(-1));
    expect(named.toSorted()).toEqual(sections.toSorted());
  });

  test('do not exist if disabled', () => {
    expect(watched({ alarms: false })).toEqual({});
  });

  test.each([true, 'full'])('notify a topic: alarms=%s', (alarms) => {
    const alarmTopic = 'arn:aws:sns:eu-west-1:123456789012:ops';
    const all = Object.values(templateOf({ alarmTopic, alarms }).findResources('AWS::CloudWatch::Alarm'));
    expect(all.map(({ Properties }) => Properties.AlarmActions)).toEqual(all.map(() => [alarmTopic]));
  });

  test.each([
    [{}, 1],
    [{ alarmTopic: 'arn:aws:sns:eu-west-1:123456789012:ops' }, 0],
    [{ alarms: false }, 0],
  ])('warn with %j about a missing recipient in this many lines: %i', (context, count) => {
    const said = Annotations.fromStack(aStack(context)).findInfo('*', Match.stringLikeRegexp('alarms tell nobody'));
    expect(said).toHaveLength(count);
  });
});

/** Functions without their own alarm, by logical id, and the reason. */
const WITHOUT: readonly (readonly [id: RegExp, why: string])[] = [
  [/^CustomS3(AutoDelete|ObjectCopy)/, 'functions of CDK run only while the stack is deployed or removed'],
];

/** The alarm that reports a function's throttles, by the prefix of the function's logical id, and the reason. */
const THROTTLED: Readonly<Record<string, readonly [alarm: string, why: string]>> = {
  ApiFunction: ['Throttles', 'its own metric'],
  DoorbellFunction: ['StreamAge', 'records of the stream wait'],
  ReconcilersFunction: ['DeadLetters', 'messages come back to a queue that sets them aside'],
  SchedulerFunction: ['DeadLetters', 'messages come back to a queue that sets them aside'],
  Reconcilersites: ['DeadLetters', 'messages come back to a queue that sets them aside'],
  AggregatedApiquotes: ['Faults', 'the API server answers 503'],
  ChannelFunction: ['Faults', 'requests that wait for a lost message of a node end in a 5xx status'],
  MetricsServerFunction: ['Faults', 'the API server answers 503'],
  Webhooktitles: ['Faults', 'the API server asks again, then answers 5xx or goes on, as the failure policy says'],
};

interface Filter {
  readonly pattern: string;
  readonly metric: string;
}

/** The metrics that log filters count for each function. */
function counted(context: Readonly<Record<string, unknown>>) {
  const template = templateOf(context);
  const filters = Object.values(template.findResources('AWS::Logs::MetricFilter'));
  return Object.entries(template.findResources('AWS::Lambda::Function')).map(([id, { Properties }]) => {
    const group = JSON.stringify(Properties.LoggingConfig?.LogGroup);
    const own = filters.filter((filter) => JSON.stringify(filter.Properties.LogGroupName) === group);
    const counts = own.map(({ Properties: { FilterPattern: pattern, MetricTransformations } }): Filter => {
      const [{ MetricNamespace, MetricName }] = MetricTransformations;
      return { pattern, metric: `${MetricNamespace} ${MetricName}` };
    });
    return { id, timeout: Number(Properties.Timeout), format: Properties.LoggingConfig?.LogFormat, counts };
  });
}

describe('every function of a stack', () => {
  const functions = join(import.meta.dirname, '../../test/support/fixtures/functions');
  const contexts = [
    ...FRONT_DOORS.map((frontDoor) => ({ frontDoor })),
    { functions },
    { nodes: true, metricsApi: true },
    { frontDoor: 'container', metricsApi: true },
  ];

  test.each(contexts)('counts its errors and invocations near the time-out, or has a reason: %j', (context) => {
    const own = counted(context).filter(({ id }) => !WITHOUT.some(([without]) => without.test(id)));
    expect(own.length).toBeGreaterThanOrEqual(3);
    const alarms = Object.keys(watched(context));
    for (const { id } of own) {
      const [, told] = Object.entries(THROTTLED).find(([prefix]) => id.startsWith(prefix)) ?? [];
      expect([id, alarms]).toEqual([id, expect.arrayContaining([told?.[0]])]);
    }
    for (const { id, timeout, format, counts } of own) {
      const near = timeout * 950;
      const pattern = `{ $.type = "platform.report" && ($.record.status != "success" || $.record.metrics.durationMs > ${near}) }`;
      expect({ id, format, counts }).toEqual({
        id,
        format: 'JSON',
        counts: [{ pattern, metric: 'Davit/Davit Failures' }],
      });
    }
  });

  test.each(contexts)('has alarms on errors, throttles and duration with alarms=full: %j', (context) => {
    const template = templateOf({ ...context, alarms: 'full' });
    const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm'));
    for (const { id } of counted(context).filter((one) => !WITHOUT.some(([without]) => without.test(one.id)))) {
      const own = alarms.filter(({ Properties }) => Properties.Dimensions?.[0]?.Value?.Ref === id);
      const metrics = own.map(({ Properties }) => String(Properties.MetricName));
      expect(metrics).toEqual(expect.arrayContaining(['Errors', 'Duration', 'Throttles']));
    }
  });
});

describe('logs of functions', () => {
  const properties = (type: string, context: Readonly<Record<string, unknown>>) =>
    Object.values(templateOf(context).findResources(type)).map(({ Properties }) => Properties as Record<string, never>);

  test.each(FRONT_DOORS)('are encrypted with the configured key for %s', (frontDoor) => {
    const logKey = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b';
    const keys = properties('AWS::Logs::LogGroup', { frontDoor, logKey }).map(({ KmsKeyId }) => KmsKeyId);
    expect(new Set(keys)).toEqual(new Set([logKey]));
    const own = properties('AWS::Logs::LogGroup', { frontDoor }).map(({ KmsKeyId }) => KmsKeyId);
    expect(new Set(own)).toEqual(new Set([undefined]));
  });

  test.each(FRONT_DOORS)('have the configured retention for %s, and a month by default', (frontDoor) => {
    const days = (context: Readonly<Record<string, unknown>>) =>
      new Set(properties('AWS::Logs::LogGroup', context).map(({ RetentionInDays }) => RetentionInDays));
    expect([days({ frontDoor }), days({ frontDoor, logRetention: '365' })]).toEqual([new Set([30]), new Set([365])]);
  });

  test('have the configured level, and functions are traced if configured', () => {
    const asked = properties('AWS::Lambda::Function', { logLevel: 'error', tracing: 'xray' });
    for (const { Environment, TracingConfig } of asked)
      expect([Environment, TracingConfig]).toMatchObject([
        { Variables: { DAVIT_LOG_LEVEL: 'error' } },
        { Mode: 'Active' },
      ]);
    for (const { Environment, TracingConfig } of properties('AWS::Lambda::Function', {}))
      expect([Environment, TracingConfig]).toEqual([
        { Variables: expect.not.objectContaining({ DAVIT_LOG_LEVEL: 'info' }) },
        undefined,
      ]);
  });
});

test.each([
  [{}, 0],
  [{ dashboard: true }, 1],
])('create with %j this many dashboards: %i', (context, count) => {
  templateOf(context).resourceCountIs('AWS::CloudWatch::Dashboard', count);
});
