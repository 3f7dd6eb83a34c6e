import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, integer } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { nonnegative } from '../shared/validate.ts';

const SPEC = FieldPath.of('spec');
/** Of coordinated leader election, which is off by default; they stay where they are already. */
const COORDINATED = ['strategy', 'preferredHolder'];

function dropCoordination(lease: JsonObject, old?: JsonObject): void {
  const spec = objectAt(lease, 'spec');
  if (spec === undefined) return;
  for (const field of COORDINATED) if (!has(objectAt(old, 'spec'), field)) delete spec[field];
}

function validate(lease: JsonObject): FieldError[] {
  const spec = objectAt(lease, 'spec');
  const seconds = integer(spec, 'leaseDurationSeconds');
  return [
    ...(seconds !== undefined && seconds <= 0
      ? [invalid(SPEC.child('leaseDurationSeconds'), seconds, 'must be greater than 0')]
      : []),
    ...nonnegative(spec, SPEC, 'leaseTransitions'),
  ];
}

/** Upstream's pkg/registry/coordination/lease. */
export const leaseStrategy: KindStrategy = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  prepareForCreate: (lease) => dropCoordination(lease),
  prepareForUpdate: dropCoordination,
  validate,
  validateUpdate: validate,
};
