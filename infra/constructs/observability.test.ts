import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FRONT_DOORS } from '../context.ts';
import { templateOf } from '../testing.ts';

interface MetricStat {
  readonly Metric: { readonly Namespace: string; readonly MetricName: string };
}

/** The metrics that alarms look at, by alarm. */
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
  Lag: 'Davit Lag',
  DeadLetters: 'AWS/SQS ApproximateNumberOfMessagesVisible',
  StreamAge: 'AWS/Lambda IteratorAge',
};
const THROTTLES = { Throttles: 'AWS/Lambda Throttles' };

describe('alarms', () => {
  test.each<[(typeof FRONT_DOORS)[number], Record<string, string>]>([
    ['function-url', { Faults: 'AWS/Lambda Url5xxCount', ...THROTTLES }],
    ['rest', { Faults: 'AWS/ApiGateway 5XXError', ...THROTTLES }],
    ['web-function', { Faults: 'AWS/Lambda/Web HTTPResponseStatusClass5XX' }],
    ['container', { Faults: 'AWS/ApplicationELB HTTPCode_Target_5XX_Count' }],
  ])('of %s', (frontDoor, own) => {
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

  test('are not there where nobody wants them', () => {
    expect(watched({ alarms: false })).toEqual({});
  });

  test('tell a topic', () => {
    const alarmTopic = 'arn:aws:sns:eu-west-1:123456789012:ops';
    const alarms = Object.values(templateOf({ alarmTopic }).findResources('AWS::CloudWatch::Alarm'));
    expect(alarms.map(({ Properties }) => Properties.AlarmActions)).toEqual(alarms.map(() => [alarmTopic]));
  });
});

test.each([
  [{}, 0],
  [{ dashboard: true }, 1],
])('with %j there are so many dashboards: %i', (context, count) => {
  templateOf(context).resourceCountIs('AWS::CloudWatch::Dashboard', count);
});
