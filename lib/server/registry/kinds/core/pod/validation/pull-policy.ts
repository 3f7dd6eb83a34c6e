import type { FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import { oneOf } from '../../../shared/validate.ts';

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

/** Validates the pull policy of a container's image or an image volume. */
export function validatePullPolicy(policy: string, path: FieldPath): FieldError[] {
  return oneOf(policy, path, PULL_POLICIES);
}
