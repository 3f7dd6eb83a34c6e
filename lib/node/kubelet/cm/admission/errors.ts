import { messageOfError } from '#lib/machinery/error-message.ts';
import type { PodAdmitResult } from '../../lifecycle/pod-admit.ts';

/** A rejection of a pod with its own reason, which becomes `status.reason` (upstream: admission.Error). */
export class AdmissionError extends Error {
  override readonly name = 'AdmissionError';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The rejection of a pod whose resources cannot come from the NUMA nodes that the policy requires. */
export const topologyAffinityError = (): AdmissionError =>
  new AdmissionError('TopologyAffinityError', 'Resources cannot be allocated with Topology locality');

/** The admission result for an error of an allocation. An error without a reason is an UnexpectedAdmissionError. */
export function refusalOf(error: unknown): PodAdmitResult {
  if (error instanceof AdmissionError) return { admit: false, reason: error.reason, message: error.message };
  const message = `Allocate failed due to ${messageOfError(error)}, which is unexpected`;
  return { admit: false, reason: 'UnexpectedAdmissionError', message };
}
