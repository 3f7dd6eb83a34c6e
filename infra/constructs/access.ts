import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Store } from './store.ts';

/** A statement that allows actions on resources. */
export const allow = (sid: string, actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ sid, actions, resources });

/** The calls that `adapters/dynamodb/port.ts` sends, and no others. */
const TABLE_ACTIONS = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map((name) => `dynamodb:${name}`);

/** The actions that an event source of a queue needs. */
export const RECEIVE = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'].map(
  (name) => `sqs:${name}`,
);

/** The actions of DynamoDB on a customer's key, in the name of its caller. */
const KEY_ACTIONS = ['Encrypt', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo', 'GenerateDataKey', 'DescribeKey'];

/** To read and write the table, through its key. */
export function tableAccess({ table, key }: Store): PolicyStatement[] {
  const throughTable = allow(
    'KeyOfTable',
    KEY_ACTIONS.map((name) => `kms:${name}`),
    key.keyArn,
  );
  throughTable.addCondition('StringEquals', { 'kms:ViaService': `dynamodb.${Stack.of(table).region}.amazonaws.com` });
  return [allow('Table', TABLE_ACTIONS, table.tableArn), throughTable];
}

/** To encrypt and decrypt the data keys of Secrets, each bound to this cluster's id. */
export function dataKeyAccess({ key }: Store, clusterId: string): PolicyStatement {
  const statement = allow('DataKeys', ['kms:Encrypt', 'kms:Decrypt'], key.keyArn);
  statement.addCondition('StringEquals', { 'kms:EncryptionContext:davit.dev/cluster': clusterId });
  return statement;
}
