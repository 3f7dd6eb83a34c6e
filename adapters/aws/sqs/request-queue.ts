import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import { deduplicationId, encodeMessage, groupId, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { type Answer, type BatchChannel, sendInOrder } from '#lib/stream/send-in-order.ts';
import { serviceFault } from '#lib/stream/service-fault.ts';
import type { Refusal, Sink } from '#lib/stream/sink.ts';

/** Maximum number of messages in one SendMessageBatch, and maximum bytes of one message or a whole batch. */
const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024;

/**
 * Sends requests to FIFO queues, with one message group per reconciled object. A request may name a queue, which is resolved relative to
 * `queueUrl`. All other requests go to `queueUrl`. The caller owns the client and closes it.
 */
export function requestQueue(client: SQSClient, queueUrl: string, clock: Clock): Sink<ReconcileMessage> {
  const channelTo = (url: string): BatchChannel<ReconcileMessage> => ({
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    bytes: (message) => Buffer.byteLength(encodeMessage(message)),
    group: groupId,
    request: (batch) => send(client, url, batch.map(entryOf)),
  });
  return {
    async send(messages) {
      const refusals: Refusal[] = [];
      for (const [url, places] of byQueue(messages, queueUrl)) {
        const batch = places.flatMap((place) => messages[place] ?? []);
        for (const { index, reason } of await sendInOrder(batch, channelTo(url), clock))
          refusals.push({ index: places[index] ?? index, reason });
      }
      return refusals;
    },
  };
}

/** The positions of messages, by the URL of their queue. */
function byQueue(messages: readonly ReconcileMessage[], queueUrl: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  messages.forEach(({ queue }, place) => {
    const url = queue === undefined ? queueUrl : new URL(queue, queueUrl).href;
    const places = found.get(url);
    if (places === undefined) found.set(url, [place]);
    else places.push(place);
  });
  return found;
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
