import type { JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { pathSegment } from '../networking/backend.ts';

export interface ReferenceOptions {
  readonly allowEmptyGroup: boolean;
  readonly allowInvalidVersion: boolean;
}

/** Upstream's ValidateCrossVersionObjectReference. */
export function validateReference(
  reference: JsonObject | undefined,
  path: FieldPath,
  options: ReferenceOptions,
): FieldError[] {
  const object = reference ?? {};
  const wrong = options.allowInvalidVersion ? undefined : versionError(text(object, 'apiVersion'), options);
  return [
    ...pathSegment(object, 'kind', path),
    ...pathSegment(object, 'name', path),
    ...(wrong === undefined ? [] : [invalid(path.child('apiVersion'), text(object, 'apiVersion'), wrong)]),
  ];
}

/** What is wrong with an apiVersion, in the words of Go's ParseGroupVersion. */
export function versionError(apiVersion: string, { allowEmptyGroup }: ReferenceOptions): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 2 ? parts[0] : '';
  return group === '' && !allowEmptyGroup ? 'apiVersion must specify API group' : undefined;
}
