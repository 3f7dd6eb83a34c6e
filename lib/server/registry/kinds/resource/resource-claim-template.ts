import type { ResourceClaimTemplate } from '#lib/api/types/resource.v1.ts';
import { type FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';
import { validateTemplateMetadata } from '../shared/template-metadata.ts';
import { defaultClaimSpec, validateClaimSpec } from './claim-spec.ts';

const SPEC = FieldPath.of('spec');
const METADATA = SPEC.child('metadata');

const validate = (template: ResourceClaimTemplate): FieldError[] => [
  ...validateTemplateMetadata(template.spec.metadata, METADATA),
  ...validateClaimSpec(template.spec.spec, SPEC.child('spec')),
];

/** Upstream's pkg/registry/resource/resourceclaimtemplate. */
export const resourceClaimTemplateStrategy: KindStrategy<ResourceClaimTemplate> = {
  default: (template) => defaultClaimSpec(template.spec.spec),
  validate,
  validateUpdate: (template, old) => [
    ...validate(template),
    ...immutable(template, old, 'spec', FieldPath.of(''), 'resource.v1.ResourceClaimTemplate'),
  ],
};
