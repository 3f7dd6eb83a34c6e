import type { InFlightLimits } from '#lib/server/endpoints/filters/filter.ts';
import { OptionError } from './files.ts';

/** Upstream's flags for the limits of concurrent requests, with upstream's names. */
export interface FlowControlFlags {
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
}

/** Upstream's defaults for these flags. */
export const FLOW_CONTROL_DEFAULTS: FlowControlFlags = {
  enablePriorityAndFairness: true,
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
};

/** The limit of concurrent requests and its distribution. */
export interface ReadFlowControl {
  readonly flowControl: { readonly concurrency: number } | { readonly inFlightLimits: InFlightLimits };
}

/** Reads the flags. Priority and fairness distributes the sum of both limits. Throws OptionError for a sum of 0. */
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
