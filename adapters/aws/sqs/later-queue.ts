import type { SQSClient } from '@aws-sdk/client-sqs';
import { encodeMessage, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import type { Schedules } from '#lib/client/controller/schedules.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { delayedMessages } from './delayed.ts';

/** The maximum delay of SQS in ms. */
const LONGEST = 15 * 60_000;

/**
 * Sends a message for delivery after a delay in ms. Uses a standard queue, or a schedule if the delay exceeds the queue's limit. Throws
 * StoreError if the message may not have been accepted.
 */
export function laterQueue(
  client: SQSClient,
  queueUrl: string,
  { schedules, clock }: { schedules: Schedules; clock: Clock },
): (message: ReconcileMessage, milliseconds: number) => Promise<void> {
  const send = delayedMessages(client, queueUrl);
  return async (message, milliseconds) => {
    const body = encodeMessage(message);
    if (milliseconds > LONGEST) return schedules.once(body, clock.now() + milliseconds);
    return send(body, milliseconds);
  };
}
