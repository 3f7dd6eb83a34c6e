/**
 * The kind of an expansion failure. `notSupported`: the driver does not expand on nodes. `inUse`: it cannot expand a volume that pods use.
 * `infeasible`: it cannot reach this size. `failed`: any other reason. `pending`: it may still succeed.
 */
export type ExpansionFault = 'notSupported' | 'inUse' | 'infeasible' | 'failed' | 'pending';

/** The error of an expansion. Any other error counts as `failed`. */
export class ExpansionError extends Error {
  readonly fault: ExpansionFault;

  constructor(fault: ExpansionFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** The kind of an expansion failure. */
export const faultOf = (error: unknown): ExpansionFault => (error instanceof ExpansionError ? error.fault : 'failed');
