import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { storeFault } from '#lib/stream/service-fault.ts';

/** A dead letter, hidden from other receivers while it is inspected. */
export interface DeadMessage {
  readonly body: string;
  /** The reason for the dead letter, if the sender set one. */
  readonly reason: string | undefined;
  /** Removes the message from the queue after it was redelivered. */
  remove(): Promise<void>;
}

/** Maximum number of characters of a reason that are kept. */
const REASON = 1000;
/** Time in seconds for which an inspected message is hidden from other receivers. */
const LOOKED_AT = 60;
/** The characters that a message attribute must not contain. */
const UNSENDABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g;

/** A standard queue for messages that are not retried automatically. Its methods throw StoreError. */
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
    /** Receives some of the messages in the queue. Empty if the queue is empty. */
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
