import { randomUUID } from 'node:crypto';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { credentials, region } from './start.ts';

export const sqsClient = (endpoint: string): SQSClient => new SQSClient({ endpoint, region, credentials });

/** Creates a new queue. Returns its URL and ARN. */
export async function aQueue(client: SQSClient, { fifo }: { fifo: boolean }): Promise<{ url: string; arn: string }> {
  const name = `q-${randomUUID()}${fifo ? '.fifo' : ''}`;
  const attributes = {
    FifoQueue: 'true',
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
  };
  const { QueueUrl: url = '' } = await client.send(
    new CreateQueueCommand({ QueueName: name, ...(fifo ? { Attributes: attributes } : {}) }),
  );
  const { Attributes: found } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
  );
  return { url, arn: found?.['QueueArn'] ?? '' };
}

/** Removes messages from a queue until there are `count`, or none has arrived for `patience` seconds. */
export async function drain(client: SQSClient, url: string, count: number, patience = 10): Promise<Message[]> {
  const taken: Message[] = [];
  while (taken.length < count) {
    const { Messages: messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: patience,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (messages.length === 0) return taken;
    for (const message of messages) {
      await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle }));
    }
    taken.push(...messages);
  }
  return taken;
}
