import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Hide } from '#adapters/aws/sqs/visibility.ts';
import { systemClock } from '#adapters/clock.ts';
import type { BatchPorts, DeliveryResult } from '#lib/client/controller/batch.ts';
import { newUid } from '#lib/machinery/random.ts';

/** After so many attempts a message is a dead letter. */
const MAX_ATTEMPTS = 30;

type InvocationPorts = Pick<BatchPorts, 'clock' | 'maxAttempts' | 'random' | 'nonce' | 'deadline'>;

/**
 * The ports that work on a batch takes from its invocation. `reserve`: milliseconds at its end that are kept for the
 * rest.
 */
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

/** The answer that has the queue make these deliveries again. */
export const answerOf = (returned: readonly string[]): SQSBatchResponse => ({
  batchItemFailures: returned.map((itemIdentifier) => ({ itemIdentifier })),
});

/** Milliseconds by which messages stay hidden longer than their invocation may last. */
const SPARE = 5_000;
/** Milliseconds after which a returned message comes again. */
const AGAIN = 30_000;

/** The queue of a batch, and how long its invocation may last. */
export interface Hiding {
  readonly queueUrl: string;
  readonly context: Pick<Context, 'getRemainingTimeInMillis'>;
  readonly hide: Hide;
  /** Is told where the queue did not take it: its own timeout holds then. */
  onFault(error: unknown): void;
}

/**
 * Works on a batch whose messages are hidden no longer than the invocation may last. Their queue hides them for six times as long, so that
 * Lambda may try again where it has no room for an invocation; once there is one, nobody need wait for more than its end. So what
 * a killed invocation held comes again seconds after its time, and what `work` returns after half a minute.
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
