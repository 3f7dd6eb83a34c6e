import type { DownwardAPIVolumeFile, KeyToPath } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { requiredText } from '../../../shared/validate.ts';
import { VOLUME_FIELD_PATHS, validateFieldRef, validateResourceFieldRef } from './field-references.ts';
import { localNonReservedPath } from './paths.ts';

const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Validates a file mode, if it is set. */
export function fileMode(mode: number | undefined, path: FieldPath): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777) ? [invalid(path, mode, MODE)] : [];
}

/** Upstream's validateKeyToPath: a ConfigMap or Secret key that becomes a file of a volume. */
export function validateKeyToPath(item: KeyToPath, path: FieldPath): FieldError[] {
  return [
    ...requiredText(item, 'key', path),
    ...requiredText(item, 'path', path),
    ...localNonReservedPath(item.path, path.child('path')),
    ...fileMode(item.mode, path.child('mode')),
  ];
}

/** Validates a file of a downward API volume. Errors are at the volume's path, as upstream reports them. */
export function validateDownwardAPIFile(file: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  return [
    ...requiredText(file, 'path', path),
    ...localNonReservedPath(file.path, path.child('path')),
    ...validateSource(file, path),
    ...fileMode(file.mode, path.child('mode')),
  ];
}

function validateSource({ fieldRef, resourceFieldRef }: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  if (fieldRef !== undefined) {
    const errors = validateFieldRef(fieldRef, VOLUME_FIELD_PATHS, path.child('fieldRef'));
    if (resourceFieldRef === undefined) return errors;
    return [...errors, invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')];
  }
  if (resourceFieldRef === undefined) return [required(path, 'one of fieldRef and resourceFieldRef is required')];
  return validateResourceFieldRef(resourceFieldRef, path.child('resourceFieldRef'), true);
}
