import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { finalName } from '../shared/names.ts';
import { isExtendedResource } from '#lib/component-helpers/resource/resource-names.ts';
import { bounded, opaqueErrors, selectorErrors } from './shared.ts';

const SPEC = FieldPath.of('spec');

function validate(deviceClass: JsonObject): FieldError[] {
  const spec = objectAt(deviceClass, 'spec');
  const name = text(spec, 'extendedResourceName');
  const wrong = has(spec, 'extendedResourceName') && !isExtendedResource(name);
  return [
    ...selectorErrors(spec, SPEC),
    ...bounded(items(spec, 'config'), 32, SPEC.child('config'), opaqueErrors),
    ...(wrong ? [invalid(SPEC.child('extendedResourceName'), name, 'must be a valid extended resource name')] : []),
  ];
}

/** Upstream's pkg/registry/resource/deviceclass. */
export const deviceClassStrategy: KindStrategy = {
  hasGeneration: true,
  validateName: finalName,
  validate,
  validateUpdate: validate,
};
