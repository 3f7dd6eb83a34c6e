import type { Context } from 'aws-lambda';
import { answerDeployment } from '#adapters/aws/cloudformation/answer-deployment.ts';
import { logLine as log } from '#adapters/process/log-line.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { duringWork } from '#adapters/process/work.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { cloudStream } from './cloud.ts';
import { configOf } from './config.ts';
import { linesOf } from './lines.ts';
import { triggerOf } from './trigger.ts';
import type { Stream } from './wiring.ts';

/** Time in ms before the end of the invocation after which no further page is started. */
const RESERVE = 20_000;

let stream: Stream | undefined;

/** Handles a trigger from the table's stream, a schedule, or a deployment. Rejects if work remains, so that it is triggered again. */
export async function handler(
  event: unknown,
  context: Pick<Context, 'functionName' | 'awsRequestId' | 'getRemainingTimeInMillis'>,
): Promise<void> {
  await duringWork({ requestId: context.awsRequestId }, () => ring(event, context));
}

async function ring(event: unknown, context: Parameters<typeof handler>[1]): Promise<void> {
  outliveErrors((error, origin) => log({ level: 'error', message: error.stack ?? error.message, origin }));
  stream ??= cloudStream(configOf(process.env));
  const hasTime = (): boolean => context.getRemainingTimeInMillis() > RESERVE;
  const trigger = triggerOf(event);
  if ('deployed' in trigger) await answerDeployment(trigger.deployed);
  const outcome = await stream.handle(trigger, { hasTime });
  for (const line of linesOf(outcome, context.functionName, Date.now())) log(line);
  if (outcome.faults.length > 0 || outcome.lag > 0) {
    throw new StoreError('Unavailable', `${outcome.lag} versions are left to be delivered`, {
      cause: outcome.faults[0]?.error,
    });
  }
}
