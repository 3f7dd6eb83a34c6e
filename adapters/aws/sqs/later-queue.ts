import type { SQSClient } from '@aws-sdk/client-sqs';
import { encodeMessage, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import type { Schedules } from '#lib/client/controller/schedules.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { delayedMessages } from './delayed.ts';

/** The longest that SQS keeps a message back. */
const LONGEST = 15 * 60_000;

/**
 * Sends a message so that it comes after so many milliseconds: through a standard queue that keeps it back, or through a schedule
 * for what is longer than a queue may wait. Throws StoreError where it may not have been taken.
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
