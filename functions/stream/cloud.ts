import { existsSync, readFileSync } from 'node:fs';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { systemClock as clock } from '#adapters/clock.ts';
import { connectTable, dynamoClient } from '#adapters/dynamodb/connect.ts';
import { dynamoDeadLetters } from '#adapters/dynamodb/dead-letters.ts';
import { dynamoStore } from '#adapters/dynamodb/store.ts';
import { eventBus } from '#adapters/eventbridge/bus.ts';
import { awsKeyManagement } from '#adapters/kms/key-management.ts';
import { requestQueue } from '#adapters/sqs/request-queue.ts';
import { parseDeclarations } from '#lib/controller/declaration.ts';
import { builtInHop } from '#lib/controllers/first-hop.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import type { KeyManagement } from '#lib/storage/encryption/kms.ts';
import { keyContext, secretsUnder } from '#lib/storage/encryption/secrets.ts';
import { byDeclaration, type Woken } from '#lib/stream/request-lane.ts';
import type { Config } from './config.ts';
import { buildStream, type Stream } from './wiring.ts';

/** The stream over AWS' services; where they are is the SDK's to know. */
export function cloudStream(config: Config): Stream {
  const table = connectTable(dynamoClient({}), config.table);
  return buildStream({
    ...config,
    store: new EncryptedStore(dynamoStore(table, { clock }), secretsUnder(keyManagement(config), clock)),
    deadLetters: dynamoDeadLetters(table, clock),
    bus: eventBus(new EventBridgeClient({}), config.bus, clock),
    queue: requestQueue(new SQSClient({}), config.queueUrl, clock),
    clock,
    reconcilers: [builtInHop, ...declared(config.declarations)],
  });
}

const keyManagement = ({ kmsKey: keyId, clusterId }: Config): KeyManagement | undefined =>
  keyId === undefined ? undefined : awsKeyManagement({ keyId, context: keyContext(clusterId) });

/** Users' reconcilers, where the deployment has any. Throws TypeError where the file is not what it should be. */
function declared(file: string): readonly Woken[] {
  if (!existsSync(file)) return [];
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return parseDeclarations(value).map(byDeclaration);
}
