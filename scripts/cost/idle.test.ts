import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FRONT_DOORS } from '../../infra/context.ts';
import { CLIENT_AUTHORITY } from '../../infra/testing.ts';
import { idleLines } from './idle.ts';
import { dollarsOf, total } from './prices.ts';
import { type Resources, synthesized } from './template.ts';

/** The bar in dollars: the price of a sandwich. */
const BAR = 3;

describe('an idle month', () => {
  test.each(['function-url', 'web-function', 'rest'])('costs at most three dollars behind %s', (frontDoor) => {
    const dollars = total(idleLines(synthesized({ frontDoor })));
    expect(dollars).toBeGreaterThan(1);
    expect(dollars).toBeLessThanOrEqual(BAR);
  });

  test("costs little more with a user's reconciler, for its queue and schedule; a webhook costs nothing", () => {
    const functions = join(import.meta.dirname, '../../test/support/fixtures/functions');
    const [plain, more] = [idleLines(synthesized({})), idleLines(synthesized({ functions }))];
    const added = more.filter((line) => !plain.some(({ what, price }) => what === line.what && price === line.price));
    expect(added.filter(({ what }) => !what.startsWith('schedule ReconcilersitesResync'))).toEqual([]);
    const polling = more.filter(({ what }) => what === 'polling the FIFO queue');
    expect(polling).toHaveLength(2);
    expect(total(more) - total(plain)).toBeGreaterThan(0.33);
    expect(total(more) - total(plain)).toBeLessThan(0.4);
  });

  test('costs three dollars more with a dashboard, and nothing for alarms without alarms', () => {
    const plain = total(idleLines(synthesized({})));
    expect(total(idleLines(synthesized({ dashboard: true })))).toBeCloseTo(plain + 3);
    const quiet = idleLines(synthesized({ alarms: false }));
    expect(quiet.filter(({ price }) => price === 'alarmMetric')).toEqual([]);
  });

  test('costs 30 cents more per function with its own alarms', () => {
    const plain = total(idleLines(synthesized({})));
    expect(total(idleLines(synthesized({ alarms: 'full' })))).toBeCloseTo(plain + 4 * 0.3);
  });

  test('includes a secret if clients present certificates', () => {
    const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b';
    const context = { domain: 'api.example.com', certificate, clientAuthority: CLIENT_AUTHORITY };
    expect(idleLines(synthesized(context)).map(({ price }) => price)).toContain('secret');
  });
});

describe('the documented costs of an idle month', () => {
  const text = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  const dollars = (frontDoor: string): string => total(idleLines(synthesized({ frontDoor }))).toFixed(2);

  test('are right in the README', () => {
    expect(text('README.md')).toContain(`idle for $${dollars('function-url')} a month`);
  });

  test.each(FRONT_DOORS)('are right for %s in docs/deploy.md', (frontDoor) => {
    const docs = text('docs/deploy.md');
    const doors = docs.slice(docs.indexOf('## Front doors'));
    const row = new RegExp(`^\\| \`${frontDoor}\` \\|.*$`, 'm').exec(doors)?.[0];
    expect(row).toContain(`| $${dollars(frontDoor)} |`);
  });
});

/** The dollars of a template, by purpose. */
const costs = (resources: Resources): Readonly<Record<string, number>> =>
  Object.fromEntries(idleLines(resources).map((line) => [line.what, dollarsOf(line)]));

describe('the cost rules of resources', () => {
  test('reject an unknown type', () => {
    const unknown = { Cache: { Type: 'AWS::ElastiCache::ReplicationGroup' } };
    expect(() => idleLines(unknown)).toThrow('no rule for what an idle AWS::ElastiCache::ReplicationGroup costs');
  });

  test('count each metric of an alarm, and our own metrics if a value is written', () => {
    const stat = (Namespace: string) => ({ MetricStat: { Metric: { Namespace, MetricName: 'X' } } });
    const Metrics = [{ Expression: 'a + b' }, stat('AWS/SQS'), stat('Davit')];
    const alarms = { Sum: { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics } } };
    expect(costs(alarms)).toEqual({ 'alarm Sum': 0.2, 'bundles in the bucket of bootstrap': expect.any(Number) });
  });

  test.each([
    [true, 'polling the FIFO queue', 0.3285],
    [false, 'polling the standard queue', 0.2628],
  ])('FIFO %s: %s, 5 pollers of 20 s', (FifoQueue, what, dollars) => {
    const mapped = {
      Queue: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue } },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
      },
    };
    expect(costs(mapped)[what]).toBeCloseTo(dollars, 4);
  });

  test.each([
    ['rate(1 hour)', 730],
    ['rate(1 minute)', 43_800],
    ['rate(2 days)', 15.2083],
  ])('count for a schedule of %s this many runs: %f', (ScheduleExpression, times) => {
    const Target = { Arn: { 'Fn::GetAtt': ['Function', 'Arn'] } };
    const lines = idleLines({
      Function: { Type: 'AWS::Lambda::Function', Properties: { MemorySize: 512 } },
      Ring: { Type: 'AWS::Scheduler::Schedule', Properties: { ScheduleExpression, Target } },
    });
    const of = (price: string) => lines.find((line) => line.price === price)?.quantity;
    expect(of('schedule')).toBeCloseTo(times, 3);
    expect(of('lambdaGigabyteSecond')).toBeCloseTo(times * 3 * 0.5, 3);
  });

  test('reject a schedule that cannot be parsed', () => {
    const ring = { Type: 'AWS::Scheduler::Schedule', Properties: { ScheduleExpression: 'cron(0 * * * ? *)' } };
    expect(() => idleLines({ Ring: ring })).toThrow('how often is cron(0 * * * ? *)?');
  });
});
