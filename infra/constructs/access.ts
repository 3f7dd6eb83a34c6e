import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Store } from './store.ts';

/** A statement that allows actions on resources. */
export const allow = (sid: string, actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ sid, actions, resources });

/** The calls that `adapters/aws/dynamodb/port.ts` sends, and no others. */
const TABLE_ACTIONS = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map((name) => `dynamodb:${name}`);

/** The actions that an event source of a queue needs. */
export const RECEIVE = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'].map(
  (name) => `sqs:${name}`,
);

/** The actions that DynamoDB performs on a customer managed key on behalf of its caller. */
const KEY_ACTIONS = ['Encrypt', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo', 'GenerateDataKey', 'DescribeKey'];

/** Parts of the table, as patterns of the partition keys of their items (docs/adr/0002-dynamodb-layout.md). */
const PARTS = {
  /** Logs, their folded state, and its indexes. */
  objects: ['log/*', 'state/*', 'marks/*', 'chunk/*', 'dependents/*', 'index/*', 'names'],
  /** The keys with which the control plane signs, encrypted. */
  identity: ['identity'],
  watchSlots: ['watch-slots/*'],
  rates: ['rates/*'],
  /** Connections of nodes to the WebSocket API. */
  channel: ['channel/*'],
  deadLetters: ['dead'],
} as const;

/** Permission to read and write parts of the table, and to use its key. */
export function tableAccess({ table, key }: Store, ...parts: readonly (keyof typeof PARTS)[]): PolicyStatement[] {
  return [itemsOf(allow('Table', TABLE_ACTIONS, table.tableArn), parts), keyOfTable({ table, key })];
}

/** Permission to read objects and to decrypt data with the cluster's key. Grants no writes. */
export const readAccess = ({ table, key }: Store, clusterId: string): PolicyStatement[] => [
  itemsOf(allow('Table', ['dynamodb:GetItem', 'dynamodb:Query'], table.tableArn), ['objects', 'identity']),
  keyOfTable({ table, key }),
  ofCluster(allow('DataKeys', ['kms:Decrypt'], key.keyArn), clusterId),
];

/** Permission to use the table's key via DynamoDB only. */
function keyOfTable({ table, key }: Pick<Store, 'table' | 'key'>): PolicyStatement {
  const throughTable = allow(
    'KeyOfTable',
    KEY_ACTIONS.map((name) => `kms:${name}`),
    key.keyArn,
  );
  throughTable.addCondition('StringEquals', { 'kms:ViaService': `dynamodb.${Stack.of(table).region}.amazonaws.com` });
  return throughTable;
}

/** Permission to add and remove connections of nodes. The relay reads each connection by the key of its item. */
export const relayAccess = ({ table, key }: Store): PolicyStatement[] => [
  itemsOf(allow('Table', ['dynamodb:GetItem', 'dynamodb:UpdateItem'], table.tableArn), ['channel']),
  keyOfTable({ table, key }),
];

/**
 * Permission to find the connections of nodes and to delete closed ones. The permission for the table's key is part of its other
 * statements.
 */
export const ringAccess = ({ table }: Store): PolicyStatement =>
  itemsOf(allow('Nodes', ['dynamodb:Query', 'dynamodb:UpdateItem'], table.tableArn), ['channel']);

/** Permission to find the connection of a node that is called, and to delete a closed one. The API server has already published its key. */
export const callAccess = ({ table }: Store): PolicyStatement =>
  itemsOf(allow('Nodes', ['dynamodb:GetItem', 'dynamodb:UpdateItem'], table.tableArn), ['channel']);

/** Restricts a statement to items of these parts. */
function itemsOf(statement: PolicyStatement, parts: readonly (keyof typeof PARTS)[]): PolicyStatement {
  const keys = parts.flatMap((part) => PARTS[part]);
  statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': keys });
  return statement;
}

/** Permission to encrypt and decrypt the data keys of Secrets, each bound to this cluster's id. */
export const dataKeyAccess = ({ key }: Store, clusterId: string): PolicyStatement =>
  ofCluster(allow('DataKeys', ['kms:Encrypt', 'kms:Decrypt'], key.keyArn), clusterId);

/** Restricts a statement to data that is encrypted for this cluster. */
function ofCluster(statement: PolicyStatement, clusterId: string): PolicyStatement {
  statement.addCondition('StringEquals', { 'kms:EncryptionContext:davit.dev/cluster': clusterId });
  return statement;
}
