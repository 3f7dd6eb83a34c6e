import { randomUUID } from 'node:crypto';
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import * as z from 'zod';
import { changeEventSchema, type ChangeEvent } from '#lib/stream/event-schema.ts';
import { aQueue, drain, sqsClient } from '#test/ministack/queues.ts';
import { credentials, region } from '#test/ministack/start.ts';

const arriving = z.object({ detail: changeEventSchema });

interface Platform {
  readonly endpoint: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** A rule of a user on the bus: whatever it matches goes into a queue, which answers what came and waits a while for it. */
export async function aRule({ endpoint, outputs }: Platform, pattern: object): Promise<() => Promise<ChangeEvent[]>> {
  const EventBusName = outputs['BusName'];
  const bridge = new EventBridgeClient({ endpoint, region, credentials });
  const sqs = sqsClient(endpoint);
  const Name = `users-${randomUUID()}`;
  const queue = await aQueue(sqs, { fifo: false });
  await bridge.send(new PutRuleCommand({ Name, EventBusName, EventPattern: JSON.stringify(pattern) }));
  const Targets = [{ Id: 'queue', Arn: queue.arn }];
  await bridge.send(new PutTargetsCommand({ Rule: Name, EventBusName, Targets }));
  return async () =>
    (await drain(sqs, queue.url, 1)).map(({ Body: body = '' }) => arriving.parse(JSON.parse(body)).detail);
}
