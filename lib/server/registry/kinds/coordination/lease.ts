import type { Lease } from '#lib/api/types/coordination.v1.ts';
import { type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { nonnegative } from '../shared/validate.ts';

const SPEC = FieldPath.of('spec');
/** Fields of coordinated leader election, which is off by default. A lease that already has them keeps them. */
const COORDINATED = ['strategy', 'preferredHolder'] as const;

function dropCoordination({ spec }: Lease, old?: Lease): void {
  for (const field of COORDINATED) if (old?.spec[field] === undefined) delete spec[field];
}

function validate({ spec }: Lease): FieldError[] {
  const { leaseDurationSeconds: seconds } = spec;
  return [
    ...(seconds !== undefined && seconds <= 0
      ? [invalid(SPEC.child('leaseDurationSeconds'), seconds, 'must be greater than 0')]
      : []),
    ...nonnegative(spec, SPEC, 'leaseTransitions'),
  ];
}

/** Upstream's pkg/registry/coordination/lease. */
export const leaseStrategy: KindStrategy<Lease> = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  prepareForCreate: (lease) => dropCoordination(lease),
  prepareForUpdate: dropCoordination,
  validate,
  validateUpdate: validate,
};
