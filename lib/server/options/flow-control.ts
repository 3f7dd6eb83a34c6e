import type { InFlightLimits } from '#lib/server/endpoints/filters/filter.ts';
import { OptionError } from './files.ts';

/** Upstream's flags of how many requests are served at once, under their names. */
export interface FlowControlFlags {
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
}

/** Upstream's defaults of these flags. */
export const FLOW_CONTROL_DEFAULTS: FlowControlFlags = {
  enablePriorityAndFairness: true,
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
};

/** The limit of concurrent requests, and how it is shared. */
export interface ReadFlowControl {
  readonly flowControl: { readonly concurrency: number } | { readonly inFlightLimits: InFlightLimits };
}

/** Reads the flags: priority and fairness shares out the sum of both limits. Throws OptionError for a sum of 0. */
export function flowControlOf(flags: FlowControlFlags): ReadFlowControl {
  const limits = { reading: flags.maxRequestsInflight, mutating: flags.maxMutatingRequestsInflight };
  if (!flags.enablePriorityAndFairness) return { flowControl: { inFlightLimits: limits } };
  const concurrency = limits.reading + limits.mutating;
  if (concurrency === 0)
    throw new OptionError(
      '--max-requests-inflight and --max-mutating-requests-inflight are 0: nothing would be served',
    );
  return { flowControl: { concurrency } };
}
