import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { connectTable, dynamoClient } from '#adapters/aws/dynamodb/connect.ts';
import { dynamoDeadLetters } from '#adapters/aws/dynamodb/dead-letters.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { eventBus } from '#adapters/aws/eventbridge/bus.ts';
import { clusterKey } from '#adapters/aws/kms/cluster-key.ts';
import { requestQueue } from '#adapters/aws/sqs/request-queue.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { logLine } from '#adapters/process/log-line.ts';
import { builtInHop } from '#lib/controllers/first-hop.ts';
import { defined } from '#lib/machinery/defined.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import { secretsUnder } from '#lib/storage/encryption/secrets.ts';
import type { Config } from './config.ts';
import { gatewayNotifications, lateInvoke, latePosts } from './gateway-notifications.ts';
import { loggedDeadLetters } from './lines.ts';
import { usersReconcilers } from './users-reconcilers.ts';
import { buildStream, type Stream } from './wiring.ts';

/** The stream over AWS services. The SDK determines their endpoints. */
export function cloudStream(config: Config): Stream {
  const table = connectTable(dynamoClient({}), config.table);
  const kms = clusterKey(config.kmsKey, config.clusterId);
  const { gateway, relay } = config;
  const invoke = gateway && relay && lateInvoke(gateway, relay, clock);
  return buildStream({
    ...config,
    store: new EncryptedStore(dynamoStore(table, { clock }), secretsUnder(kms, clock)),
    deadLetters: loggedDeadLetters(dynamoDeadLetters(table, clock), logLine),
    bus: eventBus(new EventBridgeClient({}), config.bus, clock),
    queue: requestQueue(new SQSClient({}), config.queueUrl, clock),
    clock,
    reconcilers: [builtInHop, ...usersReconcilers(config.declarations)],
    ...defined({
      rings:
        gateway && gatewayNotifications(table, { posts: latePosts(gateway, clock), ...defined({ invoke }) }, clock),
    }),
  });
}
