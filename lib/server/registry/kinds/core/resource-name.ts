import {
  isExtendedResource,
  isNativeResource,
  isStandardContainerResource,
  isStandardResource,
} from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { qualifiedName } from '../shared/validate.ts';

/** Upstream's validateResourceName: a qualified name or a standard resource. */
export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = qualifiedName(name, path);
  if (errors.length > 0 || name.includes('/') || isStandardResource(name)) return errors;
  return [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

/** Upstream's validateContainerResourceName: a resource that a container may request. */
export function validateContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  const plain = name.split('/').length === 1;
  if (plain && !isStandardContainerResource(name)) {
    return [...errors, invalid(path, name, 'must be a standard resource for containers')];
  }
  if (plain || isNativeResource(name) || isExtendedResource(name)) return errors;
  return [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}
