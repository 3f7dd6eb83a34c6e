import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { storeFault } from '#lib/stream/service-fault.ts';

/** Maximum number of messages in one ChangeMessageVisibilityBatch. */
const MAX_ENTRIES = 10;

/** Hides received messages for the given time in ms from now, instead of the queue's own time. Receipts identify the messages. */
export type Hide = (queueUrl: string, receipts: readonly string[], milliseconds: number) => Promise<void>;

/**
 * Implements `Hide` with SQS. A message that was deleted, or received again, is left unchanged. Rejects with a StoreError if the queue does
 * not respond. The caller owns the client.
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
