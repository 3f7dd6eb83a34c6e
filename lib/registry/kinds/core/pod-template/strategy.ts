import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure } from '#lib/machinery/unstructured.ts';
import { FieldPath, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { defaultPodTemplate } from '../pod/defaults.ts';
import { dropDisabledTemplateFields } from '../pod/dropped-fields.ts';
import { podValidationOptions } from '../pod/options.ts';
import { validatePodTemplateSpec } from '../pod/validation/template.ts';
import { generationChanged, podTemplateWarnings } from '../pod/warnings.ts';

const TEMPLATE = FieldPath.of('template');

function validateTemplate(object: JsonObject, old?: JsonObject): FieldError[] {
  const options = podValidationOptions(objectAt(old, 'template'), false);
  return validatePodTemplateSpec(objectAt(object, 'template') ?? {}, TEMPLATE, options);
}

/** Upstream's pkg/registry/core/podtemplate. */
export const podTemplateStrategy: KindStrategy = {
  hasGeneration: true,
  default: (object) => defaultPodTemplate(ensure(object, 'template')),
  prepareForCreate: (object) => dropDisabledTemplateFields(objectAt(object, 'template'), undefined),
  prepareForUpdate: (object, old) =>
    dropDisabledTemplateFields(objectAt(object, 'template'), objectAt(old, 'template')),
  validate: (object) => validateTemplate(object),
  validateUpdate: validateTemplate,
  warnings(object, old) {
    if (old !== undefined && !generationChanged(object, old)) return [];
    return podTemplateWarnings(objectAt(object, 'template'), TEMPLATE);
  },
};
