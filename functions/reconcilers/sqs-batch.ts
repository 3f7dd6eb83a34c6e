import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { systemClock } from '#adapters/clock.ts';
import type { BatchPorts, DeliveryResult } from '#lib/controller/batch.ts';
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
