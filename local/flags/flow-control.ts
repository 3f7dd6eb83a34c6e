import { type Command, InvalidArgumentError } from 'commander';
import { FLOW_CONTROL_DEFAULTS } from '#lib/server/options/flow-control.ts';
import { truth } from './truth.ts';

/** Adds the flags to the command. */
export function flowControlFlags(command: Command): Command {
  const defaults = FLOW_CONTROL_DEFAULTS;
  return command
    .option(
      '--enable-priority-and-fairness [bool]',
      'queue requests by priority levels and flow schemas',
      truth,
      defaults.enablePriorityAndFairness,
    )
    .option(
      '--max-requests-inflight <number>',
      'maximum number of concurrent reading requests',
      limit,
      defaults.maxRequestsInflight,
    )
    .option(
      '--max-mutating-requests-inflight <number>',
      'maximum number of concurrent writing requests',
      limit,
      defaults.maxMutatingRequestsInflight,
    );
}

function limit(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('A limit is a number that is not negative.');
  return Number(value);
}
