import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { TABLE } from '#adapters/aws/dynamodb/table.ts';
import { FRONT_DOORS } from '../context.ts';
import { templateOf } from '../testing.ts';

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: { readonly LoggingConfig?: { readonly LogGroup: { readonly Ref?: string } } };
}

const TYPES = ['AWS::DynamoDB::Table', 'AWS::KMS::Key'];

describe('the store in production', () => {
  const template = templateOf();

  test("keeps the table's data, encrypted, with the keys that the adapter uses", () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      BillingMode: TABLE.billing,
      DeletionProtectionEnabled: true,
      KeySchema: [
        { AttributeName: TABLE.partitionKey, KeyType: 'HASH' },
        { AttributeName: TABLE.sortKey, KeyType: 'RANGE' },
      ],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: Match.anyValue() },
      StreamSpecification: { StreamViewType: TABLE.streamView },
      TimeToLiveSpecification: { AttributeName: TABLE.timeToLive, Enabled: true },
    });
  });

  test("limits the table to a new table's units per second, or to the configured number", () => {
    const bears = (MaxReadRequestUnits: number, MaxWriteRequestUnits: number) => ({
      OnDemandThroughput: { MaxReadRequestUnits, MaxWriteRequestUnits },
    });
    template.hasResourceProperties('AWS::DynamoDB::Table', bears(12_000, 4_000));
    const given = templateOf({ maxReadUnits: '500', maxWriteUnits: 200 });
    given.hasResourceProperties('AWS::DynamoDB::Table', bears(500, 200));
  });

  test.each(TYPES)('has one %s, which stays when the stack is deleted', (type) => {
    const found = Object.values(template.findResources(type));
    expect(found).toEqual([expect.objectContaining({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })]);
  });

  test.each(FRONT_DOORS)("is the only retained resource with %s: functions log to the stack's groups", (frontDoor) => {
    const { Resources: resources } = templateOf({ frontDoor }).toJSON() as {
      Resources: Readonly<Record<string, Resource>>;
    };
    const all = Object.entries(resources);
    const staying = all.flatMap(([, { Type, DeletionPolicy: policy = 'Delete' }]) =>
      policy === 'Delete' ? [] : [Type],
    );
    expect(staying.toSorted()).toEqual(TYPES);
    const functions = all.filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
    for (const [id, { Properties }] of functions) {
      const { Ref: log } = Properties?.LoggingConfig?.LogGroup ?? {};
      expect([id, resources[log ?? '']?.Type]).toEqual([id, 'AWS::Logs::LogGroup']);
    }
  });

  test('reports the retained resources at deployment', () => {
    template.hasOutput('AfterDestroy', { Value: Match.stringLikeRegexp('the table and its key') });
  });
});

describe('a store with a restored table', () => {
  const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/restored';
  const stream = `${arn}/stream/2026-01-31T00:00:00.000`;
  const template = templateOf({ table: stream });

  test('creates no table, keeps its key, and functions use the table and its stream', () => {
    template.resourceCountIs('AWS::DynamoDB::Table', 0);
    template.resourceCountIs('AWS::KMS::Key', 1);
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', { EventSourceArn: stream });
    template.hasOutput('TableName', { Value: 'restored' });
    const tables = [...JSON.stringify(template.toJSON()).matchAll(/"DAVIT_TABLE":"([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(tables)).toEqual(new Set(['restored']));
  });

  test('lets functions use that table and its stream', () => {
    const policies = JSON.stringify(template.findResources('AWS::IAM::Role'));
    expect(policies).toContain(`"Resource":"${arn}"`);
    expect(policies).toContain(`"Resource":"${stream}"`);
  });
});

describe('the store in development', () => {
  const template = templateOf({ stage: 'development' });

  test.each(TYPES)('deletes the %s with the stack', (type) => {
    const found = Object.values(template.findResources(type));
    expect(found).toEqual([expect.objectContaining({ DeletionPolicy: 'Delete' })]);
  });

  test('allows deletion of the table, and reports at deployment that nothing stays', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', { DeletionProtectionEnabled: false });
    template.hasOutput('AfterDestroy', { Value: 'nothing' });
  });
});
