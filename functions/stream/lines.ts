import type { DeadLetter, DeadLetters } from '#lib/stream/dead-letters.ts';
import type { NotifiedNodes } from '#lib/stream/notifications.ts';
import type { Outcome } from './wiring.ts';

type Line = Readonly<Record<string, unknown>>;

/**
 * The log lines of a run: the number of delivered changes per queue, the metric for the lag alarm, and the sequences that are not fully
 * delivered, with the reason. A run without lag logs no metric, because each hour with a value of a metric is billed. Nodes that could not
 * be notified are counted without an alarm, because each polls within minutes.
 */
export function linesOf(
  { lag, furthest, faults, delivered, rung }: Outcome,
  functionName: string,
  now: number,
): readonly Line[] {
  const behind = { level: 'error', message: 'versions are left to be delivered', sequence: furthest, lag };
  return [
    ...delivered.map((each) => ({ level: 'info', message: 'delivered', ...each })),
    ...(lag > 0 ? [metricOf('Lag', lag, functionName, now)] : []),
    ...(furthest === undefined ? [] : [behind]),
    ...(rung === undefined ? [] : linesOfNotifications(rung, functionName, now)),
    ...faults.map(({ sequence, error }) => ({ level: 'error', sequence, message: textOf(error), ...causeOf(error) })),
  ];
}

function linesOfNotifications({ rung, faults, fault }: NotifiedNodes, functionName: string, now: number): Line[] {
  const told = rung > 0 ? [{ level: 'info', message: 'rang nodes', rung }] : [];
  if (faults === 0) return told;
  const lost = { level: 'warn', message: `rings are lost: ${String(fault)}`, faults };
  return [...told, metricOf('RingFaults', faults, functionName, now), lost];
}

/** Logs each dead letter that is stored in `deadLetters`. No other log mentions an event that the bus rejects permanently. */
export function loggedDeadLetters(deadLetters: DeadLetters, tell: (line: Line) => void): DeadLetters {
  return {
    async put(deadLetter) {
      await deadLetters.put(deadLetter);
      tell(lineOf(deadLetter));
    },
    all: () => deadLetters.all(),
    remove: (deadLetter) => deadLetters.remove(deadLetter),
  };
}

const lineOf = ({ consumer, sequence, version, key, reason }: DeadLetter): Line => ({
  level: 'error',
  message: `given up: ${reason}`,
  consumer,
  sequence,
  version,
  key,
});

const textOf = (fault: unknown): string => (fault instanceof Error ? (fault.stack ?? fault.message) : String(fault));

const causeOf = (fault: unknown): Line =>
  fault instanceof Error && fault.cause !== undefined ? { cause: String(fault.cause) } : {};

/** A line in the embedded metric format. */
const metricOf = (Name: 'Lag' | 'RingFaults', value: number, FunctionName: string, Timestamp: number): Line => ({
  _aws: {
    Timestamp,
    CloudWatchMetrics: [{ Namespace: 'Davit', Dimensions: [['FunctionName']], Metrics: [{ Name, Unit: 'Count' }] }],
  },
  FunctionName,
  [Name]: value,
});
