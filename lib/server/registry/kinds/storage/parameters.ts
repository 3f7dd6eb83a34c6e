import type { StorageClass, VolumeAttributesClass } from '#lib/api/types/storage.v1.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { type FieldError, FieldPath, invalid, required, tooLong } from '#lib/machinery/validation/field.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { qualifiedName } from '../shared/validate.ts';

const MAX_SIZE = 262_144;
const MAX_COUNT = 512;

/** Validates the name of the driver that provisions volumes. Upper case is allowed. */
export function validateProvisioner(name: string, path: FieldPath): FieldError[] {
  return name === '' ? [required(path)] : qualifiedName(name.toLowerCase(), path);
}

/** Validates a class's parameters: their number, their total size, and that no key is empty. */
export function validateParameters(object: StorageClass | VolumeAttributesClass, allowEmpty: boolean): FieldError[] {
  const path = FieldPath.of('parameters');
  const parameters = sortedEntries(object.parameters);
  if (parameters.length > MAX_COUNT) return [tooLong(path, MAX_COUNT)];
  const size = parameters.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return [
    ...parameters.filter(([key]) => key === '').map(([key]) => invalid(path, key, 'field can not be empty.')),
    ...(size > MAX_SIZE ? [tooLong(path, MAX_SIZE)] : []),
    ...(parameters.length === 0 && !allowEmpty ? [required(path, 'must contain at least one key/value pair')] : []),
  ];
}
