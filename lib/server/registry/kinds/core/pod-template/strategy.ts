import type { PodTemplate } from '#lib/api/types/core.v1.ts';
import { type FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { defaultPodTemplate } from '../pod/defaults.ts';
import { dropDisabledTemplateFields } from '../pod/dropped-fields.ts';
import { podValidationOptions } from '../pod/options.ts';
import { validatePodTemplateSpec } from '../pod/validation/template.ts';
import { generationChanged, podTemplateWarnings } from '../pod/warnings.ts';

const TEMPLATE = FieldPath.of('template');

function validateTemplate({ template }: PodTemplate, old?: PodTemplate): FieldError[] {
  const options = podValidationOptions(old?.template, false);
  return validatePodTemplateSpec(template, TEMPLATE, options);
}

/** Upstream's pkg/registry/core/podtemplate. */
export const podTemplateStrategy: KindStrategy<PodTemplate> = {
  hasGeneration: true,
  default: (object) => defaultPodTemplate(object.template),
  prepareForCreate: (object) => dropDisabledTemplateFields(object.template, undefined),
  prepareForUpdate: (object, old) => dropDisabledTemplateFields(object.template, old.template),
  validate: (object) => validateTemplate(object),
  validateUpdate: validateTemplate,
  warnings(object, old) {
    if (old !== undefined && !generationChanged(object, old)) return [];
    return podTemplateWarnings(object.template, TEMPLATE);
  },
};
