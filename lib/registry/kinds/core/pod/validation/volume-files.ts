import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { integer, text } from '#lib/machinery/unstructured.ts';
import { invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { requiredText } from '../../../shared/validate.ts';
import { VOLUME_FIELD_PATHS, validateFieldRef, validateResourceFieldRef } from './field-references.ts';
import { localNonReservedPath } from './paths.ts';

const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';

/** The file mode at `field`, where it is set. */
export function fileMode(object: JsonObject, field: string, path: FieldPath): FieldError[] {
  const mode = integer(object, field);
  return mode !== undefined && (mode < 0 || mode > 0o777) ? [invalid(path.child(field), mode, MODE)] : [];
}

export function validateKeyToPath(item: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...requiredText(item, 'key', path),
    ...requiredText(item, 'path', path),
    ...localNonReservedPath(text(item, 'path'), path.child('path')),
    ...fileMode(item, 'mode', path),
  ];
}

/** A file of a downward API volume. Errors are at the volume's path, as upstream has them. */
export function validateDownwardAPIFile(file: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...requiredText(file, 'path', path),
    ...localNonReservedPath(text(file, 'path'), path.child('path')),
    ...source(file, path),
    ...fileMode(file, 'mode', path),
  ];
}

function source(file: JsonObject, path: FieldPath): FieldError[] {
  const fieldRef = objectAt(file, 'fieldRef');
  const resourceRef = objectAt(file, 'resourceFieldRef');
  if (fieldRef !== undefined) {
    const errors = validateFieldRef(fieldRef, VOLUME_FIELD_PATHS, path.child('fieldRef'));
    if (resourceRef === undefined) return errors;
    return [...errors, invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')];
  }
  if (resourceRef === undefined) return [required(path, 'one of fieldRef and resourceFieldRef is required')];
  return validateResourceFieldRef(resourceRef, path.child('resourceFieldRef'), true);
}
