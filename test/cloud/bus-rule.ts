import { randomUUID } from 'node:crypto';
import {
  DeleteRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { DeleteQueueCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { type ChangeEvent, changeEventSchema } from '#lib/stream/event-schema.ts';
import { aQueue, drain, sqsClient } from '#test/support/ministack/queues.ts';
import { credentials, region } from '#test/support/ministack/start.ts';

const arriving = z.object({ detail: changeEventSchema });

interface Platform {
  readonly endpoint: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * Creates a user's rule on the bus that sends matching events to a queue. The returned function waits a while for events and returns them.
 * It also removes the rule, because a bus with a rule cannot be deleted.
 */
export async function aRule({ endpoint, outputs }: Platform, pattern: object): Promise<() => Promise<ChangeEvent[]>> {
  const EventBusName = outputs['BusName'];
  const bridge = new EventBridgeClient({ endpoint, region, credentials });
  const sqs = sqsClient(endpoint);
  const Name = `users-${randomUUID()}`;
  const { url: QueueUrl, arn: Arn } = await aQueue(sqs, { fifo: false });
  await bridge.send(new PutRuleCommand({ Name, EventBusName, EventPattern: JSON.stringify(pattern) }));
  await bridge.send(new PutTargetsCommand({ Rule: Name, EventBusName, Targets: [{ Id: 'queue', Arn }] }));
  return async () => {
    const messages = await drain(sqs, QueueUrl, 1);
    await bridge.send(new RemoveTargetsCommand({ Rule: Name, EventBusName, Ids: ['queue'] }));
    await bridge.send(new DeleteRuleCommand({ Name, EventBusName }));
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    return messages.map(({ Body: body = '' }) => arriving.parse(JSON.parse(body)).detail);
  };
}
