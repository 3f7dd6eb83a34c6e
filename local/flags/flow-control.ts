import { InvalidArgumentError, type Command } from 'commander';
import type { StartOptions } from '../start-options.ts';
import { StartFault } from '../start-fault.ts';
import { truth } from './truth.ts';

/** Upstream's flags of how many requests are served at once, under their names. */
export interface FlowControlFlags {
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
}

/** Adds the flags to the command. */
export function flowControlFlags(command: Command): Command {
  return command
    .option('--enable-priority-and-fairness [bool]', 'queue requests by priority levels and flow schemas', truth, true)
    .option('--max-requests-inflight <number>', 'maximum number of concurrent reading requests', limit, 400)
    .option('--max-mutating-requests-inflight <number>', 'maximum number of concurrent writing requests', limit, 200);
}

function limit(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('A limit is a number that is not negative.');
  return Number(value);
}

/** Reads the flags: priority and fairness shares out the sum of both limits. Throws StartFault for a sum of 0. */
export function flowControlOf(flags: FlowControlFlags): Pick<StartOptions, 'flowControl'> {
  const limits = { reading: flags.maxRequestsInflight, mutating: flags.maxMutatingRequestsInflight };
  if (!flags.enablePriorityAndFairness) return { flowControl: { inFlightLimits: limits } };
  const concurrency = limits.reading + limits.mutating;
  if (concurrency === 0)
    throw new StartFault('--max-requests-inflight and --max-mutating-requests-inflight are 0: nothing would be served');
  return { flowControl: { concurrency } };
}
