import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { templateOf } from '../testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-firehose-'));
const auditPolicyFile = join(folder, 'audit.yaml');
writeFileSync(auditPolicyFile, '{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}');
const auditFirehose = 'arn:aws:firehose:eu-west-1:123456789012:deliverystream/audit';

test.each([
  [{}, 3],
  [{ nodes: true, metricsApi: true }, 4],
])('only audit events of every function with an API server go to the stream: %j', (context, count) => {
  const template = templateOf({ auditFirehose, auditPolicyFile, ...context });
  const filters = Object.values(template.findResources('AWS::Logs::SubscriptionFilter'));
  expect(filters.map(({ Properties }) => Properties as object)).toEqual(
    Array.from({ length: count }, () =>
      expect.objectContaining({
        DestinationArn: auditFirehose,
        FilterPattern: '{ $.kind = "Event" && $.auditID = "*" }',
      }),
    ),
  );
  template.hasResourceProperties('AWS::IAM::Role', {
    AssumeRolePolicyDocument: { Statement: [{ Principal: { Service: 'logs.amazonaws.com' } }] },
    Policies: [
      {
        PolicyDocument: {
          Statement: [{ Action: ['firehose:PutRecord', 'firehose:PutRecordBatch'], Resource: auditFirehose }],
        },
      },
    ],
  });
});

test('delivers no audit events without auditFirehose', () => {
  templateOf({ auditPolicyFile }).resourceCountIs('AWS::Logs::SubscriptionFilter', 0);
});

test.each([
  [{ auditFirehose }, 'context auditFirehose needs auditPolicyFile'],
  [{ auditFirehose: 'mine', auditPolicyFile }, 'context auditFirehose is the ARN of a Firehose stream; it was "mine"'],
  [
    { auditFirehose, auditPolicyFile, auditLogFormat: 'legacy' },
    'context auditFirehose has no effect with auditLogFormat=legacy',
  ],
])('rejects the context %j in one line', (context, message) => {
  expect(() => templateOf(context)).toThrow(expect.objectContaining({ name: 'ContextError', message }));
});
