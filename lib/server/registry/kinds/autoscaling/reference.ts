import type { CrossVersionObjectReference } from '#lib/api/types/autoscaling.v2.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { pathSegment } from '../networking/backend.ts';

/** The rules for a reference's apiVersion. */
export interface ReferenceOptions {
  readonly allowEmptyGroup: boolean;
  readonly allowInvalidVersion: boolean;
}

/** Upstream's ValidateCrossVersionObjectReference. */
export function validateReference(
  object: CrossVersionObjectReference,
  path: FieldPath,
  options: ReferenceOptions,
): FieldError[] {
  const wrong = options.allowInvalidVersion ? undefined : versionError(object.apiVersion ?? '', options);
  return [
    ...pathSegment(object, 'kind', path),
    ...pathSegment(object, 'name', path),
    ...(wrong === undefined ? [] : [invalid(path.child('apiVersion'), object.apiVersion ?? '', wrong)]),
  ];
}

/** The error of an apiVersion in the words of Go's ParseGroupVersion. Undefined if it is valid. */
export function versionError(apiVersion: string, { allowEmptyGroup }: ReferenceOptions): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 2 ? parts[0] : '';
  return group === '' && !allowEmptyGroup ? 'apiVersion must specify API group' : undefined;
}
