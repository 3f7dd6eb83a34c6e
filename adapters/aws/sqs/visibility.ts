import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { storeFault } from '#lib/stream/service-fault.ts';

/** ChangeMessageVisibilityBatch takes so many. */
const MAX_ENTRIES = 10;

/** Hides received messages, known by their receipts, from now on for so many milliseconds instead of as long as their queue does. */
export type Hide = (queueUrl: string, receipts: readonly string[], milliseconds: number) => Promise<void>;

/**
 * `Hide` by SQS. A message that is gone, or that another has received since, stays as it is. The promise is rejected with a StoreError
 * if the queue does not answer. The client is the caller's.
 */
export const hider =
  (client: SQSClient): Hide =>
  async (queueUrl, receipts, milliseconds) => {
    const VisibilityTimeout = Math.ceil(milliseconds / 1000);
    try {
      for (let at = 0; at < receipts.length; at += MAX_ENTRIES) {
        const some = receipts.slice(at, at + MAX_ENTRIES);
        const Entries = some.map((ReceiptHandle, i) => ({ Id: String(i), ReceiptHandle, VisibilityTimeout }));
        await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
      }
    } catch (error) {
      throw storeFault('the queue', error);
    }
  };
