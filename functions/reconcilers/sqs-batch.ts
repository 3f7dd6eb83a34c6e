import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Hide } from '#adapters/aws/sqs/visibility.ts';
import { systemClock } from '#adapters/clock.ts';
import type { BatchPorts, DeliveryResult } from '#lib/client/controller/batch.ts';
import { newUid } from '#lib/machinery/random.ts';

/** The number of attempts after which a message becomes a dead letter. */
const MAX_ATTEMPTS = 30;

type InvocationPorts = Pick<BatchPorts, 'clock' | 'maxAttempts' | 'random' | 'nonce' | 'deadline'>;

/** The ports that a batch takes from its invocation. `reserve` is the time in ms at the end of the invocation that is kept for cleanup. */
export const invocationPorts = (
  context: Pick<Context, 'getRemainingTimeInMillis'>,
  reserve: number,
): InvocationPorts => ({
  clock: systemClock,
  maxAttempts: MAX_ATTEMPTS,
  random: Math.random,
  nonce: newUid,
  deadline: systemClock.monotonic() + context.getRemainingTimeInMillis() - reserve,
});

/** The messages of a batch. */
export const deliveriesOf = ({ Records }: SQSEvent): readonly DeliveryResult[] =>
  Records.map(({ messageId: id, body }) => ({ id, body }));

/** The response that makes the queue redeliver these messages. */
export const answerOf = (returned: readonly string[]): SQSBatchResponse => ({
  batchItemFailures: returned.map((itemIdentifier) => ({ itemIdentifier })),
});

/** The margin in ms that is added to the invocation's remaining time for the messages' visibility time-out. */
const SPARE = 5_000;
/** Delay in ms before a returned message is redelivered. */
const AGAIN = 30_000;

/** The queue of a batch, and the remaining time of its invocation. */
export interface Hiding {
  readonly queueUrl: string;
  readonly context: Pick<Context, 'getRemainingTimeInMillis'>;
  readonly hide: Hide;
  /** Called if the queue rejects the change. The queue's own visibility time-out then applies. */
  onFault(error: unknown): void;
}

/**
 * Processes a batch and shortens the visibility time-out of its messages to the invocation's time-out. The queue's own time-out is six
 * times as long, so that Lambda can retry if it has no capacity for an invocation. Once an invocation runs, no message needs to stay hidden
 * beyond its end. So messages of a killed invocation return seconds after its time-out. Messages that `work` returns are redelivered after
 * half a minute.
 */
export async function whileHidden(
  { Records }: SQSEvent,
  { queueUrl, context, hide, onFault }: Hiding,
  work: () => Promise<readonly string[]>,
): Promise<SQSBatchResponse> {
  const receipts = Records.map(({ receiptHandle }) => receiptHandle);
  const hidden = hide(queueUrl, receipts, context.getRemainingTimeInMillis() + SPARE).catch(onFault);
  const returned = await work();
  await hidden;
  const again = Records.filter(({ messageId }) => returned.includes(messageId));
  if (again.length > 0) {
    const some = again.map(({ receiptHandle }) => receiptHandle);
    await hide(queueUrl, some, AGAIN).catch(onFault);
  }
  return answerOf(returned);
}
