import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { storeFault } from '#lib/stream/service-fault.ts';

/** Sends texts to a standard queue with a delay in ms, at most 15 minutes. Throws StoreError if the queue may not have accepted one. */
export function delayedMessages(
  client: SQSClient,
  queueUrl: string,
): (body: string, milliseconds: number) => Promise<void> {
  return async (body, milliseconds) => {
    const delay = Math.max(0, Math.ceil(milliseconds / 1000));
    try {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body, DelaySeconds: delay }));
    } catch (error) {
      throw storeFault('the queue', error);
    }
  };
}
