import { messageOfError } from '#lib/machinery/error-message.ts';
import type { PodAdmitResult } from '../../lifecycle/pod-admit.ts';

/** A refusal of a pod with a reason of its own, which becomes `status.reason` (upstream: admission.Error). */
export class AdmissionError extends Error {
  override readonly name = 'AdmissionError';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The refusal of a pod whose resources cannot come from the NUMA nodes that the policy wants. */
export const topologyAffinityError = (): AdmissionError =>
  new AdmissionError('TopologyAffinityError', 'Resources cannot be allocated with Topology locality');

/** The verdict that an allocation's error means: an error without a reason is UnexpectedAdmissionError. */
export function refusalOf(error: unknown): PodAdmitResult {
  if (error instanceof AdmissionError) return { admit: false, reason: error.reason, message: error.message };
  const message = `Allocate failed due to ${messageOfError(error)}, which is unexpected`;
  return { admit: false, reason: 'UnexpectedAdmissionError', message };
}
