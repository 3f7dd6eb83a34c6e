import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import { deduplicationId, encodeMessage, groupId, type ReconcileMessage } from '#lib/controller/delivery.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Outlet } from '#lib/stream/outlet.ts';
import { sendInOrder, type Answer, type BatchChannel } from '#lib/stream/send-in-order.ts';
import { serviceFault } from '#lib/stream/service-fault.ts';

/** SendMessageBatch takes so many, and a queue so much of one or all of them. */
const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024;

/** Requests in a FIFO queue: a group for each object that is reconciled. The client is the caller's, and so is its end. */
export function requestQueue(client: SQSClient, queueUrl: string, clock: Clock): Outlet<ReconcileMessage> {
  const channel: BatchChannel<ReconcileMessage> = {
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    bytes: (message) => Buffer.byteLength(encodeMessage(message)),
    group: groupId,
    request: (batch) => send(client, queueUrl, batch.map(entryOf)),
  };
  return { send: (messages) => sendInOrder(messages, channel, clock) };
}

const entryOf = (message: ReconcileMessage, i: number): SendMessageBatchRequestEntry => ({
  Id: String(i),
  MessageBody: encodeMessage(message),
  MessageGroupId: groupId(message),
  MessageDeduplicationId: deduplicationId(message),
});

async function send(client: SQSClient, queueUrl: string, entries: SendMessageBatchRequestEntry[]) {
  try {
    const { Successful: taken = [], Failed: failed = [] } = await client.send(
      new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }),
    );
    return entries.map(({ Id: id }): Answer => {
      if (taken.some((one) => one.Id === id)) return 'taken';
      const { Code: code, Message: message, SenderFault: ours } = failed.find((one) => one.Id === id) ?? {};
      const reason = `${code ?? 'not answered'}: ${message ?? ''}`;
      return ours === true ? { refused: reason } : { again: reason };
    });
  } catch (error) {
    const fault = serviceFault('the queue', error);
    if ('malformed' in fault) return fault;
    throw fault;
  }
}
