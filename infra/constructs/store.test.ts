import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { TABLE } from '#adapters/dynamodb/table.ts';
import { templateOf } from '../testing.ts';

const TYPES = ['AWS::DynamoDB::Table', 'AWS::KMS::Key'];

describe('in production', () => {
  const template = templateOf();

  test('the table keeps its data, encrypted, and has the keys that the adapter uses', () => {
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

  test.each(TYPES)('there is one %s, and it stays when the stack goes', (type) => {
    const found = Object.values(template.findResources(type));
    expect(found).toEqual([expect.objectContaining({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })]);
  });

  test('the deployment says what stays', () => {
    template.hasOutput('AfterDestroy', { Value: Match.stringLikeRegexp('the table and its key') });
  });
});

describe('in development', () => {
  const template = templateOf({ stage: 'development' });

  test.each(TYPES)('the %s goes with the stack', (type) => {
    const found = Object.values(template.findResources(type));
    expect(found).toEqual([expect.objectContaining({ DeletionPolicy: 'Delete' })]);
  });

  test('the table can be deleted, and the deployment says that nothing stays', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', { DeletionProtectionEnabled: false });
    template.hasOutput('AfterDestroy', { Value: 'nothing' });
  });
});
