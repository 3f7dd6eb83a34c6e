import type { Context } from 'aws-lambda';
import { StoreError } from '#lib/storage/errors.ts';
import { answerDeployment } from './answer-deployment.ts';
import { cloudStream } from './cloud.ts';
import { configOf } from './config.ts';
import { occasionOf } from './occasion.ts';
import type { Outcome, Stream } from './wiring.ts';

/** Milliseconds before the end in which no other page is begun. */
const RESERVE = 20_000;

let stream: Stream | undefined;

/** The table's stream, a schedule, or who deploys rings. Rejects where something is left undone: it is rung again then. */
export async function handler(
  event: unknown,
  context: Pick<Context, 'functionName' | 'getRemainingTimeInMillis'>,
): Promise<void> {
  stream ??= cloudStream(configOf(process.env));
  const hasTime = (): boolean => context.getRemainingTimeInMillis() > RESERVE;
  const occasion = occasionOf(event);
  if ('deployed' in occasion) await answerDeployment(occasion.deployed);
  const outcome = await stream.handle(occasion, { hasTime });
  log(metricOf(outcome, context.functionName));
  for (const fault of outcome.faults) log({ level: 'error', message: textOf(fault) });
  if (outcome.faults.length > 0 || outcome.lag > 0) {
    throw new StoreError('Unavailable', `${outcome.lag} versions are left to be delivered`, {
      cause: outcome.faults[0],
    });
  }
}

const log = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const textOf = (fault: unknown): string => (fault instanceof Error ? (fault.stack ?? fault.message) : String(fault));

/** The embedded metric format: what the alarm on the lag reads. */
const metricOf = ({ lag }: Outcome, FunctionName: string) => ({
  _aws: {
    Timestamp: Date.now(),
    CloudWatchMetrics: [
      { Namespace: 'Davit', Dimensions: [['FunctionName']], Metrics: [{ Name: 'Lag', Unit: 'Count' }] },
    ],
  },
  FunctionName,
  Lag: lag,
});
