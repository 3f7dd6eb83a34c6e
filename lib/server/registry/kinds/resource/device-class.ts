import type { DeviceClass } from '#lib/api/types/resource.v1.ts';
import { isExtendedResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { finalName } from '../shared/names.ts';
import { bounded, opaqueErrors, selectorErrors } from './shared.ts';

const SPEC = FieldPath.of('spec');

function validate(deviceClass: DeviceClass): FieldError[] {
  const spec = deviceClass.spec;
  const name = spec.extendedResourceName ?? '';
  const wrong = spec.extendedResourceName !== undefined && !isExtendedResource(name);
  return [
    ...selectorErrors(spec, SPEC),
    ...bounded(spec.config ?? [], 32, SPEC.child('config'), opaqueErrors),
    ...(wrong ? [invalid(SPEC.child('extendedResourceName'), name, 'must be a valid extended resource name')] : []),
  ];
}

/** Upstream's pkg/registry/resource/deviceclass. */
export const deviceClassStrategy: KindStrategy<DeviceClass> = {
  hasGeneration: true,
  validateName: finalName,
  validate,
  validateUpdate: validate,
};
