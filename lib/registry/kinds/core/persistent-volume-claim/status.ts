import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { entries } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, notSupported, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { isQualifiedName } from '#lib/machinery/validation/names.ts';
import { quantities } from '#lib/machinery/resource/quantities.ts';
import { isNativeResource, validateResourceValue } from '#lib/component-helpers/resource/resource-names.ts';
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
export function validateClaimStatus(claim: JsonObject): FieldError[] {
  const status = objectAt(claim, 'status');
  const noModes = arrayAt(objectAt(claim, 'spec'), 'accessModes').length === 0;
  return [
    ...(noModes ? [required(FieldPath.of('Spec', 'accessModes'))] : []),
    ...quantities(status, 'capacity').flatMap(([name, value]) =>
      basicErrors(value, STATUS.child('capacity').key(name)),
    ),
    ...entries(status, 'allocatedResourceStatuses').flatMap(([name, state]) => {
      const path = STATUS.child('allocatedResourceStatuses');
      return [...nameErrors(name, path), ...(RESIZES.includes(state) ? [] : [notSupported(path, name, RESIZES)])];
    }),
    ...quantities(status, 'allocatedResources').flatMap(([name, value]) => allocated(name, value)),
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
