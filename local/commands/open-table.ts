import { connectTable, dynamoClient } from '#adapters/aws/dynamodb/connect.ts';
import { dynamoDeadLetters } from '#adapters/aws/dynamodb/dead-letters.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { clusterKey } from '#adapters/aws/kms/cluster-key.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import { secretsUnder } from '#lib/storage/encryption/secrets.ts';

interface TableOptions {
  readonly name: string;
  readonly clusterId: string;
  /** Required to read encrypted Secrets. */
  readonly kmsKey: string | undefined;
}

/** The logs of a control plane in an account. The SDK's profile authenticates. */
export function openTable({ name, clusterId, kmsKey }: TableOptions) {
  const table = connectTable(dynamoClient({}), name);
  const store = new EncryptedStore(dynamoStore(table, { clock }), secretsUnder(clusterKey(kmsKey, clusterId), clock));
  return { store, deadLetters: dynamoDeadLetters(table, clock), [Symbol.asyncDispose]: () => store.close() };
}
