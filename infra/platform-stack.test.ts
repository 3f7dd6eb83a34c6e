import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { TABLE } from '#adapters/dynamodb/table.ts';
import { PlatformStack } from './platform-stack.ts';

test('the table keeps its data and has the keys that the adapter uses', () => {
  const template = Template.fromStack(new PlatformStack(new App(), 'Test'));
  template.hasResource('AWS::DynamoDB::Table', {
    DeletionPolicy: 'Retain',
    Properties: {
      BillingMode: TABLE.billing,
      DeletionProtectionEnabled: true,
      KeySchema: [
        { AttributeName: TABLE.partitionKey, KeyType: 'HASH' },
        { AttributeName: TABLE.sortKey, KeyType: 'RANGE' },
      ],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      StreamSpecification: { StreamViewType: TABLE.streamView },
      TimeToLiveSpecification: { AttributeName: TABLE.timeToLive, Enabled: true },
    },
  });
  expect(Object.keys(template.findResources('AWS::DynamoDB::Table'))).toHaveLength(1);
});
