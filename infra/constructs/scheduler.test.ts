import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { changeEventSchema } from '#lib/stream/event-schema.ts';
import { aStack } from '../synthesized.ts';
import { templateOf } from '../testing.ts';
import { rings } from './scheduler.ts';

const template = templateOf();

const resource = (type: string, prefix: string) => {
  const found = Object.entries(template.findResources(type)).find(([id]) => id.startsWith(prefix));
  return { id: found?.[0] ?? '', properties: found?.[1]['Properties'] };
};
const queue = resource('AWS::SQS::Queue', 'SchedulerRequests');
const scheduler = resource('AWS::Lambda::Function', 'SchedulerFunction');
const dead = resource('AWS::SQS::Queue', 'QueuesDead');

test('batches changes of two seconds, and moves messages that fail to a dead-letter queue with an alarm', () => {
  expect(queue.properties.FifoQueue).toBeUndefined();
  const mappings = template.findResources('AWS::Lambda::EventSourceMapping');
  const [, fed] = Object.entries(mappings).find(([id]) => id.startsWith('Scheduler')) ?? [];
  expect(fed?.['Properties']).toMatchObject({
    BatchSize: 1_000,
    MaximumBatchingWindowInSeconds: 2,
    ScalingConfig: { MaximumConcurrency: 2 },
  });
  expect(JSON.stringify(queue.properties.RedrivePolicy)).toContain(dead.id);
  const alarm = resource('AWS::CloudWatch::Alarm', 'ObservabilityDeadLetters');
  expect(JSON.stringify(alarm.properties)).toContain(dead.id);
});

test("hides a message for six times the function's time-out, plus the window", () => {
  expect(queue.properties.VisibilityTimeout).toBe(6 * scheduler.properties.Timeout + 2);
});

test('rules send only to its queue', () => {
  const rules = Object.values(template.findResources('AWS::Events::Rule'));
  expect(rules).toHaveLength(Object.keys(rings([])).length);
  for (const { Properties } of rules) {
    expect(Properties.EventPattern.source).toEqual(['davit']);
    expect(Properties.Targets).toMatchObject([{ InputPath: '$.detail', Arn: { 'Fn::GetAtt': [queue.id, 'Arn'] } }]);
    expect(Properties.Targets[0].DeadLetterConfig).toBeDefined();
  }
  expect(scheduler.properties.Environment.Variables).toMatchObject({ DAVIT_QUEUE_URL: { Ref: queue.id } });
});

test('is not created if another scheduler places pods', () => {
  const without = templateOf({ scheduler: false });
  without.resourceCountIs('AWS::Events::Rule', 0);
  without.hasResourceProperties('AWS::Lambda::Function', { Description: Match.stringLikeRegexp('reconcilers') });
  const functions = Object.keys(without.findResources('AWS::Lambda::Function'));
  expect(functions.filter((id) => id.startsWith('Scheduler'))).toEqual([]);
});

describe('a file of profiles', () => {
  const HEADER = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
  const fileOf = (text: string): string => {
    const path = join(mkdtempSync(join(tmpdir(), 'davit-scheduler-')), 'scheduler.yaml');
    writeFileSync(path, text);
    return path;
  };

  test('selects the pods that trigger the function', () => {
    const schedulerConfig = fileOf(`${HEADER}profiles: [{schedulerName: a}, {schedulerName: b}]`);
    templateOf({ schedulerConfig }).hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { detail: { type: ['ADDED'], pod: { schedulerName: ['a', 'b'] } } },
    });
  });

  test.each([
    ['is not there', 'none.yaml', /^context schedulerConfig: .*none.yaml/],
    ['cannot be', fileOf(`${HEADER}profiles: [{pluginConfig: 1}]`), /^context schedulerConfig: .*pluginConfig/],
    ['is no object', fileOf('[]'), /holds no object$/],
  ])('is rejected with one line if it %s', (_, schedulerConfig, message) => {
    expect(() => aStack({ schedulerConfig })).toThrow(message);
  });
});

describe('rules for changes that trigger the scheduler', () => {
  const FIELDS: Readonly<Record<string, unknown>> = z.toJSONSchema(changeEventSchema).properties ?? {};

  test.each(Object.entries(rings([])))('%s filters only on fields that events have', (_, detail) => {
    expect(Object.keys(detail).filter((field) => !(field in FIELDS))).toEqual([]);
  });
});
