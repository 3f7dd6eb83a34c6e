import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { storeFault } from '#lib/stream/service-fault.ts';

/** A message that was given up, while it is looked at: nobody else sees it. */
export interface DeadMessage {
  readonly body: string;
  /** Why, where whoever gave it up said so. */
  readonly reason: string | undefined;
  /** Takes it off the queue: it was sent on. */
  remove(): Promise<void>;
}

/** Characters of a reason that are kept. */
const REASON = 1000;
/** Seconds for which a message that is looked at is nobody else's. */
const LOOKED_AT = 60;
/** The characters that a message attribute may not hold. */
const UNSENDABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g;

/** A standard queue of what nobody will try again by himself. Methods throw StoreError. */
export function deadLetterQueue(client: SQSClient, queueUrl: string) {
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw storeFault('the dead-letter queue', error);
    }
  };
  const dead = ({ Body: body = '', ReceiptHandle, MessageAttributes: attributes }: Message): DeadMessage => ({
    body,
    reason: attributes?.['reason']?.StringValue,
    remove: async () =>
      void (await run(() => client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle })))),
  });
  return {
    async put(body: string, reason: string): Promise<void> {
      const text = reason.replaceAll(UNSENDABLE, '\ufffd').slice(0, REASON);
      const MessageAttributes = text === '' ? {} : { reason: { DataType: 'String', StringValue: text } };
      await run(() =>
        client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body, MessageAttributes })),
      );
    },
    /** Some of those that are there; none when there are none. */
    async receive(): Promise<readonly DeadMessage[]> {
      const { Messages: messages = [] } = await run(() =>
        client.send(
          new ReceiveMessageCommand({
            QueueUrl: queueUrl,
            MaxNumberOfMessages: 10,
            VisibilityTimeout: LOOKED_AT,
            WaitTimeSeconds: 1,
            MessageAttributeNames: ['reason'],
          }),
        ),
      );
      return messages.map(dead);
    },
  };
}
