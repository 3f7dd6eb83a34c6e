import { validateTemplateMetadata } from '../shared/template-metadata.ts';
import { type JsonObject } from '#lib/machinery/json-value.ts';
import { at } from '#lib/machinery/unstructured.ts';
import { FieldPath, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';
import { defaultClaimSpec, validateClaimSpec } from './claim-spec.ts';

const SPEC = FieldPath.of('spec');
const METADATA = SPEC.child('metadata');

const validate = (template: JsonObject): FieldError[] => [
  ...validateTemplateMetadata(at(template, 'spec', 'metadata'), METADATA),
  ...validateClaimSpec(at(template, 'spec', 'spec'), SPEC.child('spec')),
];

/** Upstream's pkg/registry/resource/resourceclaimtemplate. */
export const resourceClaimTemplateStrategy: KindStrategy = {
  default: (template) => defaultClaimSpec(at(template, 'spec', 'spec')),
  validate,
  validateUpdate: (template, old) => [
    ...validate(template),
    ...immutable(template, old, 'spec', FieldPath.of(''), 'resource.v1.ResourceClaimTemplate'),
  ],
};
