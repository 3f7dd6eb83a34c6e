import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { isNativeResource, validateResourceValue } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { type FieldError, FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { isQualifiedName } from '#lib/machinery/validation/names.ts';
import { basicErrors } from '../persistent-volume/validation.ts';

const STATUS = FieldPath.of('status');
const RESIZES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Upstream's ValidatePersistentVolumeClaimStatusUpdate. */
export function validateClaimStatus({ spec, status }: PersistentVolumeClaim): FieldError[] {
  const noModes = (spec.accessModes ?? []).length === 0;
  return [
    ...(noModes ? [required(FieldPath.of('Spec', 'accessModes'))] : []),
    ...sortedEntries(status.capacity).flatMap(([name, value]) =>
      basicErrors(value, STATUS.child('capacity').key(name)),
    ),
    ...sortedEntries(status.allocatedResourceStatuses).flatMap(([name, state]) => {
      const path = STATUS.child('allocatedResourceStatuses');
      return [...nameErrors(name, path), ...(RESIZES.includes(state) ? [] : [notSupported(path, name, RESIZES)])];
    }),
    ...sortedEntries(status.allocatedResources).flatMap(([name, value]) => allocated(name, value)),
  ];
}

function nameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = isQualifiedName(name).map((message) => invalid(path, name, message));
  if (errors.length > 0 || !isNativeResource(name) || name === 'storage') return errors;
  return [notSupported(path, name, ['storage'])];
}

function allocated(name: string, value: string): FieldError[] {
  const path = STATUS.child('allocatedResources');
  const errors = [...nameErrors(name, path)];
  if (errors.length > 0) return errors;
  const basic = basicErrors(value, path.key(name));
  return basic.length > 0 ? basic : validateResourceValue('storage', value, path.key(name));
}
