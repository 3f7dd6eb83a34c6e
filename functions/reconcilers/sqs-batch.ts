import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Hide } from '#adapters/aws/sqs/visibility.ts';
import { systemClock } from '#adapters/clock.ts';
import type { BatchPorts, DeliveryResult } from '#lib/client/controller/batch.ts';
import { newUid } from '#lib/machinery/random.ts';

/** The number of attempts after which a message is a dead letter. */
const MAX_ATTEMPTS = 30;

type InvocationPorts = Pick<BatchPorts, 'clock' | 'maxAttempts' | 'random' | 'nonce' | 'deadline'>;

/** The ports that work on a batch takes from its invocation. `reserve` is the time in ms at the end that is kept for cleanup. */
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

/** The response that makes the queue deliver these messages again. */
export const answerOf = (returned: readonly string[]): SQSBatchResponse => ({
  batchItemFailures: returned.map((itemIdentifier) => ({ itemIdentifier })),
});

/** The margin in ms by which the messages' visibility time-out exceeds the invocation's. */
const SPARE = 5_000;
/** Delay in ms before a returned message is delivered again. */
const AGAIN = 30_000;

/** The queue of a batch, and how long its invocation may last. */
export interface Hiding {
  readonly queueUrl: string;
  readonly context: Pick<Context, 'getRemainingTimeInMillis'>;
  readonly hide: Hide;
  /** Called if the queue rejected the change; its own visibility time-out then applies. */
  onFault(error: unknown): void;
}

/**
 * Works on a batch and shortens the visibility time-out of its messages to the invocation's time-out. The queue's own time-out is six times
 * as long, so that Lambda can retry while it has no capacity for an invocation. Once an invocation runs, no message need wait longer than
 * its end. So messages of a killed invocation return seconds after its time-out, and those that `work` returns come back after half a
 * minute.
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
