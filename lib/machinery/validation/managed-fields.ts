import { isObject, type Json, stringAt } from '../json-value.ts';
import { type FieldError, type FieldPath, invalid, tooLong } from './field.ts';
import { byteLength } from './messages.ts';

const MAX_MANAGER = 128;
const MAX_SUBRESOURCE = 256;

/** Upstream's ValidateManagedFields: the errors of each entry in metadata.managedFields. */
export function validateManagedFields(entries: readonly Json[], path: FieldPath): FieldError[] {
  return entries.flatMap((entry, i) => entryErrors(entry, path.index(i)));
}

function entryErrors(entry: Json, path: FieldPath): FieldError[] {
  if (!isObject(entry)) return [];
  const errors: FieldError[] = [];
  const operation = stringAt(entry, 'operation') ?? '';
  const fieldsType = stringAt(entry, 'fieldsType') ?? '';
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalid(path.child('operation'), operation, 'must be `Apply` or `Update`'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalid(path.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(stringAt(entry, 'manager') ?? '', path.child('manager')));
  if (byteLength(stringAt(entry, 'subresource') ?? '') > MAX_SUBRESOURCE) {
    errors.push(tooLong(path.child('subresource'), MAX_SUBRESOURCE));
  }
  return errors;
}

/** A fast check that most managers pass: printable ASCII, at most 128 bytes. */
const PLAIN = /^[\x20-\x7e]{0,128}$/;

/** Checks a field manager's name: printable, at most 128 bytes. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  if (PLAIN.test(manager)) return [];
  const errors = byteLength(manager) > MAX_MANAGER ? [tooLong(path, MAX_MANAGER)] : [];
  let position = 0;
  for (const rune of manager) {
    if (!isPrint(rune))
      errors.push(invalid(path, manager, `invalid character ${unicode(rune)} (at position ${position})`));
    position += byteLength(rune);
  }
  return errors;
}

/** Go's unicode.IsPrint. */
const isPrint = (rune: string): boolean => rune === ' ' || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(rune);

/** Go's `%#U` of a rune that is not printable. */
function unicode(rune: string): string {
  return `U+${(rune.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
